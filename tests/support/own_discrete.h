// A random discrete pair in two forms: for the reference computation, and as a custom mechanism of the same doubles.
#pragma once

#include <string>
#include <vector>

#include "renyi/extras/custom.h"
#include "support/discrete_pair.h"

namespace renyi::test {

struct OwnDiscrete {
  DiscretePair pair;
  Mechanism mechanism;
};

inline std::vector<double> as_doubles(const std::vector<long double>& law) { return {law.begin(), law.end()}; }

// The law proportional to these doubles, which is what the mechanism means by them.
inline std::vector<long double> proportional_law(const std::vector<double>& masses) {
  long double sum = 0;
  for (const double mass : masses) sum += mass;
  std::vector<long double> law(masses.begin(), masses.end());
  for (long double& mass : law) mass /= sum;
  return law;
}

inline OwnDiscrete own_discrete(const std::vector<double>& p, const std::vector<double>& q) {
  return {{proportional_law(p), proportional_law(q)},
          custom_pair("a pair", DistributionPair::discrete(p, q, Normalize::yes))};
}

inline OwnDiscrete own_discrete(const DiscretePair& pair) {
  return own_discrete(as_doubles(pair.p), as_doubles(pair.q));
}

inline DiscretePair directed(const DiscretePair& pair, Direction direction) {
  return direction == Direction::remove ? pair : pair.swapped();
}

// n independent outcomes of one pair.
inline DiscretePair power(const DiscretePair& pair, int n) {
  DiscretePair result = pair;
  for (int i = 1; i < n; ++i) result = product(result, pair);
  return result;
}

}  // namespace renyi::test
