// Poisson sampling of steps known by their curve only.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/papers/sampled_gaussian.h"
#include "renyi/papers/sampling_bounds.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::poisson_bound_test {
namespace {

using test::both_directions;
using test::infinity;

using CurvePtr = std::shared_ptr<const Curve>;

// Zhu, Wang 2019, the general upper bound, as published: the factor 3 from the third term on, and both directions.
long double zhu_wang(const Curve& step, double g, int a) {
  const long double in = std::log(static_cast<long double>(g)), out = std::log1p(-static_cast<long double>(g));
  std::vector<long double> terms{(a - 1) * out + std::log1p((a - 1) * static_cast<long double>(g))};
  for (int l = 2; l <= a; ++l) {
    const long double choose = std::lgamma(a + 1.0L) - std::lgamma(l + 1.0L) - std::lgamma(a - l + 1.0L);
    const LogMoment k = step.worst_log_moment(l - 1);
    terms.push_back(choose + (a - l) * out + l * in + k.value + (l == 2 ? 0 : std::log(3.0L)));
  }
  long double largest = terms[0], sum = 0;
  for (const long double t : terms) largest = std::max(largest, t);
  for (const long double t : terms) sum += std::exp(t - largest);
  return (largest + std::log(sum)) / (a - 1);
}

std::vector<CurvePtr> steps() {
  std::vector<CurvePtr> all;
  for (const double rho : {1e-6, 1e-4, 1e-2, 0.1, 0.5, 2.0, 10.0}) all.push_back(Mechanism(Zcdp{rho, 0}).curve());
  for (const double epsilon : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0}) all.push_back(Mechanism(PureDp{epsilon}).curve());
  all.push_back(Mechanism(Laplace{2, 1}).curve());
  all.push_back(Mechanism(RandomizedResponse{0.6, 2}).curve());
  all.push_back(custom_pair("skew", DistributionPair::bernoulli(0.25, 1e-5)).curve());
  return all;
}

// The bound is a few rounding errors above, and below only by those of the reference computation.
void expect_rounded_up(const Bounded& found, long double truth) {
  EXPECT_GE(found.upper(), truth * (1 - 1e-18L));
  EXPECT_LE(found.upper(), truth * (1 + 4e-15L) + 1e-323L);
}

TEST(PoissonBound, OfAGaussianIsTheSampledGaussianAtWholeOrdersOfRemove) {
  for (const double q : {1e-6, 0.01, 0.3, 0.9}) {
    for (const double sigma : {0.5, 1.0, 4.0}) {
      const auto bound = poisson_bound(Mechanism(Gaussian{sigma}).curve(), q);
      for (const double order : {2.0, 3.0, 10.0, 100.0, 512.0, 1000.0, 10000.0}) {
        const Bounded exact = divergence(*Mechanism(SampledGaussian{q, sigma}).curve(), order, Direction::remove);
        const Bounded found = divergence(*bound, order, Direction::remove);
        EXPECT_GE(found.upper(), exact.lower()) << q << ' ' << sigma << ' ' << order;
        // Above order 512 the bound uses chords of the step's K, and is less tight.
        EXPECT_LE(found.upper(), exact.upper() * (1 + (order <= 512 ? 2e-10 : 1e-4)))
            << q << ' ' << sigma << ' ' << order;
      }
    }
  }
}

TEST(PoissonBound, IsNeverAboveZhuAndWang) {
  for (const CurvePtr& step : steps()) {
    for (const double g : {1e-5, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99}) {
      const auto bound = poisson_bound(step, g);
      for (const int a : {2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 128, 256}) {
        const long double published = zhu_wang(*step, g, a);
        EXPECT_LE(rdp(*bound, a).upper(), published * (1 + 1e-12L) + 1e-17L) << g << ' ' << a;
      }
    }
  }
}

// D of one record in a sample of everything is that of the step; of nothing, 0.
TEST(PoissonBound, EndsOfTheRate) {
  const auto step = Mechanism(Zcdp{0.3, 0.1}).curve();
  for (const double order : {1.0, 1.5, 2.0, 7.3, 1e5, infinity}) {
    EXPECT_EQ(rdp(*poisson_bound(step, 1), order).upper(), rdp(*step, order).upper());
    EXPECT_EQ(rdp(*poisson_bound(step, 0), order).upper(), 0);
    const double nearly = rdp(*poisson_bound(step, 1 - 1e-15), order).upper();
    EXPECT_LE(nearly, rdp(*step, order).upper() * (1 + 1e-12));
    if (order >= 2 && order < infinity) {
      EXPECT_GE(nearly, rdp(*step, order).lower() * (1 - 1e-9));
    }
  }
}

// Amplification of pure differential privacy: ln(1 + g (e^epsilon - 1)), and -ln(1 - g + g e^-epsilon) for add.
TEST(PoissonBound, LargestLoss) {
  for (const double g : {1e-300, 1e-9, 0.1, 0.9, 1 - 0x1p-53}) {
    for (const double epsilon : {1e-12, 0.5, 3.0, 60.0, 5000.0}) {
      const auto bound = poisson_bound(Mechanism(PureDp{epsilon}).curve(), g);
      const long double e = epsilon, rate = g;
      const long double remove =
          e < 1000 ? std::log1p(rate * std::expm1(e)) : e + std::log(rate);  // the rest is below e^-300
      const long double kept =
          g < 0.5 ? -std::log1p(rate * std::expm1(-e)) : -std::log((1 - rate) + rate * std::exp(-e));
      expect_rounded_up(bound->max_loss(Direction::remove), remove);
      expect_rounded_up(bound->max_loss(Direction::add), kept);
    }
  }
  const auto unbounded = poisson_bound(Mechanism(Zcdp{1, 0}).curve(), 0.25);
  EXPECT_EQ(unbounded->max_loss(Direction::remove).upper(), infinity);
  EXPECT_NEAR(unbounded->max_loss(Direction::add).upper(), -std::log(0.75), 1e-15);
}

