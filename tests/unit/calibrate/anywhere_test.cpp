// Any one number of any step, wherever it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::anywhere_test {
namespace {

using ::testing::HasSubstr;
const Target usual{.epsilon = 3, .delta = 1e-5};
const CalibrateOptions by_renyi{.by = Accounting::renyi};

double exact_upper(const Plan& plan, double delta = usual.delta) {
  return PrivacyProfile(plan).epsilon(delta).worst.upper;
}

Mechanism two_parts(double noise) {
  return Parallel(
      {{Step{Mechanism(Gaussian{3})}},
       {Step{Mechanism(Laplace{40}), 3}, Step{Steps{Step{Mechanism(SampledGaussian{0.01, noise}), 500}}, 2}}});
}

TEST(CalibrateAnywhere, InsideParallelParts) {
  const Calibration found = calibrate(Plan().add(two_parts(7)), {{0, 1, 1, 0}, "noise_multiplier"}, usual);
  EXPECT_EQ(found.by, Accounting::exact);
  EXPECT_LE(exact_upper(Plan().add(two_parts(found.value))), usual.epsilon);
  EXPECT_GT(exact_upper(Plan().add(two_parts(found.value * (1 - 2e-9)))), usual.epsilon);
  EXPECT_EQ(exact_upper(found.plan), found.cost.exact->worst.upper);
  const Calibration count = calibrate(Plan().add(two_parts(1.1)), {{0, 1, 1, 0}, "count"}, usual);
  EXPECT_GT(count.count, 500);
}

// No number of this part can change the cost of the other part.
TEST(CalibrateAnywhere, AnotherPartMayCostTooMuch) {
  try {
    calibrate(Plan().add(two_parts(2)), {{0, 1, 0}, "scale"}, {.epsilon = 0.5, .delta = 1e-5});
    FAIL() << "found";
  } catch (const Unsupported& error) {
    EXPECT_NEAR(exact_upper(Plan().add(Gaussian{3})), 1.2710877, 1e-7);
    EXPECT_THAT(error.what(), HasSubstr("gives epsilon 1.27109;"));
  }
}

// Every step on the path is built anew, and keeps what it is called.
TEST(CalibrateAnywhere, NamesSurvive) {
  const auto named = [](std::variant<Mechanism, Steps> what, std::string name) {
    return Step{std::move(what), 2, std::move(name), "c"};
  };
  const Steps run{named(Mechanism(Gaussian{30}), "one try")};
  const Steps part{named(Steps{named(Mechanism(Gaussian{7}), "noise")}, "group")};
  Plan plan;
  plan.add(named(Mechanism(Parallel({part, run})), "parts"));
  plan.add(named(Mechanism(Select(run, Runs::geometric(2))), "tuning"));
  for (const Unknown& unknown : {Unknown{{0, 0, 0, 0}, "stddev"}, Unknown{{0, 0, 0, 0}, "count"},
                                 Unknown{{1, 0}, "stddev"}, Unknown{{1}, "runs.mean"}}) {
    const Calibration found = calibrate(plan, unknown, {.epsilon = 30, .delta = 1e-5}, by_renyi);
    const Steps& steps = found.plan.steps();
    EXPECT_EQ(steps[0].name, "parts");
    const auto& parts = std::get<Mechanism>(steps[0].what).get_if<Parallel>()->parts();
    EXPECT_EQ(parts[0][0].name, "group");
    EXPECT_EQ(std::get<Steps>(parts[0][0].what)[0].name, "noise");
    EXPECT_EQ(std::get<Steps>(parts[0][0].what)[0].comment, "c");
    EXPECT_EQ(parts[1][0].name, "one try");
    EXPECT_EQ(steps[1].name, "tuning");
    EXPECT_EQ(std::get<Mechanism>(steps[1].what).get_if<Select>()->steps()[0].comment, "c");
  }
  Plan units;
  units.add(named(Mechanism(Gaussian{30}), "noise"));
  EXPECT_EQ(calibrate(units, {{}, "unit"}, usual).plan.steps()[0].name, "noise");
}

TEST(CalibrateAnywhere, PathsIntoPartsNameThePart) {
  for (const std::vector<std::size_t>& path : {std::vector<std::size_t>{0, 0}, {0, 2, 0}, {0, 0, 1}, {0, 1, 0, 0}}) {
    EXPECT_THROW(calibrate(Plan().add(two_parts(2)), {path, "stddev"}, usual), InvalidArgument);
  }
}

Plan best_of(const Runs& runs, double noise = 2, std::int64_t count = 1000) {
  return Plan().add(Mechanism(Select({Step{Mechanism(SampledGaussian{0.01, noise}), count}}, runs)));
}

TEST(CalibrateAnywhere, InsideTheRunsOfASelection) {
  const Target target{.epsilon = 2, .delta = 1e-5};
  const auto cost = [&](const Plan& plan) { return renyi_epsilon(plan, target.delta).upper; };
  const Calibration noise = calibrate(best_of(Runs::geometric(10)), {{0, 0}, "noise_multiplier"}, target);
  EXPECT_EQ(noise.by, Accounting::renyi);
  EXPECT_LE(cost(best_of(Runs::geometric(10), noise.value)), 2);
  EXPECT_GT(cost(best_of(Runs::geometric(10), noise.value * (1 - 2e-9))), 2);
  const Calibration count = calibrate(best_of(Runs::geometric(10)), {{0, 0}, "count"}, target);
  EXPECT_LE(cost(best_of(Runs::geometric(10), 2, count.count)), 2);
  EXPECT_GT(cost(best_of(Runs::geometric(10), 2, count.count + 1)), 2);
}

TEST(CalibrateAnywhere, TheLawOfTheRuns) {
  const Target target{.epsilon = 2, .delta = 1e-5};
  const auto cost = [&](const Runs& runs) { return renyi_epsilon(best_of(runs), target.delta).upper; };
  const double mean = calibrate(best_of(Runs::geometric(1)), {{0}, "runs.mean"}, target).value;
  EXPECT_LE(cost(Runs::geometric(mean)), 2);
  EXPECT_GT(cost(Runs::geometric(mean * (1 + 1e-6))), 2);
  const double gamma = calibrate(best_of(Runs::logarithmic(1)), {{0}, "runs.gamma"}, target).value;
  EXPECT_LE(cost(Runs::logarithmic(gamma)), 2);
  EXPECT_GT(cost(Runs::logarithmic(gamma * (1 - 1e-6))), 2);
  // Shapes begin below 0.
  const Target tight{.epsilon = 1.15, .delta = 1e-5};
  const double eta = calibrate(best_of(Runs::negative_binomial(1, 0.01)), {{0}, "runs.eta"}, tight).value;
  EXPECT_LE(cost(Runs::negative_binomial(eta, 0.01)), 1.15);
  EXPECT_GT(cost(Runs::negative_binomial(eta + 1e-6, 0.01)), 1.15);
}

TEST(CalibrateAnywhere, TheLargestUnit) {
  const Calibration found = calibrate(Plan().add(Gaussian{100}, 100), {{}, "unit"}, usual);
  EXPECT_TRUE(found.is_whole);
  EXPECT_LE(exact_upper(Plan(Neighbors::add_or_remove_one, found.count).add(Gaussian{100}, 100)), 3);
  EXPECT_GT(exact_upper(Plan(Neighbors::add_or_remove_one, found.count + 1).add(Gaussian{100}, 100)), 3);
  EXPECT_EQ(found.plan.unit(), found.count);
}

// Not analysed is not the same as too dear: the answer says which it is.
TEST(CalibrateAnywhere, SaysWhyTheNextValuesAreNotAnalysed) {
  const Calibration found = calibrate(Plan().add(two_parts(2)), {{}, "unit"}, usual);
  EXPECT_EQ(found.count, 1);
  EXPECT_THAT(found.beyond, HasSubstr("several parts"));
  EXPECT_GT(found.unspent, 1);
}

TEST(CalibrateAnywhere, TheTargetItself) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  const Calibration epsilon = calibrate(plan, {{}, "epsilon"}, {.epsilon = -7, .delta = 1e-5}, {.digits = 3});
  EXPECT_EQ(epsilon.value, exact_upper(plan));
  EXPECT_EQ(epsilon.rounded->value, 5.2);
  EXPECT_DOUBLE_EQ(epsilon.rounded->unspent, 5.2 - epsilon.value);
  const Calibration delta = calibrate(plan, {{}, "delta"}, {.epsilon = 3, .delta = -7});
  EXPECT_EQ(delta.value, PrivacyProfile(plan).delta(3).worst.upper);
  EXPECT_EQ(delta.cost.renyi->upper, renyi_delta(plan, 3).upper);
  EXPECT_EQ(calibrate(plan, {{}, "delta"}, usual, by_renyi).value, renyi_delta(plan, 3).upper);
  EXPECT_EQ(calibrate(Plan().add(Zcdp{0.1}), {{}, "epsilon"}, usual).by, Accounting::renyi);
  EXPECT_THROW(calibrate(plan, {{}, "epsilon"}, {.epsilon = 1, .delta = 2}), InvalidArgument);
  EXPECT_THROW(calibrate(plan, {{}, "stddev"}, usual), InvalidArgument);
}

