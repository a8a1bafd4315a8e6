// The limits in force on a thread: a chain of scopes, of which the innermost knows the strictest deadline and memory.
#include "renyi/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace renyi {

using LimitClock = std::chrono::steady_clock;

class ActiveLimits {
 public:
  explicit ActiveLimits(const Limits& limits, const ActiveLimits* outer);

  void check() const;
  void check_memory(double bytes, const char* what) const;
  bool was_reached() const { return reached_.load(std::memory_order_relaxed) != nothing; }
  std::string reached() const;

 private:
  static constexpr int nothing = -1;

  bool has_reached(Limit limit, const ActiveLimits& inner) const;
  [[noreturn]] void end(Limit limit, const std::string& why, const std::string& instead) const;
  bool is_stopped(LimitClock::time_point now) const;
  std::string time_text() const;
  std::string memory_text() const;

  const ActiveLimits* outer_;
  std::chrono::nanoseconds time_ = std::chrono::nanoseconds::max();
  LimitClock::time_point deadline_ = LimitClock::time_point::max();
  std::size_t memory_ = std::numeric_limits<std::size_t>::max();
  std::function<bool()> stop_;
  bool has_clock_ = false;                             // there is a deadline, or something to call from time to time
  mutable std::atomic<LimitClock::rep> next_call_{0};  // when `stop_` is called again
  mutable std::atomic<bool> stopped_{false};
  mutable std::atomic<int> reached_{nothing};  // the limit that ended a computation
};

namespace limits_file {
namespace {

constexpr std::chrono::milliseconds between_calls{50};
// A longer limit is as good as none, and sums of times do not overflow.
constexpr double longest_seconds = 1e9;

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 4> units{{{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"", 1}}};

std::string seconds_text(std::chrono::nanoseconds time) {
  return fmt::format("{:.6g} s", std::chrono::duration<double>(time).count());
}

}  // namespace
}  // namespace limits_file

ActiveLimits::ActiveLimits(const Limits& limits, const ActiveLimits* outer) : outer_(outer), stop_(limits.stop) {
  if (outer != nullptr) {
    time_ = outer->time_;
    deadline_ = outer->deadline_;
    memory_ = outer->memory_;
    has_clock_ = outer->has_clock_;
  }
  has_clock_ = has_clock_ || limits.time || stop_;
  const bool needs_clock = limits.time || (stop_ && limits.first_call.count() > 0);
  const auto now = needs_clock ? LimitClock::now() : LimitClock::time_point{};
  if (limits.time && now + *limits.time < deadline_) {
    time_ = *limits.time;
    deadline_ = now + *limits.time;
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
    case Limit::time: return deadline_ <= inner.deadline_;
    case Limit::memory: return memory_ <= inner.memory_;
    case Limit::interruption:
      return stopped_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->has_reached(limit, inner));
  }
  return false;
}

void ActiveLimits::end(Limit limit, const std::string& why, const std::string& instead) const {
  for (const ActiveLimits* each = this; each != nullptr; each = each->outer_) {
    if (each != this && !each->has_reached(limit, *this)) break;
    each->reached_.store(static_cast<int>(limit), std::memory_order_relaxed);
  }
  throw LimitReached(limit, why, instead);
}

bool ActiveLimits::is_stopped(LimitClock::time_point now) const {
  if (stop_ && !stopped_.load(std::memory_order_relaxed) &&
      now.time_since_epoch().count() >= next_call_.load(std::memory_order_relaxed)) {
    next_call_.store((now + limits_file::between_calls).time_since_epoch().count(), std::memory_order_relaxed);
    if (stop_()) stopped_.store(true, std::memory_order_relaxed);
  }
  return stopped_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->is_stopped(now));
}

void ActiveLimits::check() const {
  if (!has_clock_) return;
  const auto now = LimitClock::now();
  if (is_stopped(now)) end(Limit::interruption, "the work was interrupted", "ask again");
  if (now >= deadline_) {
    end(Limit::time, time_text() + " before anything was proved", "allow more time, or ask for less accuracy");
  }
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
  own_ = std::make_unique<ActiveLimits>(limits, outer_);
  limits_detail::in_force = own_.get();
}

LimitScope::LimitScope(const ActiveLimits* of_another_thread) noexcept : outer_(limits_detail::in_force) {
  limits_detail::in_force = of_another_thread;
}

LimitScope::~LimitScope() { limits_detail::in_force = outer_; }

bool LimitScope::was_reached() const noexcept { return own_ && own_->was_reached(); }

const ActiveLimits* active_limits() noexcept { return limits_detail::in_force; }

std::string reached_limit() { return limits_detail::in_force == nullptr ? "" : limits_detail::in_force->reached(); }

void limits_detail::check() { in_force->check(); }

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
