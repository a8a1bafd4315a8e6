// Other privacy notions, judged by direct computation on random discrete pairs.
#include <gtest/gtest.h>

#include "relate/divergence_growth.h"
#include "relate/subgaussian.h"
#include "renyi/extras/relate.h"
#include "support/discrete_curve.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::relate_property_test {
namespace {

using test::DiscreteCurve;
using test::DiscretePair;
using test::infinity;
using test::RandomInputs;

constexpr long double close = 1e-6;

// The largest f(x) over [first, last]: a scan, and golden sections around the best point.
template <class F>
long double largest(long double first, long double last, const F& f) {
  constexpr long double step = 1.02L;
  long double best = last, most = f(last);
  for (long double x = first; x < last; x *= step) {
    if (const long double here = f(x); here > most) {
      most = here;
      best = x;
    }
  }
  long double low = std::max(first, best / step), high = std::min(last, best * step);
  for (int i = 0; i < 60; ++i) {
    const long double third = (high - low) / 3, left = f(low + third), right = f(high - third);
    most = std::max({most, left, right});
    (left < right ? low : high) = left < right ? low + third : high - third;
  }
  return most;
}

long double width(const DiscretePair& pair) {
  return 1 + test::direct_max_loss(pair) + test::direct_max_loss(pair.swapped());
}

// Below this only order 1 itself is looked at: K/z would be the rounding of K.
long double first_z(const DiscretePair& pair, long double last_z) {
  return 1e-2L / width(pair) * std::min(1.0L, last_z);
}
long double rounding_of_scan(const DiscretePair& pair, long double last_z) {
  return 1e-17L * width(pair) / first_z(pair, last_z);
}

// sup f(a, D_a) over orders from 1 to 1 + last_z, of the larger direction.
template <class F>
long double scanned(const DiscretePair& pair, long double last_z, const F& f) {
  long double most = 0;
  for (const DiscretePair& p : {pair, pair.swapped()}) {
    const auto at = [&](long double z) { return f(1 + z, test::direct_renyi(p, 1 + z)); };
    most = std::max({most, at(0), largest(first_z(pair, last_z), last_z, at)});
  }
  return most;
}

long double scanned_rho(const DiscretePair& pair, long double last_z) {
  return scanned(pair, last_z, [](long double a, long double d) { return d / a; });
}

TEST(RelateProperty, RhoIsTheSupremumOfDivergenceOverOrder) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const Interval rho = relate::smallest_rho(DiscreteCurve(pair), infinity);
    const long double truth = scanned_rho(pair, 1e5L), rounding = rounding_of_scan(pair, 1);
    EXPECT_GE(rho.upper, truth * (1 - 1e-11L) - rounding);
    EXPECT_LE(rho.upper, truth * (1 + close) + rounding);
    EXPECT_LE(rho.lower, truth * (1 + close) + rounding);
    EXPECT_GE(rho.lower, truth * (1 - close) - rounding);
  });
}

TEST(RelateProperty, RhoUpToOmegaIsTheSupremumThere) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const double omega = 1 + random.log_uniform(1e-3, 1e3);
    const Interval rho = relate::smallest_rho(DiscreteCurve(pair), omega);
    const long double last = static_cast<long double>(omega) - 1;
    const long double truth = scanned_rho(pair, last), rounding = rounding_of_scan(pair, last);
    EXPECT_GE(rho.upper, truth * (1 - 1e-11L) - rounding) << omega;
    EXPECT_LE(rho.upper, truth * (1 + close) + rounding) << omega;
  });
}