TEST(PoissonBound, BetweenWholeOrdersLiesOnTheChordOrBelow) {
  const auto bound = poisson_bound(Mechanism(Zcdp{0.5, 0}).curve(), 0.02);
  const auto k = [&](double order) { return bound->log_moment(order - 1, Direction::remove).value; };
  for (const double n : {2.0, 3.0, 17.0, 500.0}) {
    for (const double t : {0.001, 0.25, 0.5, 0.999}) {
      EXPECT_LE(k(n + t), ((1 - t) * k(n) + t * k(n + 1)) * (1 + 1e-14));
      EXPECT_GE(k(n + t), k(n));
    }
  }
  EXPECT_DOUBLE_EQ(divergence(*bound, 1.3, Direction::remove).value, divergence(*bound, 2, Direction::remove).value);
}

// Small rates leave g^2 (e^D_2 - 1) C(a,2) to first order: relative accuracy, never 0.
TEST(PoissonBound, TinyRates) {
  for (const double g : {1e-9, 1e-100, 1e-150}) {
    const auto bound = poisson_bound(Mechanism(Zcdp{0.5, 0}).curve(), g);
    for (const Direction direction : both_directions) {
      const double first_order = 5 * std::expm1(1.0) * g * g;  // C(10,2)/9
      EXPECT_NEAR(divergence(*bound, 10, direction).value / first_order, 1, 1e-5);
    }
  }
  const auto hidden = poisson_bound(Mechanism(Zcdp{0.5, 0}).curve(), 1e-200);
  for (const double order : {1.0, 1.5, 2.0, 10.0, 9999.5, 1e4}) {
    for (const Direction direction : both_directions) {
      EXPECT_GT(divergence(*hidden, order, direction).upper(), 0) << order;
      EXPECT_LT(divergence(*hidden, 10, direction).upper(), 1e-300);
    }
  }
}

TEST(PoissonBound, LargeOrdersAreSound) {
  const double g = 0.01;
  for (const CurvePtr& step : steps()) {
    const auto bound = poisson_bound(step, g);
    double before = 0;
    for (const double order : {9999.0, 10000.0, 10000.5, 1e5, 1e16, 1e99, infinity}) {
      const double found = rdp(*bound, order).upper(), whole = rdp(*step, order).upper();
      EXPECT_LE(found, whole * (1 + 1e-14));
      EXPECT_GE(found, before * (1 - 1e-9));  // D never falls in the order, and here the bound does not either
      // E_q[(1 - g + g r)^a] >= g^a E_q[r^a].
      if (order < 1e50 && std::isfinite(whole)) {
        EXPECT_GE(found, whole + std::log(g) * order / (order - 1) - 1e-12 * whole);
      }
      before = found;
    }
  }
}

// A step that says nothing beyond an order: the sample's curve ends there too.
TEST(PoissonBound, OfATruncatedStep) {
  const auto bound = poisson_bound(Mechanism(Tcdp{0.1, 7.5}).curve(), 0.1);
  EXPECT_EQ(bound->last_order(), 7.5);
  EXPECT_TRUE(std::isfinite(rdp(*bound, 7).upper()));
  EXPECT_TRUE(std::isfinite(rdp(*bound, 7.4).upper()));
  EXPECT_LT(rdp(*bound, 7.4).upper(), 0.74);
  EXPECT_EQ(rdp(*bound, 8).upper(), infinity);
  // One order says something: nothing between it and 2 is known but the inner curve's own shape.
  const auto moments = poisson_bound(Mechanism(Moments{8, 1}).curve(), 0.1);
  EXPECT_TRUE(std::isfinite(rdp(*moments, 9).upper()));
}

TEST(PoissonBound, AccountsLikeAnyStep) {
  const Plan plan = Plan().add(CustomMechanism("sampled", poisson_bound(Mechanism(Zcdp{0.5, 0}).curve(), 0.01)), 1000);
  const Plan gaussian = Plan().add(SampledGaussian{0.01, 1}, 1000);
  const double found = renyi_epsilon(plan, 1e-6).upper, known = renyi_epsilon(gaussian, 1e-6).upper;
  EXPECT_GT(found, known);
  EXPECT_LT(found, 1.1 * known);
}

TEST(PoissonBound, RefusesWhatIsNoRate) {
  const auto step = Mechanism(PureDp{1}).curve();
  for (const double rate : {-0.1, 1.1, std::nan(""), infinity}) {
    EXPECT_THROW(poisson_bound(step, rate), InvalidArgument);
    EXPECT_THROW(without_replacement_bound(step, rate), InvalidArgument);
  }
  EXPECT_THROW(poisson_bound(nullptr, 0.5), InvalidArgument);
  EXPECT_THROW(without_replacement_bound(nullptr, 0.5), InvalidArgument);
  EXPECT_THROW(poisson_bound(step, 0.5)->log_moment(std::complex<double>(1, 1), Direction::remove), Unsupported);
}

}  // namespace
}  // namespace renyi::poisson_bound_test
