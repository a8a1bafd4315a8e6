// The Sampled Gaussian beside the Gaussian it samples for.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::sampling_laws_test {
namespace {

using test::both_directions;
using test::expect_not_above;
using test::expect_overlap;

constexpr double multipliers[] = {0.01, 0.3, 1, 1.1, 20, 1e6};

TEST(SamplingLaws, SamplingNeverCostsMore) {
  for (const double s : multipliers) {
    const auto whole = Mechanism(Gaussian{s}).curve();
    for (const double q : {1e-100, 1e-10, 0.01, 0.5, 0.99, 1 - 0x1p-53}) {
      const auto sampled = Mechanism(SampledGaussian{q, s}).curve();
      for (const double order : test::some_orders()) {
        SCOPED_TRACE(test::describe(SampledGaussian{q, s}) + " order " + std::to_string(order));
        expect_not_above(rdp(*sampled, order), rdp(*whole, order));
        // Convexity: E_Q[r^a] <= (1-q) + q E[(N1/Q)^a], so K <= log1p(q (e^K_whole - 1)).
        const double k = rdp(*whole, order).upper() * (order - 1);
        if (k < 300 && order > 1) {
          EXPECT_LE(rdp(*sampled, order).lower() * (order - 1), std::log1p(q * std::expm1(k)) * (1 + 1e-13));
        }
      }
    }
  }
}

TEST(SamplingLaws, WithoutASampleNothingIsSpent) {
  for (const double s : multipliers) {
    const auto curve = Mechanism(SampledGaussian{0, s}).curve();
    for (const double order : test::some_orders()) EXPECT_EQ(rdp(*curve, order).upper(), 0);
    EXPECT_EQ(rdp(*curve, test::infinity).upper(), 0);
    EXPECT_EQ(renyi_epsilon(*curve, 0).upper, 0);
  }
}

TEST(SamplingLaws, SamplingEverythingIsTheGaussian) {
  for (const double s : multipliers) {
    const auto sampled = Mechanism(SampledGaussian{1, s}).curve(), whole = Mechanism(Gaussian{s}).curve();
    for (const Direction direction : both_directions) {
      for (const double order : test::some_orders()) {
        expect_overlap(divergence(*sampled, order, direction), divergence(*whole, order, direction));
      }
      EXPECT_EQ(sampled->max_loss(direction).lower(), test::infinity);
    }
  }
}

// The curve is continuous at q = 1: next to it the quadrature has to find the Gaussian.
TEST(SamplingLaws, SamplingAlmostEverythingIsAlmostTheGaussian) {
  for (const double s : {0.3, 1.0, 20.0}) {
    const auto sampled = Mechanism(SampledGaussian{1 - 0x1p-53, s}).curve(), whole = Mechanism(Gaussian{s}).curve();
    for (const double order : {1.0, 1.5, 2.0, 40.0, 1e4}) {
      EXPECT_NEAR(rdp(*sampled, order).value / rdp(*whole, order).value, 1, 1e-10) << s << " " << order;
    }
  }
}

TEST(SamplingLaws, RemovingHasNoLargestLossAndAddingHas) {
  const auto curve = Mechanism(SampledGaussian{0.25, 2}).curve();
  EXPECT_EQ(curve->max_loss(Direction::remove).lower(), test::infinity);
  EXPECT_NEAR(curve->max_loss(Direction::add).value, std::log(4.0 / 3), 1e-15);
  EXPECT_EQ(curve->worst_max_loss().lower(), test::infinity);
}

}  // namespace
}  // namespace renyi::sampling_laws_test
