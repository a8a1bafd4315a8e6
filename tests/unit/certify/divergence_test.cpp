#include <gtest/gtest.h>

#include "certify/ball/ball.h"
#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/extras/certify.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::certify_divergence_test {
namespace {

using certify::Ball;
using test::infinity;

Plan training() {
  Plan plan;
  plan.add(SampledGaussian{0.01, 1.1}, 10000);
  plan.add(Laplace{20});
  return plan;
}

void expect_just_below(const Certified& certified, double fast) {
  EXPECT_LE(rounded_down(certified.value.lower), fast);
  EXPECT_GE(rounded_up(certified.value.upper), fast * (1 - 1e-9));
  EXPECT_LE(rounded_up(certified.value.upper), rounded_down(certified.value.lower) * (1 + 1e-12));
}

TEST(CertifiedConversion, AgreesWithTheFastBoundsAtTheirOrders) {
  for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
    const RenyiBound epsilon = renyi_epsilon(training(), 1e-5, {.conversion = conversion});
    ASSERT_EQ(epsilon.conversion, conversion);
    expect_just_below(certified::renyi_epsilon(training(), epsilon.order, conversion, 1e-5), epsilon.upper);
    const RenyiBound delta = renyi_delta(training(), 4, {.conversion = conversion});
    expect_just_below(certified::renyi_delta(training(), delta.order, conversion, 4), delta.upper);
  }
}

TEST(CertifiedConversion, TheSecondRouteLiesInside) {
  for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
    EXPECT_TRUE(contains(certified::renyi_epsilon(training(), 4.5, conversion, 1e-5).value,
                         certified::renyi_epsilon(training(), 4.5, conversion, 1e-5, Route::second).value));
    EXPECT_TRUE(contains(certified::renyi_delta(training(), 6, conversion, 3).value,
                         certified::renyi_delta(training(), 6, conversion, 3, Route::second).value));
  }
  EXPECT_EQ(certified::renyi_epsilon(training(), 6, Conversion::tight, 1e-5).method,
            "closed form + finite sum + trapezoidal rule");
}

// The last order itself is within a guarantee, also where 128 bits do not tell it from the next one.
TEST(CertifiedConversion, ALastOrderIsNotBeyondItself) {
  Plan plan;
  plan.add(Tcdp{.rho = 1e-100, .omega = 1e100});
  const Certified at_last = certified::renyi_epsilon(plan, 1e100, Conversion::tight, 1e-5);
  EXPECT_NEAR(rounded_up(at_last.value.upper), 1, 1e-9);
}

// One Gaussian of multiplier 1 at order 2: D = 1.
TEST(CertifiedConversion, IsTheFormulaOfTheProposition) {
  Plan plan;
  plan.add(Gaussian{1});
  const certify::Precision precision(128);
  const auto holds = [](const Certified& certified, const Ball& value) {
    return contains(certified.value, certify::enclosure_of(value));
  };
  EXPECT_TRUE(holds(certified::renyi_epsilon(plan, 2, Conversion::classical, 0.125), 1 + log(Ball(8))));
  EXPECT_TRUE(holds(certified::renyi_epsilon(plan, 2, Conversion::tight, 0.125), 1 + log(Ball(2))));
  EXPECT_TRUE(holds(certified::renyi_delta(plan, 2, Conversion::classical, 4), exp(Ball(-3))));
  EXPECT_TRUE(holds(certified::renyi_delta(plan, 2, Conversion::tight, 4), exp(Ball(-3)) / 4));
  EXPECT_TRUE(holds(certified::renyi_delta(plan, 1, Conversion::total_variation, 4), sqrt(1 - exp(Ball(-0.5)))));
}

TEST(CertifiedConversion, KnowsItsEnds) {
  Plan plan;
  plan.add(Laplace{2}, 3);
  plan.add(PureDp{0.25});
  const Enclosure zero{{"0", 0}, {"0", 0}};
  const Enclosure one{{"1", 0}, {"1", 0}};
  const Enclosure without_bound{{"inf", 0}, {"inf", 0}};
  EXPECT_EQ(certified::renyi_epsilon(plan, infinity, Conversion::pure, 0).value, (Enclosure{{"7", -2}, {"7", -2}}));
  EXPECT_EQ(certified::renyi_delta(plan, infinity, Conversion::pure, 1.75).value, zero);
  EXPECT_EQ(certified::renyi_delta(plan, infinity, Conversion::pure, std::nextafter(1.75, 0)).value, one);
  EXPECT_EQ(certified::renyi_delta(plan, 3, Conversion::tight, infinity).value, zero);
  EXPECT_EQ(certified::renyi_delta(plan, 3, Conversion::classical, 0).value, one);
  Plan strong;
  strong.add(Gaussian{0.1});  // 1 - delta is about exp(-50)/2
  EXPECT_EQ(certified::renyi_delta(strong, 1, Conversion::total_variation, 0).value.upper, one.upper);
  EXPECT_EQ(certified::renyi_epsilon(plan, 3, Conversion::tight, 0).value, without_bound);
  EXPECT_EQ(certified::renyi_epsilon(plan, 3, Conversion::tight, 1).value, zero);
  EXPECT_EQ(certified::renyi_epsilon(plan, 1, Conversion::total_variation, 0.9).value, zero);
  EXPECT_EQ(certified::renyi_epsilon(plan, 1, Conversion::total_variation, 0.1).value, without_bound);
  plan.add(Tcdp{0.1, 2});
  EXPECT_EQ(certified::renyi_epsilon(plan, 3, Conversion::tight, 1e-5).value, without_bound);
  EXPECT_EQ(certified::renyi_delta(plan, 3, Conversion::tight, 9).value, one);
}

TEST(CertifiedConversion, RefusesWhatItCannotMean) {
  const Plan plan = training();
  EXPECT_THROW(certified::renyi_epsilon(plan, 1, Conversion::tight, 1e-5), InvalidArgument);
  EXPECT_THROW(certified::renyi_epsilon(plan, infinity, Conversion::classical, 1e-5), InvalidArgument);
  EXPECT_THROW(certified::renyi_epsilon(plan, 2, Conversion::pure, 1e-5), InvalidArgument);
  EXPECT_THROW(certified::renyi_epsilon(plan, 2, Conversion::tight, 1.5), InvalidArgument);
  EXPECT_THROW(certified::renyi_epsilon(plan, 2, Conversion::tight, std::nan("")), InvalidArgument);
  EXPECT_THROW(certified::renyi_delta(plan, 2, Conversion::tight, -1), InvalidArgument);
  try {
    certified::renyi_epsilon(plan, 2, Conversion::tight, -1e-9);
    ADD_FAILURE() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path() + " " + error.value(), "delta -1e-09");
  }
  EXPECT_THROW(certified::renyi_delta(plan, std::nan(""), Conversion::tight, 1), InvalidArgument);
}

}  // namespace
}  // namespace renyi::certify_divergence_test
