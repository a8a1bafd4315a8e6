#include "renyi/extras/custom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::own_custom_test {
namespace {

using test::infinity;
using ::testing::HasSubstr;

Mechanism linear(double rho) {
  return custom_curve("linear", [rho](double order) { return rho * order; });
}

Mechanism coin() { return custom_pair("coin", DistributionPair::discrete({0.75, 0.25}, {0.25, 0.75})); }

TEST(OwnMechanism, IsAMechanismWithItsName) {
  const Mechanism m = linear(0.1);
  EXPECT_EQ(m.kind(), "own");
  EXPECT_EQ(m.summary(), "linear");
  EXPECT_TRUE(m.parameters().empty());
  EXPECT_TRUE(m.values().empty());
  EXPECT_NE(m.get_if<CustomMechanism>(), nullptr);
  EXPECT_EQ(find_mechanism("own"), nullptr);
  EXPECT_THROW(static_cast<void>(m.with("rho", 1)), InvalidArgument);
}

TEST(OwnMechanism, EqualsItsCopiesOnly) {
  const Mechanism a = linear(0.1), b = linear(0.1), copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(coin() == coin());
  EXPECT_FALSE(a == Mechanism(Gaussian{1}));
  EXPECT_EQ(Mechanism(Gaussian{1}).identity(), nullptr);
}

TEST(OwnMechanism, PlansMergeCopiesAndKeepOthersApart) {
  const Mechanism a = linear(0.1), b = linear(0.1), c = coin();
  const auto merged = Plan().add(a, 2).add(b, 3).add(c).add(Steps{{a, 5}, {c, 1}}, 2).merged();
  ASSERT_EQ(merged.size(), 3);
  EXPECT_EQ(merged[0].mechanism, a);
  EXPECT_EQ(merged[0].count, 12);
  EXPECT_EQ(merged[1].mechanism, b);
  EXPECT_EQ(merged[1].count, 3);
  EXPECT_EQ(merged[2].count, 3);
}

TEST(OwnMechanism, PlanFilesRefuseItWithThePlace) {
  const Plan plan = Plan().add(Gaussian{1}).add(Steps{{Laplace{1}}, {coin(), 2}}, 3);
  try {
    const std::string text = write_plan(plan);
    FAIL() << text;
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "steps[1].plan[1]");
    EXPECT_THAT(error.why(), HasSubstr("'coin'"));
    EXPECT_THAT(error.why(), HasSubstr("no JSON form"));
  }
  EXPECT_THROW(write_plan(Plan().add(linear(1))), Unsupported);
  EXPECT_THROW(read_plan(R"({"renyi":1,"steps":[{"mechanism":"own"}]})"), InvalidArgument);
}

TEST(OwnMechanism, NeedsACurveOrAFunction) {
  EXPECT_THROW(Mechanism(CustomMechanism("none", nullptr)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(custom_curve("none", nullptr)), InvalidArgument);
}

// A user's own subclass of Curve is welcome too.
TEST(OwnMechanism, TakesAnyCurve) {
  const Mechanism m = CustomMechanism("another Gaussian", Mechanism(Gaussian{2}).curve());
  EXPECT_EQ(renyi_epsilon(Plan().add(m, 10), 1e-5).upper, renyi_epsilon(Plan().add(Gaussian{2}, 10), 1e-5).upper);
  const auto own = PrivacyProfile(Plan().add(m, 10)).epsilon(1e-5).worst;
  const auto known = PrivacyProfile(Plan().add(Gaussian{2}, 10)).epsilon(1e-5).worst;
  EXPECT_LE(own.lower, known.upper);
  EXPECT_LE(known.lower, own.upper);
  EXPECT_LE(own.upper - own.lower, 1e-8);
}

TEST(OwnMechanism, MixesWithOthersInOnePlan) {
  const Plan own = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(coin(), 4);
  const Plan known = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(RandomizedResponse{0.75}, 4);
  EXPECT_NEAR(renyi_epsilon(own, 1e-5).upper, renyi_epsilon(known, 1e-5).upper, 1e-12);
  const auto a = PrivacyProfile(own).epsilon(1e-5).worst, b = PrivacyProfile(known).epsilon(1e-5).worst;
  EXPECT_LE(a.lower, b.upper);
  EXPECT_LE(b.lower, a.upper);
  EXPECT_LE(a.upper - a.lower, 1e-5);
}

// Calibration of another step leaves it as it is.
TEST(OwnMechanism, OtherStepsCanBeCalibratedBesideIt) {
  const Mechanism own = linear(0.01);
  const Plan plan = Plan().add(Gaussian{1}, 10).add(own, 5);
  EXPECT_EQ(plan.merged()[1].mechanism, own);
  EXPECT_GT(renyi_epsilon(plan, 1e-5).upper, renyi_epsilon(Plan().add(Gaussian{1}, 10), 1e-5).upper);
}

}  // namespace
}  // namespace renyi::own_custom_test
