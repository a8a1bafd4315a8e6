// How often something happened, and how long it took in all; read by any thread at any time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace renyi::ledger {

class Meter {
 public:
  using Clock = std::chrono::steady_clock;

  void add_since(Clock::time_point begin) noexcept {
    nanoseconds_ += std::chrono::nanoseconds(Clock::now() - begin).count();
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] double seconds() const noexcept { return 1e-9 * static_cast<double>(nanoseconds_); }

 private:
  std::atomic<std::int64_t> count_{0}, nanoseconds_{0};
};

}  // namespace renyi::ledger
