// How far a long run is: one line on the terminal, rewritten in place.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace renyi::cli {

// "[#####.....]  42 %  420,000 of 1,000,000  15,300/s  38 s left", at most `width` columns of it with a bar that fits.
// `made` of the `done` rows were made in the last `seconds`.
struct SweepState {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::uint64_t made = 0;
  double seconds = 0;
};
std::string progress_line(const SweepState& standing, std::size_t width);

// On standard error where that is a terminal, otherwise nothing at all.
class Progress {
 public:
  // `done` of `total` are there already. Where `shown` is false, nothing is.
  Progress(std::uint64_t done, std::uint64_t total, bool shown);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Leaves the line as it stands, and goes to the next.
  ~Progress();

  // Writes at most a few times a second; always when all are done.
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
