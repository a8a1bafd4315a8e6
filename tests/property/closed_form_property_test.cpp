// Theorem 11 of Mironov, Talwar, Zhang 2019 where its conditions hold, and where they end.
#include <gtest/gtest.h>

#include "renyi/papers/closed_form.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::closed_form_property_test {
namespace {

using test::RandomInputs;

SampledGaussian random_step(RandomInputs& random) {
  const double rate = random.chance(0.2) ? random.one_of({0.2, 0.1, 1e-100}) : random.log_uniform(1e-6, 0.2);
  const double noise = random.chance(0.2) ? random.one_of({4, 1e3, 1e6}) : random.log_uniform(4, 100);
  return {rate, noise};
}

// The orders served are (1, end]: a random order is served if and only if it is there.
TEST(ClosedFormProperty, TheConditionsHoldUpToTheirEndAndNoFurther) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const SampledGaussian step = random_step(random);
    const ClosedFormEnd end = closed_form_end(step);
    SCOPED_TRACE(fmt::format("q {}, s {}, end {}", step.sampling_rate, step.noise_multiplier, end.order));
    ASSERT_GT(end.order, 1);
    EXPECT_EQ(closed_form_obstacle(step, end.order), "");
    const std::string beyond = closed_form_obstacle(step, std::nextafter(end.order, test::infinity));
    EXPECT_EQ(beyond.substr(0, end.condition.size()), end.condition);
    const double below = 1 + (end.order - 1) * random.log_uniform(1e-12, 1 - 1e-9);
    EXPECT_EQ(closed_form_obstacle(step, std::max(below, std::nextafter(1.0, 2.0))), "") << below;
    const double above = end.order * (1 + random.log_uniform(1e-9, 1e6));
    EXPECT_NE(closed_form_obstacle(step, above), "") << above;
  });
}

TEST(ClosedFormProperty, TheExactCurveIsNeverAboveTheBound) {
  test::for_random_cases(1, [](RandomInputs& random) {
    Plan plan;
    double end = test::infinity;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      const SampledGaussian step = random_step(random);
      end = std::min(end, closed_form_end(step).order);
      plan.add(step, static_cast<std::int64_t>(random.log_uniform(1, 1e6)));
    }
    const double z = end - 1;
    const std::vector<double> orders{end, 1 + 0.5 * z, 1 + z * random.uniform(), 1 + z * random.log_uniform(1e-6, 1)};
    for (const ClosedFormRow& row : compare_closed_form(plan, orders).rows) {
      SCOPED_TRACE(fmt::format("order {} of {}", row.order, end));
      ASSERT_TRUE(row.closed_form) << row.obstacle;
      EXPECT_LE(row.exact.upper(), row.closed_form->lower());
      EXPECT_GE(*row.ratio_estimate, 1);
    }
  });
}

}  // namespace
}  // namespace renyi::closed_form_property_test
