// The limits in force on a thread: a chain of scopes, of which the innermost knows the strictest deadline and memory.
#include "renyi/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>
#include <thread>
#include <utility>

namespace renyi {

using LimitClock = std::chrono::steady_clock;

class ActiveLimits {
 public:
  explicit ActiveLimits(const Limits& limits, const ActiveLimits* outer);

  void check() const;
  bool is_overdue() const;
  [[noreturn]] void end_overdue() const;
  void check_memory(double bytes, const char* what) const;
  bool was_reached() const { return reached_.load(std::memory_order_relaxed) != nothing; }
  std::string reached() const;
  std::size_t memory() const { return memory_; }
  bool has_time_limit() const { return time_ < std::chrono::nanoseconds::max(); }

 private:
  static constexpr int nothing = -1;

  bool has_reached(Limit limit, const ActiveLimits& inner) const;
  void note(Limit limit) const;
  [[noreturn]] void end(Limit limit, const std::string& why, const std::string& instead) const;
  bool is_stopped(LimitClock::time_point now) const;
  bool has_used_cpu_time(LimitClock::time_point now) const;
  bool has_overdrawn(std::chrono::nanoseconds used) const;
  std::string time_text() const;
  std::string memory_text() const;

  const ActiveLimits* outer_;
  std::chrono::nanoseconds time_ = std::chrono::nanoseconds::max();
  LimitClock::time_point deadline_ = LimitClock::time_point::max();
  std::size_t memory_ = std::numeric_limits<std::size_t>::max();
  // What the CPU clock of the thread `owner_` may show.
  std::chrono::nanoseconds cpu_limit_ = std::chrono::nanoseconds::max();
  // What it may show before this thread's work is overdue, where the scope has a limit of time.
  std::chrono::nanoseconds overdue_ = std::chrono::nanoseconds::max();
  std::thread::id owner_{};
  std::function<bool()> stop_;
  std::chrono::nanoseconds between_calls_;
  bool has_clock_ = false;                             // there is a deadline, or something to call from time to time
  mutable std::atomic<LimitClock::rep> next_call_{0};  // when `stop_` is called again
  // When the CPU clock is read again: it is slow to read, and runs no faster than the other one.
  mutable std::atomic<LimitClock::rep> next_cpu_look_{std::numeric_limits<LimitClock::rep>::max()};
  mutable std::atomic<bool> used_up_{false};  // the CPU time
  mutable std::atomic<bool> stopped_{false};
  mutable std::atomic<int> reached_{nothing};  // the limit that ended a computation
};

namespace limits_file {
namespace {

constexpr std::chrono::milliseconds between_cpu_looks{1};
constexpr std::chrono::milliseconds least_grace{25};
// A longer limit is as good as none, and sums of times do not overflow.
constexpr double longest_seconds = 1e9;

constexpr std::chrono::nanoseconds unlimited = std::chrono::nanoseconds::max();

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 4> units{{{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"", 1}}};

// Returns the CPU time of this thread; 0 where there is no such clock.
std::chrono::nanoseconds cpu_time_of_thread() {
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return {};
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::string seconds_text(std::chrono::nanoseconds time) {
  return fmt::format("{:.6g} s", std::chrono::duration<double>(time).count());
}

}  // namespace
}  // namespace limits_file

ActiveLimits::ActiveLimits(const Limits& limits, const ActiveLimits* outer)
    : outer_(outer), stop_(limits.stop), between_calls_(limits.between_calls) {
  if (outer != nullptr) {
    time_ = outer->time_;
    deadline_ = outer->deadline_;
    memory_ = outer->memory_;
    has_clock_ = outer->has_clock_;
  }
  has_clock_ = has_clock_ || limits.time || limits.cpu_time || stop_;
  const bool needs_clock = limits.time || limits.cpu_time || (stop_ && limits.first_call.count() > 0);
  const auto now = needs_clock ? LimitClock::now() : LimitClock::time_point{};
  if (limits.time && now + *limits.time < deadline_) {
    time_ = *limits.time;
    deadline_ = now + *limits.time;
  }
  if (limits.time || limits.cpu_time) {
    owner_ = std::this_thread::get_id();
    const auto used = limits_file::cpu_time_of_thread();
    const auto least =
        std::min(limits.time.value_or(limits_file::unlimited), limits.cpu_time.value_or(limits_file::unlimited));
    overdue_ = used + least + least / 2 + limits_file::least_grace;
    if (limits.cpu_time) cpu_limit_ = used + *limits.cpu_time;
  }
  if (limits.cpu_time) {
    time_ = std::min(time_, *limits.cpu_time);
    next_cpu_look_ = (now + *limits.cpu_time).time_since_epoch().count();
  }
  if (limits.memory) memory_ = std::min(memory_, *limits.memory);
  next_call_ = (now + limits.first_call).time_since_epoch().count();
}

std::string ActiveLimits::time_text() const {
  return fmt::format("the time limit of {} was reached", limits_file::seconds_text(time_));
}

std::string ActiveLimits::memory_text() const {
  return fmt::format("the memory limit of {:.6g} MiB was reached", static_cast<double>(memory_) / (1 << 20));
}

// Returns whether the limit is one of this scope or of those around it, so that it was reached here as well.
bool ActiveLimits::has_reached(Limit limit, const ActiveLimits& inner) const {
  switch (limit) {
    case Limit::time:
      return LimitClock::now() >= deadline_ || used_up_.load(std::memory_order_relaxed) ||
             limits_file::cpu_time_of_thread() >= overdue_ || (outer_ != nullptr && outer_->has_reached(limit, inner));
    case Limit::memory: return memory_ <= inner.memory_;
    case Limit::interruption:
      return stopped_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->has_reached(limit, inner));
  }
  return false;
}

void ActiveLimits::note(Limit limit) const {
  for (const ActiveLimits* each = this; each != nullptr; each = each->outer_) {
    if (each != this && !each->has_reached(limit, *this)) break;
    each->reached_.store(static_cast<int>(limit), std::memory_order_relaxed);
  }
}

void ActiveLimits::end(Limit limit, const std::string& why, const std::string& instead) const {
  note(limit);
  throw LimitReached(limit, why, instead);
}

bool ActiveLimits::is_stopped(LimitClock::time_point now) const {
  if (stop_ && !stopped_.load(std::memory_order_relaxed) &&
      now.time_since_epoch().count() >= next_call_.load(std::memory_order_relaxed)) {
    next_call_.store((now + between_calls_).time_since_epoch().count(), std::memory_order_relaxed);
    if (stop_()) stopped_.store(true, std::memory_order_relaxed);
  }
  return stopped_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->is_stopped(now));
}

