// Noise shared out between gradients and counts.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/extras/clipping.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::adaptive_clipping_test {
namespace {

Mechanism adaptive(double gradient, double count) {
  return make_mechanism("adaptive-clipping", {{"gradient_noise_multiplier", gradient}, {"count_stddev", count}});
}

// Two queries composed: the gradients, and a count that one record moves by 1/2.
TEST(AdaptiveClipping, CostsItsGradientsAndItsCount) {
  for (const double gradient : {0.5, 1.0, 7.0}) {
    for (const double count : {0.3, 5.0, 100.0}) {
      for (const double order : {1.5, 2.0, 30.0}) {
        const double truth = rdp(*Mechanism(Gaussian{gradient}).curve(), order).value +
                             rdp(*Mechanism(Gaussian{count, 0.5}).curve(), order).value;
        const Bounded found = rdp(*adaptive(gradient, count).curve(), order);
        EXPECT_NEAR(found.value / truth, 1, 1e-14);
        EXPECT_GE(found.upper(), truth);
      }
    }
  }
}

// Andrew et al. 2021, Theorem 1, there and back.
TEST(AdaptiveClipping, SharesOutATotal) {
  for (const double total : {0.3, 1.0, 4.0}) {
    for (const double count : {total * 0.5000001, total * 0.6, total, 100 * total}) {
      const double gradient = gradient_noise_multiplier(total, count);
      const long double t = total, c = count;
      const long double formula = 1 / std::sqrt(1 / (t * t) - 1 / (4 * c * c));
      EXPECT_GE(gradient, formula);
      EXPECT_LE(gradient, formula * (1 + 1e-8L));
      EXPECT_LE(rdp(*adaptive(gradient, count).curve(), 2).value,
                rdp(*Mechanism(Gaussian{total}).curve(), 2).value * (1 + 1e-15));
    }
  }
  EXPECT_NEAR(gradient_noise_multiplier(1, 5), 1 / std::sqrt(0.99), 1e-15);
}

TEST(AdaptiveClipping, ACountWithTooLittleNoiseIsRefused) {
  for (const double count : {0.5, 0.1, 0.0, -1.0, std::nan("")}) {
    try {
      gradient_noise_multiplier(1, count);
      ADD_FAILURE() << count;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), "count_stddev");
    }
  }
  EXPECT_THROW(gradient_noise_multiplier(0, 1), InvalidArgument);
  EXPECT_THROW(gradient_noise_multiplier(std::nan(""), 1), InvalidArgument);
  EXPECT_THROW(gradient_noise_multiplier(HUGE_VAL, HUGE_VAL), InvalidArgument);
}

// z^-2 = 1 + 1/100.
TEST(AdaptiveClipping, IsSampledAsTheGaussianItIs) {
  const Adjacency relation{Neighbors::add_or_remove_one};
  const Mechanism sampled = adaptive(1, 5).sampled_by(Sampling::poisson(0.01));
  const auto found = analysed(sampled, relation).curve();
  const auto truth = Mechanism(SampledGaussian{0.01, 1 / std::sqrt(1.01)}).curve();
  for (const double order : {1.5, 2.0, 30.0})
    EXPECT_NEAR(rdp(*found, order).value / rdp(*truth, order).value, 1, 1e-11);
}

// A replaced record moves gradients and count twice as far.
TEST(AdaptiveClipping, OnASampleAReplacedRecordCountsTwice) {
  const Adjacency relation{Neighbors::replace_one};
  const auto all = Sampling::poisson(1);
  const auto found = analysed(adaptive(4, 20).sampled_by(all), relation).curve();
  EXPECT_NEAR(rdp(*found, 2).value / (4 * rdp(*adaptive(4, 20).curve(), 2).value), 1, 1e-13);
}

TEST(AdaptiveClipping, OnAllRecordsAReplacedRecordCountsTwice) {
  const auto found = analysed(adaptive(4, 20), {Neighbors::replace_one}).curve();
  EXPECT_NEAR(rdp(*found, 2).value / (4 * rdp(*adaptive(4, 20).curve(), 2).value), 1, 1e-13);
  const auto zeroed = analysed(adaptive(4, 20), {Neighbors::zero_out}).curve();
  EXPECT_EQ(rdp(*zeroed, 2).value, rdp(*adaptive(4, 20).curve(), 2).value);
}

TEST(AdaptiveClipping, GroupsMoveBothByTheirSize) {
  const auto three = adaptive(3, 6).for_group(3);
  ASSERT_TRUE(three);
  EXPECT_EQ(*three, adaptive(1, 2));
  EXPECT_NEAR(rdp(*three->curve(), 2).value / (9 * rdp(*adaptive(3, 6).curve(), 2).value), 1, 1e-14);
}

}  // namespace
}  // namespace renyi::adaptive_clipping_test
