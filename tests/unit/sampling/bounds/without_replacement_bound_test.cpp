#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/mechanism.h"
#include "renyi/papers/sampling_bounds.h"
#include "renyi/rdp.h"
#include "sampling/bounds/chi_moment.h"
#include "support/expect.h"

namespace renyi::without_replacement_bound_test {
namespace {

// Samples of fixed size: Wang, Balle, Kasiviswanathan 2019, Theorem 9.

using test::infinity;

// The theorem as printed, in plain sums: for moderate numbers.
long double theorem_9(const Curve& step, long double g, int a) {
  const auto d = [&](double order) { return static_cast<long double>(rdp(step, order).value); };
  const long double most = d(infinity), ratio = std::isinf(most) ? most : std::expm1(most), e2 = std::exp(d(2));
  long double choose = a * (a - 1) / 2.0L;
  long double sum = g * g * choose * std::min(4 * (e2 - 1), e2 * std::min(2.0L, ratio * ratio));
  for (int j = 3; j <= a; ++j) {
    choose *= static_cast<long double>(a - j + 1) / j;
    const long double spread = std::min(2.0L, std::pow(ratio, static_cast<long double>(j)));
    sum += std::pow(g, static_cast<long double>(j)) * choose * std::exp((j - 1) * d(j)) * spread;
  }
  return std::log1p(sum) / (a - 1);
}

// The least of the theorem, joint convexity, and K(n/2) continued with the slope of the largest loss.
long double least_log_moment(const Curve& step, long double g, int a) {
  const long double largest = std::log1p(g * std::expm1(static_cast<long double>(rdp(step, infinity).value)));
  if (a < 2) return 0;
  const int middle = a / 2;
  const long double k = rdp(step, a).value * (a - 1), half = least_log_moment(step, g, middle);
  return std::min({theorem_9(step, g, a) * (a - 1), std::log1p(g * std::expm1(k)), half + (a - middle) * largest});
}

TEST(WithoutReplacementBound, IsTheTheoremOrWhatIsSmaller) {
  const std::vector<std::shared_ptr<const Curve>> steps{
      Mechanism(Gaussian{5}).curve(),   Mechanism(Gaussian{1}).curve(),
      Mechanism(Laplace{2, 1}).curve(), Mechanism(RandomizedResponse{0.6, 2}).curve(),
      Mechanism(PureDp{0.01}).curve(),  Mechanism(Zcdp{1e-3, 0.02}).curve()};
  int theorem_is_least = 0;
  for (const auto& step : steps) {
    for (const double g : {1e-4, 0.01, 0.2, 0.7}) {
      const auto bound = without_replacement_bound(step, g);
      for (const int a : {2, 3, 4, 7, 20, 60}) {
        const long double least = least_log_moment(*step, g, a) / (a - 1);
        EXPECT_NEAR(rdp(*bound, a).upper() / static_cast<double>(least), 1, 1e-12) << g << ' ' << a;
        EXPECT_GE(rdp(*bound, a).upper(), least * (1 - 1e-15L));
        theorem_is_least += least > theorem_9(*step, g, a) * (1 - 1e-15L) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(theorem_is_least, 60);
}

TEST(WithoutReplacementBound, EndsAndExtremes) {
  const auto step = Mechanism(Zcdp{0.3, 0}).curve();
  for (const double order : {1.0, 1.5, 2.0, 7.3, 1e4, 1e5, 1e16, 1e99, infinity}) {
    EXPECT_EQ(rdp(*without_replacement_bound(step, 1), order).upper(), rdp(*step, order).upper());
    EXPECT_EQ(rdp(*without_replacement_bound(step, 0), order).upper(), 0);
    for (const double g : {1e-200, 1e-9, 0.3, 1 - 1e-15}) {
      const double found = rdp(*without_replacement_bound(step, g), order).upper();
      EXPECT_GT(found, 0);
      EXPECT_LE(found, rdp(*step, order).upper() * (1 + 1e-14)) << g << ' ' << order;
    }
  }
}

// Replacing a record is its own mirror image.
TEST(WithoutReplacementBound, BothDirectionsAreTheLargerOfTheStep) {
  const auto step = custom_pair("skew", DistributionPair::bernoulli(0.25, 1e-5)).curve();
  const auto bound = without_replacement_bound(step, 0.01);
  EXPECT_TRUE(bound->is_symmetric());
  for (const double order : {1.0, 2.0, 3.5, 64.0, infinity}) {
    EXPECT_EQ(divergence(*bound, order, Direction::remove).upper(), divergence(*bound, order, Direction::add).upper());
  }
  const long double loss = divergence(*step, infinity, Direction::remove).value;
  EXPECT_NEAR(rdp(*bound, infinity).upper(), static_cast<double>(std::log1p(0.01L * std::expm1(loss))), 1e-13);
}

TEST(WithoutReplacementBound, AccountsLikeAnyStep) {
  const Plan plan =
      Plan(Neighbors::replace_one)
          .add(CustomMechanism("sampled", without_replacement_bound(Mechanism(Gaussian{5}).curve(), 1e-3)), 60000);
  const double epsilon = renyi_epsilon(plan, 1e-8).upper;
  EXPECT_GT(epsilon, 0.5);
  EXPECT_LT(epsilon, 2);
}

// Far above its best order a bounded step costs what its largest loss says, and the search must not end there: 1000
// steps at 1.717e-3 each.
TEST(WithoutReplacementBound, LargestLossDoesNotHideTheBestOrder) {
  const auto bound = without_replacement_bound(Mechanism(PureDp{1}).curve(), 1e-3);
  EXPECT_NEAR(rdp(*bound, infinity).upper(), 1.717e-3, 1e-6);
  EXPECT_LT(renyi_epsilon(Plan(Neighbors::replace_one).add(CustomMechanism("sampled", bound), 1000), 1e-6).upper, 0.28);
}

// Theorem 27 of Wang, Balle, Kasiviswanathan 2019 for Gaussian noise, and the even moments in it.

// E_q[(p/q - 1)^l] = sum_i (-1)^(l-i) C(l,i) e^(i (i-1)/(2 s^2)): it cancels, which l and s here allow.
long double alternating_sum(long double s, int l) {
  long double sum = 0, choose = 1;
  for (int i = 0; i <= l; ++i) {
    sum += ((l - i) % 2 == 0 ? 1 : -1) * choose * std::exp(i * (i - 1) / (2 * s * s));
    choose *= static_cast<long double>(l - i) / (i + 1);
  }
  return sum;
}

TEST(ChiMoment, IsTheAlternatingSumWhereThatHasDigits) {
  for (const int l : {2, 4, 6, 10, 20}) {
    for (const double s : {0.2, 0.3, 0.7}) {
      const auto b = sampling::log_chi_moment(s, static_cast<std::size_t>(l));
      const long double truth = std::log(alternating_sum(s, l));
      EXPECT_NEAR(static_cast<double>(b.value - truth), 0, 1e-12 + 1e-17 * static_cast<double>(truth)) << l << ' ' << s;
      EXPECT_GE(b.value + b.error, truth * (1 - 1e-18L));
    }
  }
  // e^(1/s^2) - 1, and for much noise the moments of a normal law: (l-1)!!/s^l.
  for (const double s : {0.01, 0.2, 1.0, 17.0, 1e6}) {
    const long double v = 1 / (static_cast<long double>(s) * s);
    const long double truth = v > 40 ? v : std::log(std::expm1(v));
    EXPECT_NEAR(static_cast<double>(sampling::log_chi_moment(s, 2).value / truth), 1, 1e-13) << s;
  }
  EXPECT_NEAR(static_cast<double>(sampling::log_chi_moment(1e6, 8).value), std::log(105) - 8 * std::log(1e6), 1e-9);
}

// E_q[(p/q - 1)^l] lies between (p/q)'s own moment less its lower terms and 2 of it.
TEST(ChiMoment, OfHighOrderIsThatOfTheRatio) {
  for (const std::size_t l : {1000U, 10000U}) {
    const auto n = static_cast<long double>(l);
    const long double moment = n * (n - 1) / 2;  // s = 1
    EXPECT_NEAR(static_cast<double>(sampling::log_chi_moment(1, l).value / moment), 1, 1e-14);
  }
}

TEST(WithoutReplacementGaussian, IsTheFormula) {
  const double s = 0.7, g = 0.05;
  const int a = 7;
  long double choose = a * (a - 1) / 2.0L;
  const long double e2 = std::exp(1 / (static_cast<long double>(s) * s));
  long double sum = g * g * choose * std::min(4 * (e2 - 1), 2 * e2);
  for (int j = 3; j <= a; ++j) {
    choose *= static_cast<long double>(a - j + 1) / j;
    const long double b = std::sqrt(alternating_sum(s, j / 2 * 2) * alternating_sum(s, (j + 1) / 2 * 2));
    sum += 4 * choose * std::pow(static_cast<long double>(g), static_cast<long double>(j)) * b;
  }
  const long double truth = std::log1p(sum) / (a - 1);
  const Bounded found = without_replacement_gaussian_bound(s, g, a);
  EXPECT_GE(found.upper(), truth);
  EXPECT_LE(found.upper(), truth * (1 + 1e-11L));
}

// It is the general theorem without its e^((j-1) D_j): smaller where the noise is large.
TEST(WithoutReplacementGaussian, IsBelowTheGeneralTheorem) {
  const auto general = without_replacement_bound(Mechanism(Gaussian{5}).curve(), 0.001);
  for (const double order : {3.0, 5.0, 10.0, 50.0, 150.0}) {
    EXPECT_LT(without_replacement_gaussian_bound(5, 0.001, order).upper(), rdp(*general, order).upper()) << order;
  }
}

TEST(WithoutReplacementGaussian, Extremes) {
  EXPECT_EQ(without_replacement_gaussian_bound(1, 0, 5).upper(), 0);
  for (const double sigma : {0.01, 1.0, 1e6}) {
    for (const double g : {1e-100, 0.5, 1.0}) {
      for (const double order : {2.0, 3.0, 301.0}) {
        const Bounded found = without_replacement_gaussian_bound(sigma, g, order);
        EXPECT_GT(found.upper(), 0);
        EXPECT_TRUE(std::isfinite(found.upper())) << sigma << ' ' << g << ' ' << order;
      }
    }
  }
  for (const double order : {1.0, 2.5, 10001.0, std::nan("")}) {
    EXPECT_THROW(without_replacement_gaussian_bound(1, 0.1, order), InvalidArgument);
  }
  EXPECT_THROW(without_replacement_gaussian_bound(0, 0.1, 2), InvalidArgument);
  EXPECT_THROW(without_replacement_gaussian_bound(1, -0.1, 2), InvalidArgument);
}

}  // namespace
}  // namespace renyi::without_replacement_bound_test
