#include <gtest/gtest.h>

#include "renyi/mechanism.h"

namespace renyi::permute_and_flip_test {
namespace {

TEST(PermuteAndFlip, CostsWhatItsEpsilonAllows) {
  const Mechanism mechanism = make_mechanism("permute-and-flip", {{"epsilon", 0.7}});
  EXPECT_EQ(*mechanism.equivalent(), Mechanism(PureDp{0.7}));
  for (const double order : {1.0, 2.0, 30.0}) {
    EXPECT_EQ(rdp(*mechanism.curve(), order).value, rdp(*Mechanism(PureDp{0.7}).curve(), order).value);
  }
}

// Both are chosen by the same weights, but only the exponential mechanism has a loss of bounded range.
TEST(PermuteAndFlip, CostsMoreThanTheExponentialMechanism) {
  const auto flips = make_mechanism("permute-and-flip", {{"epsilon", 0.7}}).curve();
  const auto draws = make_mechanism("exponential", {{"epsilon", 0.7}}).curve();
  EXPECT_GT(rdp(*flips, 2).lower(), 2 * rdp(*draws, 2).upper());
  EXPECT_EQ(rdp(*flips, HUGE_VAL).value, rdp(*draws, HUGE_VAL).value);
}

}  // namespace
}  // namespace renyi::permute_and_flip_test
