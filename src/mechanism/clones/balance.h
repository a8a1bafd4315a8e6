// The balance of clones: the one random number on which the privacy of shuffled messages depends
// (docs/math/shuffle-model.md, "One dimension").
#pragma once

#include <vector>

namespace renyi::mechanism {

// A balance above 0, and the logarithm of its probability.
struct Balance {
  double u = 0;
  double log_mass = 0;
};

// A symmetric distribution on [-1, 1]: u and -u have the same probability.
struct BalanceLaw {
  double at_zero = 0;
  std::vector<Balance> above{};  // ascending
};

// Returns a distribution that is larger in convex order than that of U = (A - B)/(A + B), where A + B = 1 + C,
// C is binomial with people - 1 trials of the given probability, and, given C, A is binomial with A + B trials of
// probability 1/2. Where the outcomes are few, it is that of U but for 1e-10 of each probability.
BalanceLaw balance_of_clones(double people, long double clone_probability);

}  // namespace renyi::mechanism
