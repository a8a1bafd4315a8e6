// Laws of the closed forms on random parameters.
#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/discrete_pair.h"
#include "support/random_inputs.h"

namespace renyi::closed_form_delta_property_test {
namespace {

using test::RandomInputs;

Plan random_plan(RandomInputs& random) {
  const auto runs = static_cast<std::int64_t>(random.log_uniform(1, 1e6));
  switch (random.below(5)) {
    case 0: return Plan().add(Gaussian{random.log_uniform(0.05, 1e6)}, random.count());
    case 1: return Plan().add(SampledGaussian{random.sampling_rate(), random.noise_multiplier()});
    case 2: return Plan().add(Laplace{random.log_uniform(1e-3, 1e6)});
    case 3: return Plan().add(RandomizedResponse{random.uniform(0.001, 0.999)}, runs);
    default:
      return Plan().add(RandomizedResponse{random.uniform(0.001, 0.999), 2.0 + static_cast<double>(random.below(50))});
  }
}

ExactOptions closed_form() {
  ExactOptions options;
  options.engine = Engine::closed_form;
  return options;
}

// Falling with epsilon, and convex in e^epsilon.
TEST(ClosedFormDeltaProperty, FallsAndIsConvex) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const Plan plan = random_plan(random);
    const PrivacyProfile accountant(plan, closed_form());
    const double scale = std::min(50.0, renyi_epsilon(plan, 1e-9).upper);
    const double a = random.uniform(0, scale), c = random.uniform(a, scale),
                 b = std::log1p(0.5 * (std::expm1(a) + std::expm1(c)));
    const ExactAnswer at_a = accountant.delta(a), at_b = accountant.delta(b), at_c = accountant.delta(c);
    for (const auto direction : {&ExactAnswer::remove, &ExactAnswer::add}) {
      const ExactInterval x = at_a.*direction, y = at_b.*direction, z = at_c.*direction;
      EXPECT_LE(x.lower, x.upper);
      EXPECT_LE(z.lower, x.upper);
      EXPECT_LE(y.lower, 0.5 * (x.upper + z.upper) * (1 + 1e-9));
    }
  });
}

// epsilon(delta) and delta(epsilon) undo each other.
TEST(ClosedFormDeltaProperty, EpsilonProvesItself) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const PrivacyProfile accountant(random_plan(random), closed_form());
    const double delta = random.log_uniform(1e-300, 0.9);
    const ExactAnswer epsilon = accountant.epsilon(delta);
    for (const auto direction : {&ExactAnswer::remove, &ExactAnswer::add}) {
      const ExactInterval e = epsilon.*direction;
      ASSERT_LE(e.lower, e.upper);
      EXPECT_LE((accountant.delta(e.upper).*direction).lower, delta);
      if (e.lower > 0) {
        EXPECT_GE((accountant.delta(e.lower).*direction).upper, delta);
      }
    }
  });
}

TEST(ClosedFormDeltaProperty, ResponsesAgreeWithTheDefinition) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const double loss = random.log_uniform(1e-3, 4);
    const auto runs = static_cast<int>(1 + random.below(8));
    test::DiscretePair pair{{1}, {1}};
    for (int i = 0; i < runs; ++i) pair = test::product(pair, test::randomized_response_pair(loss));
    const double epsilon = random.uniform(0, 0.99) * loss * runs;
    const ExactInterval got = PrivacyProfile(Plan().add(PureDp{loss}, runs), closed_form()).delta(epsilon).worst;
    const long double truth = test::direct_hockey_stick(pair, epsilon);
    EXPECT_LE(static_cast<long double>(got.lower), truth * (1 + 1e-15L) + 1e-18L);
    EXPECT_GE(static_cast<long double>(got.upper), truth * (1 - 1e-15L) - 1e-18L);
    EXPECT_LE(got.upper - got.lower, 1e-11 * got.upper);
  });
}

}  // namespace
}  // namespace renyi::closed_form_delta_property_test
