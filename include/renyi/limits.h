// Limits of time and memory, and interruption. They apply to every question that a thread asks while a scope lives.
//
//     using namespace std::chrono_literals;
//     const renyi::LimitScope scope({.time = 2s});
//     const renyi::Cost cost = renyi::epsilon(plan, 1e-5);  // at most about 2 s later
//     cost.upper();                                         // a bound, also if the limit was reached
//     cost.limit;                                           // then says so
//
// At a limit, a question returns the best interval that is known so far, and says so. Where nothing is known yet, it
// throws LimitReached. Questions that never reach a limit have the same answers with it as without it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "renyi/error.h"

namespace renyi {

struct Limits {
  // How long questions may take together, from the construction of the scope.
  std::optional<std::chrono::nanoseconds> time{};
  // How long the processor may work for the thread that began the scope, from its construction. Unlike `time` it does
  // not depend on what else the machine does.
  std::optional<std::chrono::nanoseconds> cpu_time{};
  // The largest number of bytes that one question may hold at once in tables whose size depends on the question.
  std::optional<std::size_t> memory{};
  // Is called again and again while a question is computed, by any thread that computes a part of it; true ends the
  // work. An exception that it throws ends the work, too, and passes through the question to the caller.
  std::function<bool()> stop{};
  // How long after the construction of the scope `stop` is called for the first time.
  std::chrono::nanoseconds first_call{0};
  // How long after a call of `stop` it is called again, at the soonest.
  std::chrono::nanoseconds between_calls{std::chrono::milliseconds(50)};
};

// The limits of a scope together with those of the scopes around it.
class ActiveLimits;

// Puts limits into force for this thread, in addition to those of the scopes around it, of which the stricter ones
// count. A scope ends on the thread that began it, before the scopes around it.
class LimitScope {
 public:
  // Throws InvalidArgument for a negative time or CPU time.
  explicit LimitScope(const Limits& limits);
  // Puts the limits of another thread into force on this one, which computes a part of the other one's question. The
  // other thread's scope must outlive this one; nullptr stands for no limits.
  explicit LimitScope(const ActiveLimits* of_another_thread) noexcept;
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;
  ~LimitScope();

  // Returns whether a limit of this scope ended a computation.
  [[nodiscard]] bool was_reached() const noexcept;

 private:
  std::unique_ptr<ActiveLimits> own_;
  const ActiveLimits* outer_;
};

// Returns the limits in force on this thread; nullptr if there are none.
[[nodiscard]] const ActiveLimits* active_limits() noexcept;

// Returns whether a limit of time, or of CPU time, is in force on this thread.
[[nodiscard]] bool has_time_limit() noexcept;

// Returns how many bytes one question may hold at once in tables on this thread; the largest number if there is no
// limit.
[[nodiscard]] std::size_t memory_limit() noexcept;

// Returns a sentence about the limit that ended a computation of this thread's innermost scope; empty if none did.
[[nodiscard]] std::string reached_limit();

// Reads a time as people write it: "2s", "500ms", "1m", "2" (seconds). Throws InvalidArgument naming `field`.
[[nodiscard]] std::chrono::nanoseconds read_time(const std::string& field, const std::string& text);
// Converts a number of seconds, at least 0. Throws InvalidArgument naming `field`.
[[nodiscard]] std::chrono::nanoseconds time_of_seconds(const std::string& field, double seconds);

namespace limits_detail {

inline constinit thread_local const ActiveLimits* in_force = nullptr;
void check();
bool is_overdue();
[[noreturn]] void end_overdue();
void check_memory(double bytes, const char* what);

}  // namespace limits_detail

// Throws LimitReached if a limit in force has been reached. Long computations call it in their loops, every few
// microseconds; a curve of a custom mechanism that takes long may call it, too.
inline void stop_if_asked() {
  if (limits_detail::in_force != nullptr) limits_detail::check();
}

// Returns whether half as much time again as a limit in force, and 25 ms, was worked for. After a limit each further
// answer of a list is a bound that is quick to compute, but a thousand of them are not: where this is true, what is
// known by then is the answer. It is the processor's work that counts, so that a busy machine does not change an
// answer.
inline bool is_overdue() { return limits_detail::in_force != nullptr && limits_detail::is_overdue(); }

// Throws LimitReached if that is so. Questions about lists call it before each answer.
inline void stop_if_overdue() {
  if (is_overdue()) limits_detail::end_overdue();
}

// Throws LimitReached if a table of this many bytes does not fit into the limit of memory in force. `what` names the
// table in the message. Call it before the table is allocated.
inline void check_memory(double bytes, const char* what) {
  if (limits_detail::in_force != nullptr) limits_detail::check_memory(bytes, what);
}

}  // namespace renyi
