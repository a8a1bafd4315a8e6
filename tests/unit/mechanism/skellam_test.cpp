// Skellam noise beside its definition, a sum over two Poisson variables in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/mechanism.h"
#include "support/expect.h"

namespace renyi::skellam_test {
namespace {

Mechanism noise(double variance, double sensitivity = 1) {
  return make_mechanism("skellam", {{"variance", variance}, {"sensitivity", sensitivity}});
}

// Pr[X - Y = x] = sum over y of Poisson(x + y) Poisson(y), both of mean v/2.
long double mass(long double v, int x) {
  const long double m = v / 2;
  const int n = std::abs(x);
  long double sum = 0;
  for (int y = 0; y < 400; ++y) {
    sum += std::exp((n + 2 * y) * std::log(m) - std::lgamma(n + y + 1.0L) - std::lgamma(y + 1.0L) - v);
  }
  return sum;
}

struct Pair {
  std::vector<long double> p, q;
};
Pair pair_of(long double v, int d, int reach) {
  Pair pair;
  for (int x = -reach; x <= reach + d; ++x) {
    pair.q.push_back(mass(v, x));
    pair.p.push_back(mass(v, x - d));
  }
  return pair;
}

TEST(Skellam, CurveIsTheSumOfItsDefinition) {
  for (const double v : {0.1, 1.0, 10.0, 90.0}) {
    for (const int d : {1, 3}) {
      const Pair pair = pair_of(v, d, 150);
      const auto curve = noise(v, d).curve();
      for (const double z : {0.05, 0.5, 1.0, 2.5}) {
        long double sum = 0;  // E[e^{zL}] - 1, centred
        for (std::size_t i = 0; i < pair.p.size(); ++i) {
          const long double l = std::log(pair.p[i] / pair.q[i]);
          sum += pair.q[i] * (std::expm1((1 + z) * l) - (1 + z) * std::expm1(l));
        }
        const LogMoment k = curve->log_moment(z, Direction::remove);
        EXPECT_NEAR(k.value, static_cast<double>(std::log1p(sum)), 1e-12 * k.value) << v << " " << d << " " << z;
        EXPECT_LE(k.error, 1e-12 * k.value);
      }
    }
  }
}

// Agarwal, Kairouz, Liu 2021, Theorem 3.5: at whole orders
// D_a <= a D^2/(2v) + min(((2a-1) D^2 + 6D)/(4v^2), 3D/(2v)).
TEST(Skellam, LiesBelowThePublishedBound) {
  for (const double v : {0.5, 3.0, 25.0, 1000.0, 1e4}) {
    for (const double d : {1.0, 2.0, 7.0, 16.0}) {
      const auto curve = noise(v, d).curve();
      for (const double a : {2.0, 3.0, 8.0, 64.0, 1000.0}) {
        const double bound = a * d * d / (2 * v) + std::min(((2 * a - 1) * d * d + 6 * d) / (4 * v * v), 1.5 * d / v);
        EXPECT_LE(rdp(*curve, a).lower(), bound) << v << " " << d << " " << a;
      }
      // Far out the bound is all there is; nothing falls there.
      test::expect_not_above(rdp(*curve, 1e5), rdp(*curve, 1e6));
    }
  }
}

// With a large variance, Skellam noise is nearly Gaussian noise of that variance.
TEST(Skellam, OfALargeVarianceItIsNearlyGaussian) {
  const auto curve = noise(1e4, 4).curve(), smooth = Mechanism(Gaussian{100, 4}).curve();
  for (const double a : {1.0, 1.5, 4.0, 16.0}) EXPECT_NEAR(rdp(*curve, a).value / rdp(*smooth, a).value, 1, 2e-3);
}

TEST(Skellam, ExactDeltasAreSums) {
  const double v = 6;
  const Pair pair = pair_of(v, 2, 120);
  const PrivacyProfile one(Plan().add(noise(v, 2))), two(Plan().add(noise(v, 2), 2));
  for (const double epsilon : {0.0, 0.7, 1.5}) {
    const long double factor = std::exp(static_cast<long double>(epsilon));
    long double first = 0, second = 0;
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      first += std::max(0.0L, pair.p[i] - factor * pair.q[i]);
      for (std::size_t j = 0; j < pair.p.size(); ++j) {
        second += std::max(0.0L, pair.p[i] * pair.p[j] - factor * pair.q[i] * pair.q[j]);
      }
    }
    const ExactInterval once = one.delta(epsilon).worst, twice = two.delta(epsilon).worst;
    EXPECT_NEAR(once.upper, static_cast<double>(first), 1e-13);
    EXPECT_NEAR(once.lower, static_cast<double>(first), 1e-13);
    EXPECT_LE(twice.lower, second + 1e-15L);
    EXPECT_GE(twice.upper, second - 1e-15L);
    EXPECT_LE(twice.upper - twice.lower, 1e-4 * twice.upper);
  }
}

}  // namespace
}  // namespace renyi::skellam_test
