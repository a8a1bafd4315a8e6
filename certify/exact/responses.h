// Many copies of randomized responses: their sums of losses, alone and beside other steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "certify/exact/law.h"
#include "certify/exact/step_classes.h"

namespace renyi::certify {

// Terms left out may be this share of the sum, and are charged to its upper end.
constexpr double negligible_terms = 0x1p-70;

// delta(epsilon) of `count` copies of a response with two losses, by a sum over the number of high ones, at the working
// precision. Not finite where the precision decides nothing.
Ball binomial_delta(const TwoSided& response, std::int64_t count, const Ball& epsilon,
                    double negligible = negligible_terms);

// P-masses of the losses (m - count) * loss, m = 0 ... 2 count, at the working precision.
std::vector<Ball> trinomial_masses(const TwoSided& response, std::int64_t count);

// The law of many copies of a response, term by term.
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

// Losses and their P-masses, heaviest first.
struct Atoms {
  std::vector<Ball> loss;
  std::vector<Ball> mass;
};

// All sums of losses of the responses; nothing if they are too many.
std::optional<Atoms> atoms_of(const std::vector<CountedResponse>& responses);

// What is left of the list may be this share of the sum, and is charged to its upper end.
constexpr double negligible_atoms = 0x1p-66;

// Together with the other steps, whose law may be asked at balls of positive radius:
//     delta(epsilon) = sum_a w_a rest(epsilon - s_a).
// Nothing if the atoms are too many.
std::unique_ptr<Law> with_responses(const std::vector<CountedResponse>& responses, std::unique_ptr<Law> rest,
                                    double negligible = negligible_atoms);

}  // namespace renyi::certify
