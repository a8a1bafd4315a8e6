// Theorem 27 of Wang, Balle, Kasiviswanathan 2019 for Gaussian noise, and the even moments in it.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/mechanism.h"
#include "renyi/sampling_bounds.h"
#include "sampling/bounds/chi_moment.h"
#include "support/expect.h"

namespace renyi {
namespace {

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
  const auto general = without_replacement_bound(Gaussian{5}.curve(), 0.001);
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
}  // namespace renyi
