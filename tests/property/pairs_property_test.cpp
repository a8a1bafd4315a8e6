// Exact figures of random one-dimensional pairs against their definition, and the engines against each other.
#include <gtest/gtest.h>

#include "exact/closed_form/profile.h"
#include "exact/lattice/step_law.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/pairs.h"
#include "support/random_inputs.h"

namespace renyi::pairs_property_test {
namespace {

using monotone::Reading;
using test::for_random_cases;
using test::RandomInputs;

struct RandomPair {
  std::shared_ptr<const monotone::MonotonePair> pair;
  test::Sampled sampled;
  Reading reading;

  long double delta(Direction direction, double epsilon) const {
    return reading == Reading::symmetric ? test::symmetric_delta(sampled, epsilon)
                                         : test::one_sided_delta(sampled, direction, epsilon);
  }
};

RandomPair random_monotone_pair(RandomInputs& inputs) {
  const double q = inputs.chance(0.8) ? inputs.log_uniform(1e-5, 0.999) : 1 - inputs.log_uniform(1e-6, 0.5);
  const double width = inputs.log_uniform(0.2, 20);
  const Reading reading = inputs.chance(0.5) ? Reading::symmetric : Reading::one_sided;
  if (inputs.chance(0.5))
    return {sampling::gaussian_pair({q, width}, reading), test::sampled_normal(q, width), reading};
  return {sampling::laplace_pair(q, width, reading), test::sampled_laplace(q, width), reading};
}

Direction random_direction(RandomInputs& inputs) { return inputs.chance(0.5) ? Direction::remove : Direction::add; }

TEST(PairsProperty, OneStepHoldsTheDefinition) {
  for_random_cases(0.5, [](RandomInputs& inputs) {
    const RandomPair first = random_monotone_pair(inputs), second = random_monotone_pair(inputs);
    const double weight = inputs.uniform(0.01, 0.99);
    const Direction direction = random_direction(inputs);
    const double epsilon = inputs.chance(0.1) ? 0 : inputs.log_uniform(1e-5, 10);
    const auto curve = test::pairs_curve({{weight, first.pair}, {1 - weight, second.pair}});
    const Interval found = exact::pairs_profile(curve, direction)(epsilon);
    const long double truth =
        weight * first.delta(direction, epsilon) + (1 - weight) * second.delta(direction, epsilon);
    const long double noise = 2e-19L * (1 + std::exp(static_cast<long double>(epsilon)));
    EXPECT_LE(found.lower, truth + noise);
    EXPECT_GE(found.upper, truth - noise);
    if (truth > 1e-15L) {
      EXPECT_LE(found.upper - found.lower, 1e-10 * found.upper + 1e-13);
    }
  });
}

// Both roundings, on any grid and under any tilt.
TEST(PairsProperty, CellsAreRoundedToEitherSide) {
  for_random_cases(0.1, [](RandomInputs& inputs) {
    const RandomPair pair = random_monotone_pair(inputs);
    const Direction direction = random_direction(inputs);
    const auto law = exact::lattice::pairs_law(test::pairs_curve({{1, pair.pair}}), 1, direction);
    ASSERT_NE(law, nullptr);
    exact::lattice::Grid grid{
        .h = inputs.log_uniform(1e-3, 0.3), .c = inputs.log_uniform(0.1, 10), .log_negligible = -45};
    const auto above = exact::lattice::pessimistic(law->cut(grid, true), grid);
    const auto below = exact::lattice::optimistic(law->cut(grid, false), grid);
    for (int i = 0; i < 10; ++i) {
      const double epsilon = inputs.uniform(-2, 3);
      const long double truth = pair.delta(direction, epsilon);
      const auto delta = [&](const exact::lattice::Masses& masses) {
        long double sum = 0;
        for (std::size_t k = 0; k < masses.w.size(); ++k) {
          const long double l =
              masses.offset + static_cast<long double>(masses.first + static_cast<std::int64_t>(k)) * grid.h;
          if (l > epsilon) sum -= masses.w[k] * std::exp(masses.log_scale - grid.c * l) * std::expm1(epsilon - l);
        }
        return sum;
      };
      // What is left out is charged: as infinite loss, or as tilted mass, which may weigh much far from where the tilt
      // is.
      const long double infinite = std::exp(static_cast<long double>(above.log_infinite));
      const long double dropped =
          above.dropped * std::exp(above.log_scale - static_cast<long double>(grid.c) * epsilon);
      EXPECT_GE(delta(above) + infinite + dropped, truth * (1 - 1e-12L) - 1e-14L);
      EXPECT_LE(delta(below), truth * (1 + 1e-12L) + 1e-14L);
    }
  });
}

TEST(PairsProperty, EnginesAgreeOnOneStep) {
  for_random_cases(0.02, [](RandomInputs& inputs) {
    const RandomPair pair = random_monotone_pair(inputs);
    const Plan plan = Plan().add(test::pairs_step({{1, pair.pair}}));
    const double delta = inputs.log_uniform(1e-8, 0.1);
    const ExactAnswer formula = PrivacyProfile(plan, {.engine = Engine::closed_form}).epsilon(delta);
    if (formula.add.upper == 0 || formula.remove.upper == 0) return;
    const ExactAnswer grid = PrivacyProfile(plan, {.engine = Engine::lattice}).epsilon(delta);
    EXPECT_LE(grid.remove.lower, formula.remove.upper);
    EXPECT_GE(grid.remove.upper, formula.remove.lower);
    EXPECT_LE(grid.add.lower, formula.add.upper);
    EXPECT_GE(grid.add.upper, formula.add.lower);
  });
}

// More steps, a larger rate and a larger weight never cost less.
TEST(PairsProperty, EpsilonIsMonotone) {
  for_random_cases(0.005, [](RandomInputs& inputs) {
    const double q = inputs.log_uniform(1e-3, 0.3), s = inputs.log_uniform(0.5, 5);
    const auto steps = static_cast<std::int64_t>(inputs.log_uniform(1, 300));
    const auto epsilon = [&](double weight, double rate, std::int64_t n) {
      const auto pair = sampling::gaussian_pair({rate, s}, Reading::symmetric);
      return PrivacyProfile(Plan().add(test::pairs_step({{weight, pair}}), n)).epsilon(1e-5).worst;
    };
    const ExactInterval base = epsilon(0.5, q, steps);
    EXPECT_LE(base.lower, epsilon(0.5, q, steps + 1).upper);
    EXPECT_LE(base.lower, epsilon(0.5, 1.2 * q, steps).upper);
    EXPECT_LE(base.lower, epsilon(0.7, q, steps).upper);
  });
}

}  // namespace
}  // namespace renyi::pairs_property_test
