// Many copies of randomized responses: the sums of their losses, alone and together with other steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "certify/exact/law.h"
#include "certify/exact/step_classes.h"

namespace renyi::certify {

// Omitted terms may be this share of the sum, and are added to its upper bound.
constexpr double negligible_terms = 0x1p-70;

// Computes delta(epsilon) of `count` copies of a response with two losses, by a sum over the number of high ones, at
// the working precision. The result is not finite if the precision does not suffice.
Ball binomial_delta(const TwoSided& response, std::int64_t count, const Ball& epsilon,
                    double negligible = negligible_terms);

// Computes the P-masses of the losses (m - count) * loss, m = 0 ... 2 count, at the working precision.
std::vector<Ball> trinomial_masses(const TwoSided& response, std::int64_t count);

// The loss distribution of many copies of a response, term by term.
class TrinomialSums {
 public:
  TrinomialSums(const TwoSided& response, std::int64_t count);

  // The result is not finite if the precision does not suffice.
  Ball delta(const Ball& epsilon) const;

 private:
  Ball loss_of(std::int64_t m) const { return (Ball(m) - Ball(count_)) * loss_; }

  std::int64_t count_;
  Ball loss_;
  std::vector<Ball> mass_;
  // The sums from m on, under P and under Q.
  std::vector<Ball> p_;
  std::vector<Ball> q_;
};

// Losses and their P-masses, in order of decreasing mass.
struct Atoms {
  std::vector<Ball> loss;
  std::vector<Ball> mass;
};

// Returns all sums of losses of the responses; std::nullopt if there are too many.
std::optional<Atoms> atoms_of(const std::vector<CountedResponse>& responses);

// The omitted rest of the list may be this share of the sum, and is added to its upper bound.
constexpr double negligible_atoms = 0x1p-66;

// Combines the responses with the other steps, whose delta may be evaluated at balls of positive radius:
//     delta(epsilon) = sum_a w_a rest(epsilon - s_a).
// Returns nullptr if there are too many atoms.
std::unique_ptr<Law> with_responses(const std::vector<CountedResponse>& responses, std::unique_ptr<Law> rest,
                                    double negligible = negligible_atoms);

}  // namespace renyi::certify
