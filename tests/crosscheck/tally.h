// Counts of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "crosscheck/ask.h"

namespace renyi::crosscheck {

class Tally {
 public:
  // Prints the question when a law is broken, when it could not be certified, or when it was slow.
  void add(const Question& question, const Outcome& outcome);
  void count_point() { ++points_; }
  void count_plan() { ++plans_; }

  std::string by_kind() const;
  std::string summary() const;
  // Something was asked, no law broken, and few questions without a certified answer.
  bool good() const;

 private:
  struct Row {
    std::uint64_t questions = 0;
    std::uint64_t not_certified = 0;
    double largest_error = 0;
    double seconds = 0;
  };

  std::map<std::string, Row> rows_{};
  Row all_{};
  std::uint64_t points_ = 0;
  std::uint64_t plans_ = 0;
  std::uint64_t violations_ = 0;
  double slowest_ = 0;
};

}  // namespace renyi::crosscheck
