// A step given by the law of its loss.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::losses_test {
namespace {

using test::infinity;

Mechanism losses(Rows rows) { return make_mechanism("losses", {}, {{"losses", std::move(rows)}}); }

TEST(Losses, AResponseIsAResponse) {
  const double high = 1 / (1 + std::exp(-1.0));
  const Mechanism table = losses({{1, high}, {-1, 1 - high}});
  EXPECT_NEAR(rdp(*table.curve(), 3).upper(), rdp(*Mechanism(PureDp{1}).curve(), 3).upper(), 1e-13);
  EXPECT_EQ(table.curve()->infinite_mass(Direction::remove).upper(), 0);
  EXPECT_EQ(table.curve()->infinite_mass(Direction::add).upper(), 0);
  const ExactInterval figure = PrivacyProfile(Plan().add(table, 30)).epsilon(1e-6).worst;
  const ExactInterval known = PrivacyProfile(Plan().add(PureDp{1}, 30)).epsilon(1e-6).worst;
  EXPECT_LE(figure.lower, known.upper + 1e-12);
  EXPECT_LE(known.lower, figure.upper + 1e-12);
}

// Where exp(-loss) has a mean below 1, the other law has outcomes of its own.
TEST(Losses, TheRestOfTheOtherLawIsWhereThisOneHasNothing) {
  const Mechanism table = losses({{0.5, 0.99}, {infinity, 0.01}});
  const double shared = 0.99 * std::exp(-0.5);
  EXPECT_NEAR(table.curve()->infinite_mass(Direction::remove).value, 0.01, 1e-17);
  EXPECT_NEAR(table.curve()->infinite_mass(Direction::add).value, 1 - shared, 1e-14);
  const PrivacyProfile exact(Plan().add(table));
  EXPECT_NEAR(exact.delta(0.2).remove.upper, 0.01 + 0.99 * -std::expm1(0.2 - 0.5), 1e-13);
  EXPECT_NEAR(exact.delta(0.2).add.upper, 1 - shared, 1e-13);
  EXPECT_NEAR(exact.epsilon(0.01 + 1e-9).remove.upper, 0.5, 1e-8);
  EXPECT_EQ(renyi_epsilon(Plan().add(table), 0.3).upper, infinity);  // 0.4 is missing in the direction add
  EXPECT_EQ(renyi_epsilon(Plan().add(table), 0.45).upper, 0);        // above the total variation
  EXPECT_EQ(exact.epsilon(0.3).add.lower, infinity);
}

TEST(Losses, WhatIsNoLawOfALossIsRefused) {
  EXPECT_THROW(losses({{-1, 0.9}, {1, 0.1}}), InvalidArgument);  // exp(-loss) has the mean 2.5
  EXPECT_THROW(losses({{1, 0.5}, {-1, 0.4}}), InvalidArgument);
  EXPECT_THROW(losses({{-infinity, 1}}), InvalidArgument);
  EXPECT_THROW(losses({{1e5, 1}}), InvalidArgument);
  EXPECT_THROW(losses({{1, -0.5}, {1, 1.5}}), InvalidArgument);
  EXPECT_THROW(losses({}), InvalidArgument);
  EXPECT_NO_THROW(losses({{infinity, 1}}));
  EXPECT_EQ(renyi_epsilon(Plan().add(losses({{infinity, 1}})), 0.5).upper, infinity);
}

}  // namespace
}  // namespace renyi::losses_test
