#include "renyi/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "conversion/renyi_bound.h"
#include "cost/questions.h"
#include "exact/privacy_profile.h"
#include "renyi/accountant.h"
#include "renyi/error.h"

namespace renyi::cost_cost_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Plan dp_sgd() { return Plan().add(SampledGaussian{0.01, 1.1}, 1000); }

TEST(Cost, HasBothFiguresAsTheAccountantsGiveThem) {
  const Plan plan = dp_sgd();
  const Cost found = renyi::epsilon(plan, 1e-5);
  const RenyiBound bound = renyi_epsilon(plan, 1e-5);
  const ExactAnswer exact = PrivacyProfile(plan).epsilon(1e-5);
  ASSERT_TRUE(found.renyi && found.exact);
  EXPECT_EQ(found.renyi->upper, bound.upper);
  EXPECT_EQ(found.renyi->order, bound.order);
  EXPECT_EQ(found.exact->worst.upper, exact.worst.upper);
  EXPECT_EQ(found.exact->worst.lower, exact.worst.lower);
  EXPECT_EQ(found.upper(), exact.worst.upper);
  EXPECT_TRUE(found.is_attained());
  EXPECT_THAT(found.note(), IsEmpty());
  const Cost delta = renyi::delta(plan, 1.0);
  EXPECT_EQ(delta.renyi->upper, renyi_delta(plan, 1.0).upper);
  EXPECT_EQ(delta.exact->worst.upper, PrivacyProfile(plan).delta(1.0).worst.upper);
}

TEST(Cost, SaysWhyThereIsNoExactPart) {
  const Plan plan = Plan().add(Zcdp{0.1});
  const Cost found = renyi::epsilon(plan, 1e-5);
  ASSERT_TRUE(found.renyi);
  EXPECT_FALSE(found.exact);
  ASSERT_TRUE(found.obstacle);
  EXPECT_EQ(found.obstacle->kind, ErrorKind::unsupported);
  EXPECT_THAT(found.obstacle->why, HasSubstr("bounds on its divergences"));
  EXPECT_EQ(found.upper(), found.renyi->upper);
  EXPECT_FALSE(found.is_exact());
  EXPECT_THAT(found.note(), IsEmpty());
  EXPECT_THROW(std::rethrow_exception(found.obstacle->error), Unsupported);
}

TEST(Cost, OnlyWhatIsAskedForIsFound) {
  const Cost bound = renyi::epsilon(dp_sgd(), 1e-5, {.exact = false});
  EXPECT_TRUE(bound.renyi && !bound.exact && !bound.obstacle);
  const Cost exact = renyi::epsilon(dp_sgd(), 1e-5, {.renyi = false});
  EXPECT_TRUE(!exact.renyi && exact.exact);
}

TEST(Cost, SaysWhoseFigureItIs) {
  const Cost promised = renyi::epsilon(Plan().add(PureDp{1}), 1e-5);
  EXPECT_TRUE(promised.is_exact());
  EXPECT_FALSE(promised.is_attained());
  EXPECT_EQ(promised.standing, Standing::promised);
  EXPECT_THAT(std::string(promised.note()), HasSubstr("what was run may cost less"));
}

// Shuffled randomized response: its figure is that of a dominating pair; Poisson samples would answer several times.
TEST(Cost, OfShuffledResponsesSaysWhatPoissonSamplesWouldCost) {
  const Mechanism response = RandomizedResponse{0.75};
  const Plan shuffled = Plan(Neighbors::zero_out).add(response.sampled_by(Sampling::shuffled(10)));
  const Plan poisson = Plan(Neighbors::zero_out).add(response.sampled_by(Sampling::poisson(0.1)), 10);
  const Cost found = renyi::epsilon(shuffled, 1e-5);
  EXPECT_EQ(found.standing, Standing::dominated);
  ASSERT_TRUE(found.under_poisson && found.under_poisson->estimate);
  EXPECT_EQ(*found.under_poisson->estimate, renyi::epsilon(poisson, 1e-5).upper());
  EXPECT_FALSE(renyi::epsilon(poisson, 1e-5).under_poisson);
}

TEST(Cost, ListsBatchesThatMayOverflow) {
  const Sampling truncated = Sampling::truncated_poisson(0.1, 100, 20);
  Plan plan;
  plan.add(Gaussian{1, 1}).add(Steps{Step{Mechanism(Gaussian{3, 1}).sampled_by(truncated)}}, 2);
  const Cost found = renyi::epsilon(plan, 1e-2);
  ASSERT_EQ(found.overflows.size(), 1U);
  EXPECT_EQ(found.overflows[0].path, "steps[1].plan[0]");
  EXPECT_EQ(found.overflows[0].probability, overflow_probability(truncated, plan.neighbors()));
}

TEST(Cost, RemarksOnAWidthThatWasAskedFor) {
  const Plan plan = Plan().add(Laplace{2, 1}, 7).add(Gaussian{3, 1}, 2);
  const CostOptions asked{.exactness = {.tolerance = 1e-14}, .report_excess_width = true};
  EXPECT_THAT(renyi::epsilon(plan, 1e-3, asked).limit, testing::AnyOf(HasSubstr("wider than"), HasSubstr("cap")));
  EXPECT_THAT(renyi::epsilon(plan, 1e-3).limit, IsEmpty());
}

TEST(Cost, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(renyi::epsilon(dp_sgd(), -1), InvalidArgument);
  EXPECT_THROW(renyi::delta(dp_sgd(), -1), InvalidArgument);
  EXPECT_THROW(renyi::epsilon(dp_sgd(), 1e-5, {.exactness = {.tolerance = 0}}), InvalidArgument);
}

TEST(CostQuestions, AnswerAsSingleOnesDo) {
  const Plan plan = dp_sgd();
  const CostQuestions questions(plan);
  for (const double delta : {1e-8, 1e-5}) {
    const Cost one = renyi::epsilon(plan, delta), many = questions.at(Quantity::epsilon, delta);
    EXPECT_EQ(one.renyi->upper, many.renyi->upper);
    EXPECT_NEAR(one.upper(), many.upper(), 1e-8);
  }
}

TEST(Cost, OfAnAccountIsThatOfItsPlan) {
  Accountant account;
  for (int i = 0; i < 3; ++i) account.step(SampledGaussian{0.01, 1.1}, 100);
  account.step(PureDp{0.1});
  const Cost mine = account.epsilon(1e-5), direct = renyi::epsilon(account.plan(), 1e-5);
  EXPECT_EQ(mine.renyi->upper, direct.renyi->upper);
  EXPECT_EQ(mine.exact->worst.upper, direct.exact->worst.upper);
  EXPECT_EQ(mine.standing, Standing::promised);
}

}  // namespace
}  // namespace renyi::cost_cost_test
