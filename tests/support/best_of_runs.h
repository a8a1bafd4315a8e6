// The law of "the best of K runs", from the description: outcomes in ascending order of quality, K drawn from its law,
// term by term.
#pragma once

#include <cmath>
#include <vector>

#include "renyi/extras/select.h"
#include "support/discrete_pair.h"

namespace renyi::test {

// P[K = k] for k = 0, 1, ... until what is left is below `rest`.
inline std::vector<long double> law_of_runs(const Runs& runs, long double rest = 1e-20L) {
  const bool poisson = runs.law == RunsLaw::poisson, logarithmic = runs.law == RunsLaw::logarithmic;
  const long double eta = runs.law == RunsLaw::geometric ? 1 : runs.eta;
  const long double gamma = runs.law == RunsLaw::geometric ? 1.0L / runs.mean : static_cast<long double>(runs.gamma);
  if (!poisson && gamma == 1) return {0, 1};
  std::vector<long double> law{poisson ? std::exp(static_cast<long double>(-runs.mean)) : 0};
  long double term = poisson ? law[0] * runs.mean : 1 - gamma;  // k = 1
  if (logarithmic) term /= std::log(1 / gamma);
  if (!poisson && !logarithmic) term *= eta / (std::pow(gamma, -eta) - 1);
  for (long double k = 1; term > rest || k < runs.mean; ++k) {
    law.push_back(term);
    if (poisson) term *= runs.mean / (k + 1);
    if (logarithmic) term *= (1 - gamma) * k / (k + 1);
    if (!poisson && !logarithmic) term *= (1 - gamma) * (k + eta) / (k + 1);
  }
  return law;
}

// Each outcome with its probability; without a run, an outcome of its own, the last.
inline std::vector<long double> best_of(const std::vector<long double>& run, const std::vector<long double>& law) {
  std::vector<long double> result;
  long double below = 0;
  for (const long double mass : run) {
    const long double up_to = below + mass;
    // (below + mass)^k - below^k, without the difference
    long double sum = 0, power_below = 1, gained = mass;
    for (std::size_t k = 1; k < law.size(); ++k) {
      sum += law[k] * gained;
      power_below *= below;
      gained = up_to * gained + power_below * mass;
    }
    result.push_back(sum);
    below = up_to;
  }
  result.push_back(law[0]);
  return result;
}

inline DiscretePair best_of(const DiscretePair& run, const Runs& runs) {
  const auto law = law_of_runs(runs);
  DiscretePair pair{best_of(run.p, law), best_of(run.q, law)};
  if (law[0] > 0) return pair;
  pair.p.pop_back();
  pair.q.pop_back();
  return pair;
}

}  // namespace renyi::test
