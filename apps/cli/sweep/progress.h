// Shows the progress of a long run: one line on the terminal, rewritten in place.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace renyi::cli {

// progress_line formats "[#####.....]  42 %  420,000 of 1,000,000  15,300/s  38 s left" in at most `width` columns,
// with a bar that fits. `made` of the `done` rows were computed in the last `seconds`.
struct SweepState {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::uint64_t made = 0;
  double seconds = 0;
};
std::string progress_line(const SweepState& standing, std::size_t width);

// Writes progress to standard error if that is a terminal, and nothing otherwise.
class Progress {
 public:
  // `done` of `total` rows exist already. If `shown` is false, nothing is displayed.
  Progress(std::uint64_t done, std::uint64_t total, bool shown);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Leaves the line as it is, and moves to the next one.
  ~Progress();

  // Writes at most a few times per second, and always when all rows are done.
  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::uint64_t done, Clock::time_point now);

  bool shown_;
  std::uint64_t first_;
  std::uint64_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
  std::size_t columns_used_ = 0;
};

}  // namespace renyi::cli