// ---- Whole numbers: the last that meets the target, and the next is too much.

void expect_last(const Mechanism& mechanism, const std::string& parameter, int towards_cost, std::int64_t steps = 1) {
  SCOPED_TRACE(parameter);
  const Calibration found = calibrate(Plan().add(mechanism, steps), {{0}, parameter}, usual);
  const auto with = [&](std::int64_t n) {
    return Plan().add(mechanism.with(parameter, static_cast<double>(n)), steps);
  };
  ASSERT_TRUE(found.is_whole);
  EXPECT_LE(exact_upper(with(found.count)), usual.epsilon);
  EXPECT_GT(exact_upper(with(found.count + towards_cost)), usual.epsilon);
  EXPECT_EQ(found.unspent, 0);
}

TEST(CalibrateWhole, ParametersOfMechanisms) {
  expect_last(make_mechanism("discrete-gaussian", {{"stddev", 10}, {"sensitivity", 1}}), "sensitivity", 1);
  const Mechanism tree = make_mechanism("tree-aggregation", {{"noise_multiplier", 4}, {"rounds", 1000}});
  expect_last(tree, "rounds", 1);
  expect_last(tree.with("noise_multiplier", 40), "participations", 1);
  expect_last(tree.with("noise_multiplier", 40).with("participations", 300), "min_separation", -1);
}

