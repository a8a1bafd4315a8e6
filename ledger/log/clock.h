// The time of entries.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace renyi::ledger {

using Time = std::chrono::system_clock::time_point;

// Returns the time now. Tests replace the clock; nullptr restores it. Entries are ordered by their numbers: a clock
// that jumps makes reservations expire early or late, and nothing else.
Time now();
void set_clock(Time (*clock)()) noexcept;

// Returns "2026-11-17T12:00:00.000Z". Such texts are ordered as the times are.
std::string text_of(Time time);

// Returns whether the text is such a time, or the beginning of one that ends with a whole number: "2026-11".
bool is_time(std::string_view text) noexcept;

}  // namespace renyi::ledger
