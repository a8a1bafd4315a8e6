// Random plans through the accountant, and calibration on its way back.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::account_property_test {
namespace {

using test::RandomInputs;

std::string describe(const Plan& plan) {
  std::string text;
  for (const CountedMechanism& m : plan.merged())
    text += fmt::format("{} x {}; ", test::describe(m.mechanism), m.count);
  return text;
}

TEST(AccountProperty, EpsilonAndDeltaAreSaneAndMonotone) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const Plan plan = random.plan();
    const auto curve = compose(plan);
    double low = random.delta(), high = random.delta();
    if (low > high) std::swap(low, high);
    const double epsilon = random.epsilon();
    SCOPED_TRACE(fmt::format("{} deltas {} {}, epsilon {}", describe(plan), low, high, epsilon));
    test::expect_no_throw([&] {
      const RenyiBound strict = renyi_epsilon(*curve, low), loose = renyi_epsilon(*curve, high);
      EXPECT_GE(strict.upper, 0);
      EXPECT_GE(loose.upper, 0);
      EXPECT_LE(loose.upper, strict.upper * (1 + 1e-11));
    });
    test::expect_no_throw([&] {
      const RenyiBound delta = renyi_delta(*curve, epsilon);
      EXPECT_GE(delta.upper, 0);
      EXPECT_LE(delta.upper, 1);
    });
  });
}

// The search over all orders is at least as good as any grid of them.
TEST(AccountProperty, NoGridBeatsTheSearch) {
  std::vector<double> orders;
  for (double z = 1e-6; z < 1e7; z *= 1.3) orders.push_back(1 + z);
  test::for_random_cases(0.1, [&](RandomInputs& random) {
    const Plan plan = random.plan();
    const auto curve = compose(plan);
    const double delta = random.delta();
    for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
      SCOPED_TRACE(fmt::format("{} delta {}, {}", describe(plan), delta, to_string(conversion)));
      const double searched = renyi_epsilon(*curve, delta, {conversion, {}}).upper;
      EXPECT_LE(searched, renyi_epsilon(*curve, delta, {conversion, orders}).upper * (1 + 1e-11));
    }
  });
}

TEST(AccountProperty, OneMoreStepNeverCostsLess) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const Plan plan = random.plan();
    Plan longer;
    longer.add(plan).add(PureDp{random.log_uniform(1e-9, 10)});
    const double delta = random.delta();
    SCOPED_TRACE(fmt::format("{} delta {}", describe(plan), delta));
    EXPECT_LE(renyi_epsilon(plan, delta).upper, renyi_epsilon(longer, delta).upper * (1 + 1e-11));
  });
}

TEST(AccountProperty, ThePlanAnswersLikeItsCurve) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const Plan plan = random.plan();
    const std::vector<double> orders{random.order(), random.order()};
    SCOPED_TRACE(fmt::format("{} orders {} {}", describe(plan), orders[0], orders[1]));
    const auto answers = rdp(plan, orders);
    ASSERT_EQ(answers.size(), orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) {
      test::expect_sane(answers[i]);
      test::expect_overlap(answers[i], rdp(*compose(plan), orders[i]));
      EXPECT_LE(answers[i].error, orders[i] <= 1e4 ? 1e-10 * answers[i].value : test::infinity);
    }
  });
}

const CalibrateOptions by_renyi{.by = Accounting::renyi};

