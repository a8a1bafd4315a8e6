// Shuffled batches beside Poisson sampling, after Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang 2024 (ICML,
// arXiv:2403.17673v2): one epoch of 1000 steps at noise multiplier 0.35, the setting of the example published with the
// paper (docs/math/published-comparisons.md). The lower bound for shuffling is computed here from the definition.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/mechanism.h"

namespace renyi::chua_2024_test {
namespace {

constexpr double sigma = 0.35;
constexpr int steps = 1000;

// ln Phi(x), and its upper tail without cancellation.
long double log_phi(long double x) {
  const long double tail = std::erfc(std::abs(x) / std::sqrt(2.0L)) / 2;
  return x > 0 ? std::log1p(-tail) : std::log(tail);
}

// Pr[max_t x_t > C] when one of the coordinates, at random, has the mean `mean` and the others 0.
long double beyond(long double c, long double mean) {
  return -std::expm1(log_phi((c - mean) / sigma) + (steps - 1) * log_phi(c / sigma));
}

// Every other record contributes -1: the batch of the record stands out by 2 with it and by 1 where it is zeroed out.
// delta(epsilon) >= P(S) - e^epsilon Q(S) for every event S, here that one coordinate exceeds C.
long double shuffled_delta(long double epsilon, long double with, long double without) {
  long double best = 0;
  for (int i = 0; i < 10000; ++i) {
    const long double c = i / 1000.0L;
    best = std::max(best, beyond(c, with) - std::exp(epsilon) * beyond(c, without));
  }
  return best;
}

// An epsilon at which shuffling certainly has more than this delta.
double shuffled_epsilon(long double delta) {
  long double low = 0, high = 100;
  for (int i = 0; i < 40; ++i) {
    const long double middle = (low + high) / 2;
    (shuffled_delta(middle, 2, 1) > delta ? low : high) = middle;
  }
  return static_cast<double>(low);
}

const PrivacyProfile& poisson() {
  static const PrivacyProfile accountant(Plan(Neighbors::zero_out).add(SampledGaussian{1.0 / steps, sigma}, steps));
  return accountant;
}

// Every record once in an epoch: whatever the batch, one Gaussian. What the library reports for shuffled epochs.
const PrivacyProfile& one_gaussian() {
  static const PrivacyProfile accountant(Plan(Neighbors::zero_out).add(Gaussian{sigma}));
  return accountant;
}

TEST(ChuaComparison, PoissonIsFarBelowShuffledDeltas) {
  for (const double epsilon : {0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0}) {
    const auto shuffled = static_cast<double>(shuffled_delta(epsilon, 2, 1));
    const double sampled = poisson().delta(epsilon).worst.upper;
    EXPECT_LT(5 * sampled, shuffled) << epsilon;
    EXPECT_LE(shuffled, one_gaussian().delta(epsilon).worst.upper) << epsilon;
    // The contribution of the other records matters: if it is 0, the same event reveals far less.
    EXPECT_LT(5 * shuffled_delta(epsilon, 1, 0), shuffled) << epsilon;
  }
}

struct Figures {
  double delta = 0;
  double poisson = 0;
  double shuffled = 0;
  double one_gaussian = 0;
};

// The figures in docs/math/published-comparisons.md.
TEST(ChuaComparison, Epsilons) {
  for (const Figures& row : {Figures{1e-3, 6.1040, 12.2380, 12.2380}, Figures{1e-5, 10.9441, 15.6581, 15.6581},
                             Figures{1e-6, 13.2930, 17.0764, 17.0764}}) {
    const double sampled = poisson().epsilon(row.delta).worst.upper, shuffled = shuffled_epsilon(row.delta);
    const double gaussian = one_gaussian().epsilon(row.delta).worst.upper;
    EXPECT_LT(sampled, shuffled);
    EXPECT_LE(shuffled, gaussian);
    EXPECT_NEAR(sampled, row.poisson, 1e-3) << row.delta;
    EXPECT_NEAR(shuffled, row.shuffled, 1e-3) << row.delta;
    EXPECT_NEAR(gaussian, row.one_gaussian, 1e-3) << row.delta;
  }
}

}  // namespace
}  // namespace renyi::chua_2024_test
