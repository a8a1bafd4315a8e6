#include "apps/server/pricing.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "apps/server/responses.h"

namespace renyi::server {

namespace pricing_file {
namespace {

using Clock = std::chrono::steady_clock;

// As for POST /v1/ask.
constexpr std::chrono::seconds longest_work{2};  // computing time
constexpr std::size_t most_memory = 256U << 20U;
constexpr std::chrono::milliseconds moment{2};   // computing time that needs no slot
constexpr std::chrono::milliseconds turn{5};     // after which a slot may be handed over
constexpr std::chrono::seconds longest_wait{5};  // for a slot
constexpr std::chrono::milliseconds between_looks{50};
constexpr double seconds_remembered = 10;
constexpr std::size_t most_callers_remembered = 1000;

// What this thread has computed so far; 0 where there is no such clock.
std::chrono::nanoseconds computed() {
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return {};
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

[[noreturn]] void refuse(const char* message) { throw Refused("unavailable", message); }

}  // namespace
}  // namespace pricing_file

PricingSlots::PricingSlots(std::size_t slots, std::size_t most_of_a_caller)
    : free_(slots), most_of_a_caller_(most_of_a_caller) {}

double PricingSlots::used_by(const std::string& name) {
  Caller& caller = callers_[name];
  const auto now = pricing_file::Clock::now();
  if (caller.as_of.time_since_epoch().count() != 0) {
    caller.seconds *= std::exp(-pricing_file::seconds_between(caller.as_of, now) / pricing_file::seconds_remembered);
  }
  caller.as_of = now;
  return caller.seconds;
}

void PricingSlots::count(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (calls_ >= 2 * most_of_a_caller_)
    pricing_file::refuse("as many calls are priced as this server allows; try again");
  if (callers_[name].calls >= most_of_a_caller_) {
    pricing_file::refuse("as many calls of this token are priced as this server allows; try again");
  }
  ++calls_;
  ++callers_[name].calls;
}

void PricingSlots::forget(const std::string& name) {
  const std::lock_guard lock(mutex_);
  --calls_;
  --callers_[name].calls;
  if (callers_.size() <= pricing_file::most_callers_remembered) return;
  std::erase_if(callers_, [](const auto& caller) { return caller.second.calls == 0; });
}

bool PricingSlots::take(const std::string& caller, const std::function<bool()>& is_stopping) {
  std::unique_lock lock(mutex_);
  const auto end = pricing_file::Clock::now() + pricing_file::longest_wait;
  const auto place = waiting_.emplace(used_by(caller), ++turns_).first;
  bool is_next = false;
  while (!is_next && pricing_file::Clock::now() < end && !is_stopping()) {
    changed_.wait_for(lock, pricing_file::between_looks, [&] { return free_ > 0 && place == waiting_.begin(); });
    is_next = free_ > 0 && place == waiting_.begin();
  }
  waiting_.erase(place);
  if (is_next) --free_;
  changed_.notify_all();
  return is_next;
}

void PricingSlots::give(const std::string& caller, double seconds) {
  const std::lock_guard lock(mutex_);
  used_by(caller);
  callers_[caller].seconds += seconds;
  ++free_;
  changed_.notify_all();
}

bool PricingSlots::should_give(const std::string& caller, double seconds) {
  const std::lock_guard lock(mutex_);
  return !waiting_.empty() && waiting_.begin()->first < used_by(caller) + seconds;
}

PricingSlots::Turn::Turn(PricingSlots& slots, std::string caller, std::function<bool()> is_stopping)
    : slots_(slots),
      caller_(std::move(caller)),
      is_stopping_(std::move(is_stopping)),
      computed_before_(pricing_file::computed()) {}

PricingSlots::Turn::~Turn() {
  if (has_slot_) slots_.give(caller_, pricing_file::seconds_between(since_, pricing_file::Clock::now()));
  if (is_counted_) slots_.forget(caller_);
}

Limits PricingSlots::Turn::limits(bool is_long) {
  if (is_long) return {.stop = is_stopping_};
  return {.cpu_time = pricing_file::longest_work,
          .memory = pricing_file::most_memory,
          .stop = [this] { return !goes_on(); },
          .first_call = pricing_file::moment,
          .between_calls = pricing_file::turn};
}

bool PricingSlots::Turn::take() {
  if (!is_counted_) {
    slots_.count(caller_);
    is_counted_ = true;
  }
  has_slot_ = slots_.take(caller_, is_stopping_);
  since_ = pricing_file::Clock::now();
  if (!has_slot_ && !is_stopping_()) pricing_file::refuse("the server is busy with pricing; try again");
  return has_slot_;
}

void PricingSlots::Turn::begin() {
  if (!take()) pricing_file::refuse("the server stops; try again");
}

bool PricingSlots::Turn::goes_on() {
  if (is_stopping_()) return false;
  if (!has_slot_) {
    return pricing_file::computed() - computed_before_ < pricing_file::moment || take();
  }
  const double seconds = pricing_file::seconds_between(since_, pricing_file::Clock::now());
  if (!slots_.should_give(caller_, seconds)) return true;
  has_slot_ = false;
  slots_.give(caller_, seconds);
  return take();
}

}  // namespace renyi::server
