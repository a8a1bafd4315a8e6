#include <gtest/gtest.h>

#include <cmath>

#include "renyi/mechanism.h"
#include "renyi/rdp.h"

namespace renyi::skellam_vector_test {
namespace {

Mechanism vector_noise(double variance, double l1, double l2) {
  return make_mechanism("skellam-vector", {{"variance", variance}, {"l1_sensitivity", l1}, {"l2_sensitivity", l2}});
}
double one_number(double variance, double sensitivity, double order) {
  return rdp(*make_mechanism("skellam", {{"variance", variance}, {"sensitivity", sensitivity}}).curve(), order).value;
}

// A vector that moves by 1 in m places costs as m numbers that move by 1 each.
TEST(SkellamVector, LiesOnOrAboveTheSumOfItsNumbers) {
  for (const double v : {0.5, 2.0, 30.0, 1000.0}) {
    for (const double m : {1.0, 2.0, 9.0}) {
      const auto curve = vector_noise(v, m, std::sqrt(m) * (1 + 1e-15)).curve();
      for (const double order : {1.0, 1.2, 2.0, 3.0, 4.5, 20.0, 200.0}) {
        EXPECT_GE(rdp(*curve, order).upper(), m * one_number(v, 1, order)) << v << " " << m << " " << order;
      }
      if (v >= 30) {
        EXPECT_LE(rdp(*curve, 4).upper(), 1.1 * m * one_number(v, 1, 4));
      }
    }
    EXPECT_GE(rdp(*vector_noise(v, 7, 5).curve(), 3).upper(), one_number(v, 3, 3) + one_number(v, 4, 3));
  }
}

// With much noise it is next to Gaussian noise of that variance.
TEST(SkellamVector, IsNearTheGaussianWithMuchNoise) {
  const auto curve = vector_noise(1e8, 100, 10).curve();
  EXPECT_NEAR(rdp(*curve, 8).value, 8 * 100 / 2e8, 1e-4 * 8 * 100 / 2e8);
}

// Whole numbers: the L1 norm is at most the square of the L2 norm, which is at most the L1 norm.
TEST(SkellamVector, TakesTheSmallerOfWhatTheNormsAllow) {
  EXPECT_EQ(rdp(*vector_noise(5, 100, 2).curve(), 6).value, rdp(*vector_noise(5, 4, 2).curve(), 6).value);
  EXPECT_EQ(rdp(*vector_noise(5, 3, 100).curve(), 6).value, rdp(*vector_noise(5, 3, 3).curve(), 6).value);
}

}  // namespace
}  // namespace renyi::skellam_vector_test
