// Canonne, Kamath, Steinke 2020 (arXiv:2004.00010v5): what the paper says of the discrete Gaussian beside the
// continuous one, order by order and epsilon by epsilon (docs/math/published-comparisons.md). Its comparison is drawn,
// not tabulated: the curves are computed again here, from the tails of the noise in long double.
#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi::canonne_2020_test {
namespace {

Mechanism discrete(double stddev) {
  return make_mechanism("discrete-gaussian", {{"stddev", stddev}, {"sensitivity", 1.0}});
}

// Pr[Y > y], Y ~ N_Z(0, s^2).
long double tail(long double s, long double y) {
  const int reach = static_cast<int>(40 * s) + 10;
  long double above = 0, total = 0;
  for (int x = reach; x >= -reach; --x) {
    const long double mass = std::exp(-0.5L * x * x / (s * s));
    total += mass;
    if (x > y) above += mass;
  }
  return above / total;
}

constexpr double sizes[] = {0.5, 1.0, 2.0, 5.0, 20.0};

// Theorem 4 and Proposition 5: concentrated DP with rho = 1/(2 s^2), as the continuous Gaussian, at every order.
TEST(CanonneComparison, DivergencesStayBelowTheGaussians) {
  for (const double s : sizes) {
    const auto curve = discrete(s).curve();
    for (double order = 1.125; order < 40; order *= 1.3) {
      EXPECT_LE(rdp(*curve, order).lower(), order / (2 * s * s)) << s << " " << order;
    }
    for (const double order : {2.0, 3.0, 8.0}) {
      EXPECT_NEAR(rdp(*curve, order).value, order / (2 * s * s), 1e-13 * order / (s * s));
    }
  }
}

// Theorem 7: the smallest delta is Pr[Y > epsilon s^2 - 1/2] - exp(epsilon) Pr[Y > epsilon s^2 + 1/2].
TEST(CanonneComparison, DeltaIsTheDifferenceOfTwoTails) {
  for (const double s : sizes) {
    const PrivacyProfile exact(Plan().add(discrete(s)));
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0, 3.0}) {
      const long double at = epsilon * static_cast<long double>(s) * s;
      const long double truth = tail(s, at - 0.5L) - std::exp(static_cast<long double>(epsilon)) * tail(s, at + 0.5L);
      const ExactInterval delta = exact.delta(epsilon).worst;
      EXPECT_LE(delta.lower, truth + 1e-18L) << s << " " << epsilon;
      EXPECT_GE(delta.upper, truth - 1e-18L) << s << " " << epsilon;
    }
  }
}

// The figure's order: the exact curves of both noises are next to each other, concentrated DP's bound lies above them.
TEST(CanonneComparison, CurvesLieAsInTheFigure) {
  for (const double s : {2.0, 5.0, 20.0}) {
    const PrivacyProfile whole(Plan().add(discrete(s))), smooth(Plan().add(Gaussian{s}));
    for (const double epsilon : {0.1, 0.5, 1.0}) {
      const double delta = whole.delta(epsilon).worst.upper, other = smooth.delta(epsilon).worst.upper;
      const double bound = renyi_delta(Plan().add(Zcdp{1 / (2 * s * s)}), epsilon).upper;
      EXPECT_LT(delta, bound) << s << " " << epsilon;
      if (delta > 1e-12) {
        EXPECT_NEAR(delta / other, 1, 0.1 * (1 + epsilon * s) / s) << s << " " << epsilon;
      }
    }
  }
}

// Corollary 9: Var[Y] <= s^2 (1 - 4 pi^2 s^2/(exp(4 pi^2 s^2) - 1)) < s^2, and <= 3 exp(-1/(2 s^2)) for s^2 <= 1/3.
TEST(CanonneComparison, TheVarianceIsNoLargerThanTheGaussians) {
  for (const double s : {0.2, 0.3, 0.45, 0.57, 0.7, 0.9, 1.2}) {
    // The loss is (2 x - 1)/(2 s^2).
    const double variance = discrete(s).curve()->cumulants(Direction::remove).variance * std::pow(s, 4);
    const double turn = 4 * M_PI * M_PI * s * s;
    EXPECT_LE(variance, s * s * (1 - turn / std::expm1(turn)) * (1 + 1e-12)) << s;
    if (s * s <= 1.0 / 3) {
      EXPECT_LE(variance, 3 * std::exp(-1 / (2 * s * s))) << s;
    }
    if (s <= 0.9) {
      EXPECT_LT(variance, s * s) << s;
    }
  }
}

}  // namespace
}  // namespace renyi::canonne_2020_test
