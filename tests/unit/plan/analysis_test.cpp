#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

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

Mechanism sampled(const Mechanism& step, const Sampling& sampling) { return step.sampled_by(sampling); }

// Every cell of promises, samplings and relations; a dash is refused (docs/math/sampling.md, "Standing").
TEST(Analysis, SaysOnWhichSamplesAPromiseIsAttained) {
  constexpr char refused = '-', promised = 'p', dominated = 'd';
  const std::vector<Mechanism> promises{PureDp{1}, ApproxDp{1, 1e-3}, Gdp{1}};
  struct Row {
    std::optional<Sampling> sampling;
    std::array<std::string_view, 3> cells;  // add-or-remove-one, zero-out, replace-one, for each of the promises
  };
  const std::vector<Row> rows{{{}, {"ppp", "ppp", "ppp"}},
                              {Sampling::poisson(0.1), {"pp-", "pp-", "pp-"}},
                              {Sampling::fixed_size(10, 2), {"ddd", "ddd", "pdd"}},
                              {Sampling::fixed_size(10, 10), {"dpp", "dpp", "dpp"}},
                              {Sampling::padded_fixed_size(10, 2), {"dd-", "dd-", "dd-"}},
                              {Sampling::with_replacement(10, 2), {"ddd", "ddd", "ddd"}},
                              {Sampling::truncated_poisson(0.1, 10, 2), {"dd-", "dd-", "dd-"}},
                              {Sampling::shuffled(4), {"-dd", "-dd", "-dd"}},
                              {Sampling::random_allocation(4), {"ddd", "ddd", "ddd"}}};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < promises.size(); ++i) {
      const Mechanism step = row.sampling ? sampled(promises[i], *row.sampling) : promises[i];
      std::string found;
      for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one}) {
        try {
          const Standing standing = standing_of(Plan(relation).add(step, 3));
          EXPECT_NE(standing, Standing::attained);
          found += standing == Standing::promised ? promised : dominated;
        } catch (const Unsupported&) {
          found += refused;
        }
      }
      EXPECT_EQ(found, row.cells.at(i)) << step.kind() << ", "
                                        << (row.sampling ? to_string(row.sampling->scheme) : "not sampled");
    }
  }
}

TEST(Analysis, SaysForWhichUnitsAPromiseIsAttained) {
  const auto of_unit = [](const Mechanism& step) { return standing_of(Plan(Neighbors::zero_out, 2).add(step)); };
  EXPECT_EQ(of_unit(PureDp{1}), Standing::dominated);
  EXPECT_EQ(of_unit(ApproxDp{1, 1e-3}), Standing::dominated);
  EXPECT_EQ(of_unit(Gdp{1}), Standing::promised);
  EXPECT_EQ(of_unit(sampled(Gdp{1}, Sampling::poisson(0.1))), Standing::promised);
  EXPECT_EQ(of_unit(sampled(PureDp{1}, Sampling::poisson(0.1))), Standing::dominated);
  EXPECT_EQ(of_unit(Gaussian{1, 1}), Standing::attained);
}

TEST(Analysis, OneDominatedStepIsEnough) {
  const Mechanism fixed = sampled(Gaussian{1, 1}, Sampling::fixed_size(100, 10));
  EXPECT_EQ(standing_of(Plan(Neighbors::replace_one).add(PureDp{0.01}).add(fixed, 5)), Standing::dominated);
  EXPECT_EQ(standing_of(Plan().add(PureDp{0.01}).add(fixed, 5)), Standing::promised);
  EXPECT_EQ(standing_of(Plan().add(fixed, 5)), Standing::attained);
  EXPECT_EQ(standing_of(Plan().add(Exponential{1})), Standing::dominated);
}

// With every record drawn, none is left that would take the place of one that is removed; and of a batch that
// overflows, a record that is drawn may be left out.
TEST(Analysis, ARecordThatIsNeverExchangedIsDominated) {
  for (const Sampling& all : {Sampling::fixed_size(10, 10), Sampling::with_replacement(1, 3)}) {
    EXPECT_EQ(standing_of(Plan().add(sampled(Gaussian{1, 1}, all))), Standing::dominated);
    EXPECT_EQ(standing_of(Plan(Neighbors::replace_one).add(sampled(Gaussian{1, 1}, all))), Standing::attained);
    EXPECT_EQ(standing_of(Plan().add(sampled(NoOp{}, all))), Standing::attained);
  }
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one}) {
    const Mechanism step = sampled(Gaussian{1, 1}, Sampling::truncated_poisson(1, 10, 2));
    EXPECT_EQ(standing_of(Plan(relation).add(step)), Standing::dominated);
  }
}

TEST(Analysis, OnlyWhatIsNotAttainedIsRemarkedUpon) {
  EXPECT_EQ(standing_note(Standing::attained), "");
  EXPECT_THAT(std::string(standing_note(Standing::promised)), testing::HasSubstr("promise"));
  EXPECT_THAT(std::string(standing_note(Standing::dominated)), testing::HasSubstr("dominates"));
}

}  // namespace
}  // namespace renyi::plan_analysis_test
