#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "mechanism/model.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi::plan_analysis_test {
namespace {

// A Gaussian step that counts how often it is analysed: the analysis calls equivalent() first.
struct Counted {
  static inline std::atomic<int> analyses = 0;
  static constexpr std::string_view kind = "counted";
  static constexpr std::string_view summary = "counts its analyses";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  Mechanism equivalent() const {
    ++analyses;
    return Gaussian{2, 1};
  }
  std::shared_ptr<const Curve> curve() const { return Mechanism(Gaussian{2, 1}).curve(); }
  bool operator==(const Counted&) const = default;
};

TEST(Analysis, AStepIsAnalysedOnceForEveryQuestion) {
  Counted::analyses = 0;
  Plan plan;
  plan.add(mechanism::made(Counted{}), 3);
  plan.add(mechanism::made(Counted{}), 4);
  const Plan copy = plan;
  EXPECT_EQ(epsilon(plan, 1e-5).upper(), epsilon(copy, 1e-5).upper());
  delta(plan, 1.0);
  rdp(plan, std::vector{2.0, 3.0});
  EXPECT_EQ(Counted::analyses, 1);
}

TEST(Analysis, HoldsWhatThePlanIs) {
  const Plan plan = Plan(Neighbors::zero_out).add(Gaussian{2, 1}, 3).add(Laplace{4, 1});
  const Analysis analysis = plan;
  ASSERT_EQ(analysis.steps().size(), 2U);
  EXPECT_EQ(analysis.steps()[0].count, 3);
  EXPECT_EQ(analysis.plan().neighbors(), Neighbors::zero_out);
  EXPECT_EQ(rdp(*analysis.curve(), 3).upper(), rdp(*compose(plan), 3).upper());
}

Standing standing_of(const Plan& plan) { return Analysis(plan).standing(); }

TEST(Analysis, SaysWhetherWhatWasRunAttainsTheFigures) {
  EXPECT_EQ(standing_of(Plan()), Standing::attained);
  EXPECT_EQ(standing_of(Plan().add(Gaussian{1, 1})), Standing::attained);
  EXPECT_EQ(standing_of(Plan().add(SampledGaussian{0.01, 1}, 100)), Standing::attained);
  EXPECT_EQ(standing_of(Plan().add(PureDp{1})), Standing::promised);
  EXPECT_EQ(standing_of(Plan().add(Gaussian{1, 1}).add(PureDp{1})), Standing::promised);
  EXPECT_EQ(standing_of(Plan().add(Gdp{1})), Standing::promised);
  const Mechanism shuffled = Mechanism(RandomizedResponse{0.75}).sampled_by(Sampling::shuffled(10));
  EXPECT_EQ(standing_of(Plan(Neighbors::zero_out).add(shuffled)), Standing::dominated);
  // One dominated parallel part is enough.
  const Parallel parts(
      {Steps{Step{Gaussian{1, 1}}}, Steps{Step{Mechanism(Gaussian{2, 1}).sampled_by(Sampling::shuffled(4))}}});
  EXPECT_EQ(standing_of(Plan(Neighbors::zero_out).add(parts)), Standing::dominated);
}

TEST(Analysis, OnlyWhatIsNotAttainedIsRemarkedUpon) {
  EXPECT_EQ(standing_note(Standing::attained), "");
  EXPECT_THAT(std::string(standing_note(Standing::promised)), testing::HasSubstr("promise"));
  EXPECT_THAT(std::string(standing_note(Standing::dominated)), testing::HasSubstr("dominates"));
}

}  // namespace
}  // namespace renyi::plan_analysis_test
