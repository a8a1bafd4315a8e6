#include "conversion/infinite_loss.h"

#include <gtest/gtest.h>

#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "support/expect.h"

namespace renyi::conversion::infinite_loss_test {
namespace {

const Mechanism leaky = custom_pair("leaky", DistributionPair::discrete({0.25, 0.75, 0}, {0, 0.5, 0.5}));

TEST(InfiniteLoss, SplitsTheMassAndTheShift) {
  const auto curve = leaky.curve();
  const InfiniteLoss remove = infinite_loss_of(*curve, Direction::remove),
                     add = infinite_loss_of(*curve, Direction::add);
  EXPECT_NEAR(remove.upper, 0.25, 1e-15);
  EXPECT_NEAR(add.lower, 0.5, 1e-15);
  EXPECT_LE(remove.shift_lower, std::log(1.5));
  EXPECT_GE(remove.shift_upper, std::log(1.5));
  EXPECT_NEAR(remove.shift_upper, std::log(1.5), 1e-14);
  EXPECT_NEAR(add.shift_lower, -std::log(1.5), 1e-14);
}

// Steps add their shifts, and survive together.
TEST(InfiniteLoss, Composes) {
  const auto curve = compose(Plan().add(leaky, 3).add(Gaussian{2}));
  const InfiniteLoss remove = infinite_loss_of(*curve, Direction::remove);
  EXPECT_NEAR(remove.upper, 1 - 0.75 * 0.75 * 0.75, 1e-14);
  EXPECT_GE(remove.upper, 1 - 0.75 * 0.75 * 0.75);
  EXPECT_LE(remove.lower, 1 - 0.75 * 0.75 * 0.75);
  EXPECT_NEAR(remove.shift_upper, 3 * std::log(1.5), 1e-13);
}

TEST(InfiniteLoss, OneStepKeepsItsDeltaToTheLastBit) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 1.0}, {"delta", 1e-7}});
  const InfiniteLoss infinite_loss = infinite_loss_of(*compose(Plan().add(Gaussian{1}).add(step)), Direction::add);
  EXPECT_EQ(infinite_loss.lower, 1e-7);
  EXPECT_EQ(infinite_loss.upper, 1e-7);
  EXPECT_EQ(infinite_loss.remaining_delta_lower(1e-7), 0);
  EXPECT_LT(infinite_loss.remaining_delta_lower(0.9e-7), 0);
  EXPECT_EQ(infinite_loss.with_upper(0), 1e-7);
}

// Tiny masses of many steps neither vanish nor exceed their sum.
TEST(InfiniteLoss, TinyMassesAddUp) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 1.0}, {"delta", 1e-30}});
  const Bounded mass = compose(Plan().add(step, 1'000'000))->infinite_mass(Direction::remove);
  EXPECT_LE(mass.lower(), 1e-24);
  EXPECT_GE(mass.upper(), 1e-24 * (1 - 1e-23));
  EXPECT_LE(mass.error, 1e-38);
}

TEST(InfiniteLoss, NothingIsNothing) {
  EXPECT_TRUE(infinite_loss_of(*Mechanism(Gaussian{1}).curve(), Direction::remove).is_nothing());
  EXPECT_TRUE(infinite_loss_of(*make_mechanism("non-private").curve(), Direction::add).is_certain());
}

// delta(-e) = 1 - exp(-e) + exp(-e) delta'(e).
TEST(InfiniteLoss, BelowZeroTheOtherDirectionHasIt) {
  const double truth = 1 - std::exp(-0.3) + std::exp(-0.3) * 0.2;
  EXPECT_LE(delta_at_negative_epsilon_lower(0.3, 0.2), truth);
  EXPECT_GE(delta_at_negative_epsilon_upper(0.3, 0.2), truth);
  EXPECT_NEAR(delta_at_negative_epsilon_lower(0.3, 0.2), delta_at_negative_epsilon_upper(0.3, 0.2), 1e-14);
}

}  // namespace
}  // namespace renyi::conversion::infinite_loss_test
