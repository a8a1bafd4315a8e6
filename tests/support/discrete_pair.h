// Random pairs of discrete laws, and what the theory says of them computed straight
// from the definitions in extended precision: the judge of identities and inequalities.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random_inputs.h"

namespace renyi::test {

struct DiscretePair {
  std::vector<long double> p, q;

  std::size_t size() const { return p.size(); }
  DiscretePair swapped() const { return {q, p}; }
};

namespace detail {

// Masses on a common scale of their own: even, or spread over many orders of magnitude.
inline std::vector<long double> random_law(RandomInputs& random, std::size_t size, double zero_share) {
  const double spread = random.chance(0.5) ? 1 : random.one_of({1e-3, 10, 100});
  std::vector<long double> law(size);
  long double sum = 0;
  for (auto& mass : law) {
    mass = random.chance(zero_share) ? 0 : std::exp(static_cast<long double>(random.uniform(-1, 1) * spread));
    sum += mass;
  }
  if (sum == 0) sum = law[0] = 1;
  for (auto& mass : law) mass /= sum;
  return law;
}

}  // namespace detail

// Both laws positive everywhere.
inline DiscretePair random_pair(RandomInputs& random, std::size_t most_atoms = 6) {
  const std::size_t size = 2 + random.below(most_atoms - 1);
  return {detail::random_law(random, size, 0), detail::random_law(random, size, 0)};
}

// Atoms that one law has and the other lacks.
inline DiscretePair random_pair_with_gaps(RandomInputs& random, std::size_t most_atoms = 6) {
  const std::size_t size = 2 + random.below(most_atoms - 1);
  return {detail::random_law(random, size, 0.3), detail::random_law(random, size, 0.3)};
}

// Both sides of a randomized response: the extreme points of pure epsilon-DP.
inline DiscretePair randomized_response_pair(long double epsilon) {
  const long double high = 1 / (1 + std::exp(-epsilon)), low = 1 / (1 + std::exp(epsilon));
  return {{high, low}, {low, high}};
}

// Independent outcomes of two pairs.
inline DiscretePair product(const DiscretePair& a, const DiscretePair& b) {
  DiscretePair result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      result.p.push_back(a.p[i] * b.p[j]);
      result.q.push_back(a.q[i] * b.q[j]);
    }
  }
  return result;
}

// sup ln(P/Q) over P's atoms.
inline long double direct_max_loss(const DiscretePair& pair) {
  long double most = -std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < pair.size(); ++i) {
    if (pair.p[i] > 0) most = std::max(most, std::log(pair.p[i]) - std::log(pair.q[i]));
  }
  return most;
}

// E_P[ln(P/Q)], infinite where P has mass that Q lacks.
inline long double direct_kl(const DiscretePair& pair) {
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    if (pair.p[i] > 0) sum += pair.p[i] * (std::log(pair.p[i]) - std::log(pair.q[i]));
  }
  return sum;
}

// ln sum p^a q^(1-a), any real a.
inline long double direct_log_moment(const DiscretePair& pair, long double a) {
  std::vector<long double> exponents;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    const long double p = pair.p[i], q = pair.q[i];
    if ((p == 0 && a > 0) || (q == 0 && a < 1)) continue;
    if (p == 0 && q == 0) continue;
    exponents.push_back((a == 0 ? 0 : a * std::log(p)) + (a == 1 ? 0 : (1 - a) * std::log(q)));
  }
  if (exponents.empty()) return -std::numeric_limits<long double>::infinity();
  const long double largest = *std::max_element(exponents.begin(), exponents.end());
  if (std::isinf(largest)) return largest;
  long double sum = 0;
  for (const long double e : exponents) sum += std::exp(e - largest);
  return largest + std::log(sum);
}

// Renyi divergence of any order in (0, inf].
inline long double direct_renyi(const DiscretePair& pair, long double a) {
  if (std::isinf(a)) return direct_max_loss(pair);
  if (a == 1) return direct_kl(pair);
  return direct_log_moment(pair, a) / (a - 1);
}

// sup_S P(S) - e^epsilon Q(S); epsilon = 0 is the total variation.
inline long double direct_hockey_stick(const DiscretePair& pair, long double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    sum += std::max(0.0L, pair.p[i] - (pair.q[i] > 0 ? std::exp(epsilon) * pair.q[i] : 0));
  }
  return sum;
}

}  // namespace renyi::test
