#include "conversion/infinite_loss.h"

#include <gtest/gtest.h>

#include "renyi/extras/own.h"
#include "renyi/plan.h"
#include "support/expect.h"

namespace renyi::conversion::infinite_loss_test {
namespace {

const Mechanism leaky = own_pair("leaky", DistributionPair::discrete({0.25, 0.75, 0}, {0, 0.5, 0.5}));

TEST(Apart, SplitsTheMassAndTheShift) {
  const auto curve = leaky.curve();
  const Apart remove = apart_of(*curve, Direction::remove), add = apart_of(*curve, Direction::add);
  EXPECT_NEAR(remove.upper, 0.25, 1e-15);
  EXPECT_NEAR(add.lower, 0.5, 1e-15);
  EXPECT_LE(remove.shift_lower, std::log(1.5));
  EXPECT_GE(remove.shift_upper, std::log(1.5));
  EXPECT_NEAR(remove.shift_upper, std::log(1.5), 1e-14);
  EXPECT_NEAR(add.shift_lower, -std::log(1.5), 1e-14);
}

// Steps add their shifts, and survive together.
TEST(Apart, Composes) {
  const auto curve = compose(Plan().add(leaky, 3).add(Gaussian{2}));
  const Apart remove = apart_of(*curve, Direction::remove);
  EXPECT_NEAR(remove.upper, 1 - 0.75 * 0.75 * 0.75, 1e-14);
  EXPECT_GE(remove.upper, 1 - 0.75 * 0.75 * 0.75);
  EXPECT_LE(remove.lower, 1 - 0.75 * 0.75 * 0.75);
  EXPECT_NEAR(remove.shift_upper, 3 * std::log(1.5), 1e-13);
}

TEST(Apart, OneStepKeepsItsDeltaToTheLastBit) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 1.0}, {"delta", 1e-7}});
  const Apart apart = apart_of(*compose(Plan().add(Gaussian{1}).add(step)), Direction::add);
  EXPECT_EQ(apart.lower, 1e-7);
  EXPECT_EQ(apart.upper, 1e-7);
  EXPECT_EQ(apart.left_lower(1e-7), 0);
  EXPECT_LT(apart.left_lower(0.9e-7), 0);
  EXPECT_EQ(apart.with_upper(0), 1e-7);
}

// Tiny masses of many steps neither vanish nor exceed their sum.
TEST(Apart, TinyMassesAddUp) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 1.0}, {"delta", 1e-30}});
  const Bounded mass = compose(Plan().add(step, 1'000'000))->infinite_mass(Direction::remove);
  EXPECT_LE(mass.lower(), 1e-24);
  EXPECT_GE(mass.upper(), 1e-24 * (1 - 1e-23));
  EXPECT_LE(mass.error, 1e-38);
}

TEST(Apart, NothingIsNothing) {
  EXPECT_TRUE(apart_of(*Mechanism(Gaussian{1}).curve(), Direction::remove).is_nothing());
  EXPECT_TRUE(apart_of(*make_mechanism("non-private").curve(), Direction::add).is_certain());
}

// delta(-e) = 1 - exp(-e) + exp(-e) delta'(e).
TEST(Apart, BelowZeroTheOtherDirectionHasIt) {
  const double truth = 1 - std::exp(-0.3) + std::exp(-0.3) * 0.2;
  EXPECT_LE(beyond_zero_lower(0.3, 0.2), truth);
  EXPECT_GE(beyond_zero_upper(0.3, 0.2), truth);
  EXPECT_NEAR(beyond_zero_lower(0.3, 0.2), beyond_zero_upper(0.3, 0.2), 1e-14);
}

}  // namespace
}  // namespace renyi::conversion::infinite_loss_test
