#include "ledger/log/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace renyi::ledger {

namespace clock_file {
namespace {

Time (*current)() = nullptr;

}  // namespace
}  // namespace clock_file

Time now() { return clock_file::current != nullptr ? clock_file::current() : std::chrono::system_clock::now(); }

void set_clock(Time (*clock)()) noexcept { clock_file::current = clock; }

// Years have four digits, so that texts are ordered as times are: a clock beyond 9999, or before 1970, is cut off
// there.
std::string text_of(Time time) {
  using std::chrono::milliseconds;
  constexpr milliseconds last{253402300799999};  // 9999-12-31T23:59:59.999Z
  const auto since = std::chrono::duration_cast<milliseconds>(time.time_since_epoch());
  const auto kept = std::clamp(since, milliseconds(0), last);
  const std::time_t seconds = kept.count() / 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), kept.count() % 1000);
}

}  // namespace renyi::ledger
