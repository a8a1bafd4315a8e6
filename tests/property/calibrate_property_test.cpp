// Random plans, random monotone unknowns: what is found meets the target, and a little further does not.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/extras/select.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::calibrate_property_test {
namespace {

using test::RandomInputs;

// The position of a step in a plan, and the path to it.
struct Place {
  std::function<Plan(const Step&)> plan_around;
  std::vector<std::size_t> path;
  bool is_selection = false;
};

Place any_place(RandomInputs& random) {
  const Step other{Mechanism(Laplace{random.log_uniform(200, 2000)}), 2};
  const Plan begun = Plan().add(Gaussian{random.log_uniform(60, 600)});
  const auto after = [begun](const Step& step) {
    return Plan(begun).add(Steps{step});  // a group of one
  };
  const double mean = random.log_uniform(1, 30);
  switch (random.below(4)) {
    case 0: return {after, {1, 0}};
    case 1: return {[=](const Step& step) { return Plan(begun).add(Steps{other, step}, 3); }, {1, 1}};
    case 2:
      return {[=](const Step& step) {
                return Plan(begun).add(Mechanism(Parallel({{other}, {other, step}})));
              },
              {1, 1, 1}};
    default:
      return {[=](const Step& step) {
                return after({Mechanism(Select({step, other}, Runs::geometric(mean))), 1});
              },
              {1, 0, 0},
              true};
  }
}

// A step with one number to be found.
struct Open {
  Step step;
  std::string parameter;

  Step with(double value, std::int64_t count) const {
    if (parameter == "count") return {step.what, count};
    return {std::get<Mechanism>(step.what).with(parameter, value), step.count};
  }
};

Open any_step(RandomInputs& random) {
  const auto count = static_cast<std::int64_t>(random.log_uniform(1, 50));
  switch (random.below(8)) {
    case 0: return {{Mechanism(Gaussian{1}), count}, "stddev"};
    case 1: return {{Mechanism(Laplace{1}), count}, "scale"};
    case 2: return {{Mechanism(SampledGaussian{random.log_uniform(1e-4, 0.5), 1}), count}, "noise_multiplier"};
    case 3: return {{Mechanism(SampledGaussian{1, random.log_uniform(0.8, 20)}), count}, "sampling_rate"};
    case 4: return {{Mechanism(Gaussian{random.log_uniform(40, 400)}), 1}, "count"};
    case 5: return {{make_mechanism("discrete-gaussian", {{"stddev", 1e4}, {"sensitivity", 1}}), count}, "sensitivity"};
    case 6: return {{Mechanism(SampledGaussian{random.log_uniform(1e-3, 0.1), 2}), 1}, "count"};
    default: return {{Mechanism(PureDp{1}), count}, "epsilon"};
  }
}

void expect_met_and_spent(RandomInputs& random, const CalibrateOptions& options) {
  const Place place = any_place(random);
  const Open open = any_step(random);
  const Target target{.epsilon = random.log_uniform(1.5, 8), .delta = random.log_uniform(1e-9, 1e-3)};
  const Calibration found = calibrate(place.plan_around(open.step), {place.path, open.parameter}, target, options);
  SCOPED_TRACE(fmt::format("{} = {} in place {} for epsilon {} at delta {}", open.parameter, found.value,
                           fmt::join(place.path, " "), target.epsilon, target.delta));
  const auto cost = [&](double value, std::int64_t count) {
    const Plan plan = place.plan_around(open.with(value, count));
    if (found.by == Accounting::renyi) return renyi_epsilon(plan, target.delta, options.conversion).upper;
    return PrivacyProfile(plan, options.exact).epsilon(target.delta).worst.upper;
  };
  EXPECT_LE(cost(found.value, found.count), target.epsilon);
  if (found.unspent > 0 || !found.beyond.empty()) return;
  const bool is_rate = open.parameter == "sampling_rate";
  if (found.value > 0.99 && is_rate) return;  // next to the end of the range
  const double way = found.effect == Effect::lowers_cost ? -1 : 1;
  // A rate of 0 stands apart. Bounds on selections have several best orders, and which one is found may change.
  const double step = place.is_selection ? 1e-2 : 1e-6, first_rate = 1e-30;
  const double further = found.value == 0 ? first_rate : found.value * (1 + way * step);
  const auto next =
      static_cast<std::int64_t>(way) * std::max<std::int64_t>(1, place.is_selection ? found.count / 100 : 0);
  EXPECT_GT(cost(found.is_whole ? found.value + static_cast<double>(next) : further, found.count + next),
            target.epsilon);
}

TEST(CalibrateProperty, RenyiTargetsAreMetAndSpent) {
  test::for_random_cases(0.05, [](RandomInputs& random) { expect_met_and_spent(random, {.by = Accounting::renyi}); });
}

TEST(CalibrateProperty, ExactTargetsAreMetAndSpent) {
  test::for_random_cases(0.01,
                         [](RandomInputs& random) { expect_met_and_spent(random, {.exact = {.tolerance = 1e-3}}); });
}

}  // namespace
}  // namespace renyi::calibrate_property_test
