// Who may use the processor for pricing steps: half of the cores at most, in turns, so that whoever has used little
// goes before whoever has used much, and a flood of questions keeps nobody's charge waiting.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "renyi/limits.h"

namespace renyi::server {

class PricingSlots {
 public:
  // So many compute at once; of each caller so many may compute or wait, and of all together twice as many.
  PricingSlots(std::size_t slots, std::size_t most_of_a_caller);

  // One call of a caller. It computes without a slot for a moment, which is all that most calls need.
  class Turn {
   public:
    // `is_stopping` ends the work.
    Turn(PricingSlots& slots, std::string caller, std::function<bool()> is_stopping);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

    // The limits of the call, or of one that takes long by nature and only ends with the server. They take a slot for
    // what takes longer than a moment, and hand it over to those who have used less. Throw Refused if too many wait.
    [[nodiscard]] Limits limits(bool is_long);
    // Takes a slot at once, for a call that is long to read. Throws Refused if too many wait, or the server stops.
    void begin();

   private:
    bool take();
    bool goes_on();  // is asked again and again, on the thread of the call, where the work can wait, or end

    PricingSlots& slots_;
    std::string caller_;
    std::function<bool()> is_stopping_;
    std::chrono::nanoseconds computed_before_;
    bool is_counted_ = false;
    bool has_slot_ = false;
    std::chrono::steady_clock::time_point since_{};
  };

 private:
  using Place = std::pair<double, std::uint64_t>;  // what the caller has used, and when it came

  void count(const std::string& caller);
  void forget(const std::string& caller);
  // Returns false if there was no slot in time, or the server stops.
  bool take(const std::string& caller, const std::function<bool()>& is_stopping);
  void give(const std::string& caller, double seconds);
  bool should_give(const std::string& caller, double seconds);

  struct Caller {
    std::size_t calls = 0;
    double seconds = 0;  // that it has used, the more distant past counting less and less
    std::chrono::steady_clock::time_point as_of{};
  };
  double used_by(const std::string& caller);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t free_;
  std::size_t most_of_a_caller_;
  std::size_t calls_ = 0;
  std::uint64_t turns_ = 0;
  std::set<Place> waiting_;
  std::map<std::string, Caller> callers_;
};

}  // namespace renyi::server