TEST(RelateProperty, XiIsTheSupremumOfWhatRhoLeaves) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const DiscreteCurve curve(pair);
    const double rho = random.uniform(0, 1.1) * relate::smallest_rho(curve, infinity).upper;
    const Interval xi = relate::smallest_xi(curve, rho);
    const long double truth =
        scanned(pair, 1e7L, [&](long double a, long double d) { return std::max(0.0L, d - rho * a); });
    const long double scale = std::max(test::direct_max_loss(pair), test::direct_max_loss(pair.swapped()));
    const long double rounding = rounding_of_scan(pair, 1);
    EXPECT_GE(xi.upper, truth * (1 - 1e-11L) - rounding) << rho;
    EXPECT_LE(xi.upper, truth + close * scale + rounding) << rho;
    EXPECT_LE(xi.lower, truth + close * scale + rounding) << rho;
  });
}

// sup 2 (K(x) - x m)/x^2 over both signs, by scanning.
long double scanned_standard(const DiscretePair& pair) {
  const long double m = test::direct_kl(pair);
  const long double range = test::direct_max_loss(pair) + test::direct_max_loss(pair.swapped());
  const auto along = [&](long double sign) {
    return largest(1e-3L / range, 1e4L * std::max(1.0L, 1 / range), [&](long double x) {
      return 2 * (test::direct_log_moment(pair, 1 + sign * x) - sign * x * m) / (x * x);
    });
  };
  return std::max(along(1), along(-1));
}

TEST(RelateProperty, TheSubgaussianStandardIsTheSupremumOverTheWholeAxis) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const DiscreteCurve curve(pair);
    const Interval found = relate::subgaussian_variance(curve);
    const long double truth = std::max(scanned_standard(pair), scanned_standard(pair.swapped()));
    EXPECT_GE(found.upper, truth * (1 - 1e-11L));
    EXPECT_LE(found.upper, truth * (1 + close));
    EXPECT_LE(found.lower, truth * (1 + close));
    EXPECT_GE(found.lower, truth * (1 - close));
  });
}

TEST(RelateProperty, CdpBoundsTheTailAndTheDivergences) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const long double tau_squared = relate::subgaussian_variance(DiscreteCurve(pair)).upper;
    for (const DiscretePair& p : {pair, pair.swapped()}) {
      const long double mu = test::direct_kl(p), tau = std::sqrt(tau_squared);
      for (const long double t : {0.1L, 0.5L, 1.0L, 2.0L, 3.0L}) {
        long double tail = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
          if (std::log(p.p[i]) - std::log(p.q[i]) >= mu + t * tau) tail += p.p[i];
        }
        EXPECT_LE(tail, std::exp(-t * t / 2) * (1 + 1e-15L)) << static_cast<double>(t);
      }
      const long double a = 1 + random.log_uniform(1e-3, 1e3);
      const long double rounding = 1e-17L * width(p) / (a - 1);
      EXPECT_LE(test::direct_renyi(p, a), (mu + (a - 1) * tau_squared / 2) * (1 + 1e-14L) + rounding);
    }
  });
}

long double gaussian_delta(long double mu, long double epsilon) {
  const auto phi = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  return phi(mu / 2 - epsilon / mu) - std::exp(epsilon) * phi(-mu / 2 - epsilon / mu);
}

TEST(RelateProperty, EveryPureStepHasTheGaussianTradeOff) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const long double most = std::max(test::direct_max_loss(pair), test::direct_max_loss(pair.swapped()));
    if (most < 1e-6L || most > 20) return;
    const auto gdp = to_gdp(Plan().add(PureDp{static_cast<double>(most) * (1 + 1e-15)}));
    const long double mu = gdp.found.value().mu.upper;
    for (const long double share : {-2.0L, -0.5L, 0.0L, 0.1L, 0.5L, 0.9L, 0.999L}) {
      const long double epsilon = share * most;
      EXPECT_LE(test::direct_hockey_stick(pair, epsilon), gaussian_delta(mu, epsilon) + 1e-15L);
    }
    // Randomized response touches it at epsilon = 0.
    EXPECT_NEAR(
        static_cast<double>(test::direct_hockey_stick(test::randomized_response_pair(most), 0) / gaussian_delta(mu, 0)),
        1, 1e-11);
  });
}

}  // namespace
}  // namespace renyi::relate_property_test
