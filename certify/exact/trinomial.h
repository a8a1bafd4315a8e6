// The law of many copies of a response, term by term.
#pragma once

#include <cstdint>
#include <vector>

#include "certify/exact/response.h"

namespace renyi::certify {

// P-masses of the losses (m - count) * loss, m = 0 ... 2 count, at the working precision.
std::vector<Ball> trinomial_masses(const TwoSided& response, std::int64_t count);

class TrinomialSums {
 public:
  TrinomialSums(const TwoSided& response, std::int64_t count);

  // Not finite where the precision decides nothing.
  Ball delta(const Ball& epsilon) const;

 private:
  Ball loss_of(std::int64_t m) const { return (Ball(m) - Ball(count_)) * loss_; }

  std::int64_t count_;
  Ball loss_;
  std::vector<Ball> mass_;
  // Sums from m on, under P and under Q.
  std::vector<Ball> p_;
  std::vector<Ball> q_;
};

}  // namespace renyi::certify