// The answer is private, and moved by 1e-9 to the costly side it no longer is.
void expect_boundary(const Plan& plan, const std::string& parameter, const Target& target) {
  const bool noise = parameter == "noise_multiplier";
  const Mechanism best = std::get<Mechanism>(plan.steps()[0].what).with(parameter, noise ? 1e6 : 1e-100);
  if (renyi_epsilon(Plan().add(best, plan.steps()[0].count), target.delta).upper > target.epsilon) {
    EXPECT_THROW(calibrate(plan, {{0}, parameter}, target, by_renyi), Unsupported);
    return;
  }
  const Calibration found = calibrate(plan, {{0}, parameter}, target, by_renyi);
  SCOPED_TRACE(fmt::format("found {}", found.value));
  EXPECT_LE(found.cost.renyi->upper, target.epsilon);
  EXPECT_LE(renyi_epsilon(found.plan, target.delta).upper, target.epsilon);
  const auto& step = found.plan.steps()[0];
  const Mechanism m = std::get<Mechanism>(step.what);
  const double costly = found.value * (noise ? 1 - 1e-9 : 1 + 1e-9);
  for (const Parameter& p : m.parameters()) {
    if (p.name != parameter || !p.allows(costly)) continue;
    EXPECT_GT(renyi_epsilon(Plan().add(m.with(parameter, costly), step.count), target.delta).upper, target.epsilon);
  }
}

TEST(CalibrateProperty, NoiseAndRateStopAtTheBoundary) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-6, 1), random.log_uniform(0.3, 30)};
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, 1e7));
    const Target target{random.log_uniform(1e-3, 100), random.log_uniform(1e-20, 0.1)};
    SCOPED_TRACE(fmt::format("{} x {}, epsilon {}, delta {}", test::describe(m), count, target.epsilon, target.delta));
    const Plan plan = Plan().add(m, count);
    expect_boundary(plan, "noise_multiplier", target);
    expect_boundary(plan, "sampling_rate", target);
  });
}

TEST(CalibrateProperty, TheCountStopsAtTheBoundary) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-6, 1), random.log_uniform(0.5, 30)};
    const Target target{random.log_uniform(0.1, 100), random.log_uniform(1e-20, 0.1)};
    SCOPED_TRACE(fmt::format("{}, epsilon {}, delta {}", test::describe(m), target.epsilon, target.delta));
    const Plan plan = Plan().add(m);
    if (renyi_epsilon(plan, target.delta).upper > target.epsilon) {
      EXPECT_THROW(calibrate(plan, {{0}, "count"}, target, by_renyi), Unsupported);
      return;
    }
    const Calibration found = calibrate(plan, {{0}, "count"}, target, by_renyi);
    EXPECT_LE(found.cost.renyi->upper, target.epsilon);
    if (found.count < std::numeric_limits<std::int64_t>::max()) {
      EXPECT_GT(renyi_epsilon(Plan().add(m, found.count + 1), target.delta).upper, target.epsilon);
    }
  });
}

// Exactly accounted the value is private, as near to the boundary as intervals tell, and never further
// on the private side than the Renyi bound's.
TEST(CalibrateProperty, ByExactStopsAtTheBoundary) {
  test::for_random_cases(0.004, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-4, 1), random.log_uniform(0.5, 10)};
    const auto count = static_cast<std::int64_t>(random.log_uniform(1e3, 1e7));
    const Target target{random.log_uniform(0.1, 10), random.log_uniform(1e-12, 0.1)};
    SCOPED_TRACE(fmt::format("{} x {}, epsilon {}, delta {}", test::describe(m), count, target.epsilon, target.delta));
    const Unknown noise{{0}, "noise_multiplier"};
    const Calibration found = calibrate(Plan().add(m, count), noise, target);
    ASSERT_TRUE(found.cost.exact);
    EXPECT_LE(found.cost.exact->worst.upper, target.epsilon);
    EXPECT_LE(found.value, calibrate(Plan().add(m, count), noise, target, by_renyi).value * (1 + 1e-9));
    const ExactInterval wide = found.cost.exact->worst;
    if (wide.upper - wide.lower > 1e-9 * wide.upper) return;
    const SampledGaussian costly{m.sampling_rate, found.value * (1 - 2e-9)};
    EXPECT_GT(PrivacyProfile(Plan().add(costly, count)).epsilon(target.delta).worst.upper, target.epsilon);
  });
}

}  // namespace
}  // namespace renyi::account_property_test