TEST(CalibrateWhole, NumbersOfTheSampling) {
  const Mechanism batch = Mechanism(Gaussian{1.5}).sampled_by(Sampling::fixed_size(60'000, 256));
  expect_last(batch, "sampling.batch_size", 1, 1000);
  expect_last(batch, "sampling.dataset_size", -1, 1000);
}

// Nothing below the batch makes sense, whatever it would cost.
TEST(CalibrateWhole, StopsAtWhatTheOtherNumbersAllow) {
  const Mechanism batch = Mechanism(Gaussian{150}).sampled_by(Sampling::fixed_size(60'000, 256));
  const Calibration found = calibrate(Plan().add(batch), {{0}, "sampling.dataset_size"}, usual);
  EXPECT_EQ(found.count, 256);
  EXPECT_THAT(found.beyond, HasSubstr("batch_size"));
}

TEST(CalibrateWhole, ASwitchMayHaveToBeOn) {
  const Mechanism vector =
      make_mechanism("sparse-vector", {{"threshold_scale", 1}, {"query_scale", 2}, {"monotonic", 0}});
  const Calibration off = calibrate(Plan().add(vector), {{0}, "monotonic"}, {.epsilon = 2.5, .delta = 0});
  EXPECT_EQ(off.count, 0);
  const Calibration on = calibrate(Plan().add(vector), {{0}, "monotonic"}, {.epsilon = 1.7, .delta = 0});
  EXPECT_EQ(on.count, 1);
}

TEST(CalibrateWhole, TotalsOfEqualStepsDoNotOverflow) {
  const Mechanism free = SampledGaussian{0, 1};
  const Plan plan = Plan().add(free, 1000).add(Steps{Step{free, 10}});
  const Calibration found = calibrate(plan, {{1}, "count"}, usual);
  EXPECT_GT(found.count, 900'000'000'000'000'000);
  EXPECT_THAT(found.beyond, HasSubstr("2^63"));
}

// ---- Ranges of the analysis may be narrower than those of a parameter.

TEST(CalibrateAnywhere, AnUnreachableTargetSaysWhatIsReachable) {
  Plan plan;
  plan.add(Mechanism(Gaussian{1}).sampled_by(Sampling::poisson(0.01)), 10'000).add(Gaussian{1});
  for (const CalibrateOptions& options : {CalibrateOptions{}, by_renyi}) {
    try {
      calibrate(plan, {{0}, "stddev"}, {.epsilon = 2, .delta = 1e-5}, options);
      FAIL() << "found";
    } catch (const Unsupported& error) {
      EXPECT_EQ(error.path(), "epsilon");
      EXPECT_THAT(error.what(), HasSubstr("cannot be reached: even stddev 999999.99"));
    }
  }
}

}  // namespace
}  // namespace renyi::anywhere_test