// The thread of the question looks at its clock; threads that compute a part of the question learn it from that one.
bool ActiveLimits::has_used_cpu_time(LimitClock::time_point now) const {
  if (now.time_since_epoch().count() >= next_cpu_look_.load(std::memory_order_relaxed) &&
      std::this_thread::get_id() == owner_) {
    const std::chrono::nanoseconds left = cpu_limit_ - limits_file::cpu_time_of_thread();
    if (left.count() <= 0) used_up_.store(true, std::memory_order_relaxed);
    const auto next = now + std::max<std::chrono::nanoseconds>(left, limits_file::between_cpu_looks);
    next_cpu_look_.store(next.time_since_epoch().count(), std::memory_order_relaxed);
  }
  return used_up_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->has_used_cpu_time(now));
}

void ActiveLimits::check() const {
  if (!has_clock_) return;
  const auto now = LimitClock::now();
  if (is_stopped(now)) end(Limit::interruption, "the work was interrupted", "ask again");
  if (now >= deadline_ || has_used_cpu_time(now)) {
    end(Limit::time, time_text() + " before anything was known", "allow more time, or ask for less accuracy");
  }
}

bool ActiveLimits::is_overdue() const {
  if (!has_time_limit() || !has_overdrawn(limits_file::cpu_time_of_thread())) return false;
  note(Limit::time);
  return true;
}

void ActiveLimits::end_overdue() const {
  end(Limit::time, time_text() + " before all was answered", "allow more time, or ask for less");
}

bool ActiveLimits::has_overdrawn(std::chrono::nanoseconds used) const {
  return (used >= overdue_ && std::this_thread::get_id() == owner_) ||
         (outer_ != nullptr && outer_->has_overdrawn(used));
}

void ActiveLimits::check_memory(double bytes, const char* what) const {
  if (bytes <= static_cast<double>(memory_)) return;
  end(Limit::memory, fmt::format("{}: {} would take {:.4g} MiB", memory_text(), what, bytes / (1 << 20)),
      "allow more memory, or ask for less accuracy");
}

std::string ActiveLimits::reached() const {
  const int limit = reached_.load(std::memory_order_relaxed);
  if (limit == nothing) return {};
  switch (static_cast<Limit>(limit)) {
    case Limit::time: return time_text();
    case Limit::memory: return memory_text();
    case Limit::interruption: return "the work was interrupted";
  }
  return {};
}

LimitScope::LimitScope(const Limits& limits) : outer_(limits_detail::in_force) {
  if (limits.time && limits.time->count() < 0) {
    throw InvalidArgument("time", limits_file::seconds_text(*limits.time), "a time of at least 0");
  }
  if (limits.cpu_time && limits.cpu_time->count() < 0) {
    throw InvalidArgument("cpu_time", limits_file::seconds_text(*limits.cpu_time), "a time of at least 0");
  }
  own_ = std::make_unique<ActiveLimits>(limits, outer_);
  limits_detail::in_force = own_.get();
}

LimitScope::LimitScope(const ActiveLimits* of_another_thread) noexcept : outer_(limits_detail::in_force) {
  limits_detail::in_force = of_another_thread;
}

LimitScope::~LimitScope() { limits_detail::in_force = outer_; }

bool LimitScope::was_reached() const noexcept { return own_ && own_->was_reached(); }

const ActiveLimits* active_limits() noexcept { return limits_detail::in_force; }

bool has_time_limit() noexcept {
  return limits_detail::in_force != nullptr && limits_detail::in_force->has_time_limit();
}

std::size_t memory_limit() noexcept {
  return limits_detail::in_force == nullptr ? std::numeric_limits<std::size_t>::max()
                                            : limits_detail::in_force->memory();
}

std::string reached_limit() { return limits_detail::in_force == nullptr ? "" : limits_detail::in_force->reached(); }

void limits_detail::check() { in_force->check(); }

bool limits_detail::is_overdue() { return in_force->is_overdue(); }

void limits_detail::end_overdue() { in_force->end_overdue(); }

void limits_detail::check_memory(double bytes, const char* what) { in_force->check_memory(bytes, what); }

std::chrono::nanoseconds time_of_seconds(const std::string& field, double seconds) {
  if (!(seconds >= 0)) throw InvalidArgument(field, fmt::format("{}", seconds), "a number of seconds, at least 0");
  const std::chrono::duration<double> time(std::min(seconds, limits_file::longest_seconds));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

std::chrono::nanoseconds read_time(const std::string& field, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const limits_file::Unit& each : limits_file::units) {
    if (error == std::errc() && unit == each.name && number >= 0 && std::isfinite(number)) {
      return time_of_seconds(field, number * each.seconds);
    }
  }
  throw InvalidArgument(field, text, "a time of at least 0, such as 2s, 500ms or 1m; without a unit, seconds");
}

}  // namespace renyi
