#include <gtest/gtest.h>

#include "renyi/account.h"
#include "renyi/error.h"
#include "support/expect.h"

namespace renyi {
namespace {

const std::vector<double> orders{1, 2, 4.5, test::infinity};

TEST(Rdp, OfAPlanIsTheSumOfItsSteps) {
  const auto answers = rdp(Plan().add(Gaussian{2}, 8).add(PureDp{0}, 3), orders);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_NEAR(answers[0].value, 1, 1e-14);
  EXPECT_NEAR(answers[1].value, 2, 1e-14);
  EXPECT_NEAR(answers[2].value, 4.5, 1e-14);
  EXPECT_EQ(answers[3].upper(), test::infinity);
}

TEST(Rdp, TakesTheLargerDirectionUnlessAsked) {
  const Plan plan = Plan().add(SampledGaussian{0.2, 1}, 10);
  const std::vector<double> order{6};
  const Bounded larger = rdp(plan, order).at(0);
  const Bounded remove = rdp(plan, order, {.direction = Direction::remove}).at(0);
  const Bounded add = rdp(plan, order, {.direction = Direction::add}).at(0);
  EXPECT_EQ(larger.value, remove.value);
  EXPECT_LT(add.upper(), remove.lower());
}

TEST(Rdp, MethodsAnswerForMixedPlans) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 5}, 100).add(Gaussian{20}, 3).add(SampledGaussian{0.02, 6});
  const std::vector<double> order{4};
  const Bounded usual = rdp(plan, order).at(0);
  test::expect_overlap(rdp(plan, order, {.method = SampledGaussianMethod::integer}).at(0), usual);
  test::expect_overlap(rdp(plan, order, {.method = SampledGaussianMethod::series}).at(0), usual);
  EXPECT_GT(rdp(plan, order, {.method = SampledGaussianMethod::closed_form}).at(0).lower(), usual.upper());
}

TEST(Rdp, MethodsSayWhereTheyDoNotApply) {
  const std::vector<double> half{2.5};
  const Plan plan = Plan().add(SampledGaussian{0.01, 1});
  EXPECT_THROW(rdp(plan, half, {.method = SampledGaussianMethod::integer}), Unsupported);
  EXPECT_THROW(rdp(plan, half, {.method = SampledGaussianMethod::closed_form}), Unsupported);
}

TEST(Rdp, RefusesOrdersBelowOne) {
  const auto curve = Gaussian{}.curve();
  for (const double order : {0.999, -1.0, std::nan("")}) {
    EXPECT_THROW(rdp(*curve, order), InvalidArgument);
    EXPECT_THROW(divergence(*curve, order, Direction::add), InvalidArgument);
    const std::vector<double> bad{2, order};
    EXPECT_THROW(rdp(Plan().add(Gaussian{}), bad), InvalidArgument);
  }
}

TEST(Rdp, NoOrdersNoAnswers) { EXPECT_TRUE(rdp(Plan().add(Gaussian{}), std::vector<double>{}).empty()); }

}  // namespace
}  // namespace renyi
