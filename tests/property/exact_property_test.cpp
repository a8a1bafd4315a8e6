// Exact intervals of random plans: well formed, ordered, and the same whichever engine gives them.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::exact_property_test {
namespace {

using test::RandomInputs;

std::string show(const ExactInterval& f) { return fmt::format("[{}, {}] {}", f.lower, f.upper, to_string(f.engine)); }

void expect_overlap(const ExactInterval& a, const ExactInterval& b) {
  EXPECT_LE(a.lower, b.upper) << show(a) << " and " << show(b);
  EXPECT_LE(b.lower, a.upper) << show(a) << " and " << show(b);
}

// Any plan whose losses are known, corners of the domain included.
Plan known_plan(RandomInputs& random) {
  for (;;) {
    Plan plan = random.plan();
    if (compose(plan)->knowledge() == Knowledge::orders) continue;
    try {
      static_cast<void>(PrivacyProfile(plan));  // more steps than can be counted are refused
      return plan;
    } catch (const Unsupported&) {
      continue;
    }
  }
}

// Steps people run.
Plan everyday_plan(RandomInputs& random, std::size_t most_kinds, double most_steps) {
  Plan plan;
  for (std::size_t n = 1 + random.below(most_kinds); n > 0; --n) {
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, most_steps));
    switch (random.below(4)) {
      case 0: plan.add(Laplace{random.log_uniform(0.3, 30)}, count); break;
      case 1: plan.add(RandomizedResponse{random.uniform(0.51, 0.95)}, count); break;
      case 2: plan.add(Gaussian{random.log_uniform(0.5, 50)}, count); break;
      default: plan.add(SampledGaussian{random.log_uniform(1e-4, 0.9), random.log_uniform(0.3, 10)}, count);
    }
  }
  return plan;
}

std::optional<ExactAnswer> ask(const Plan& plan, Engine engine, double delta) {
  try {
    return PrivacyProfile(plan, {.engine = engine}).epsilon(delta);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

void expect_sound(const ExactInterval& figure, double most) {
  EXPECT_GE(figure.lower, 0);
  EXPECT_LE(figure.lower, figure.upper);
  EXPECT_LE(figure.upper, most);
  EXPECT_EQ(figure.contradiction, "");
}

TEST(ExactProperty, IntervalsAreSoundEverywhere) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const Plan plan = known_plan(random);
    const PrivacyProfile accountant(plan);
    const double delta = random.delta(), epsilon = random.epsilon();
    SCOPED_TRACE(fmt::format("delta {} epsilon {}", delta, epsilon));
    const ExactAnswer e = accountant.epsilon(delta), d = accountant.delta(epsilon);
    for (const ExactInterval& f : {e.worst, e.remove, e.add}) expect_sound(f, renyi_epsilon(plan, delta).upper);
    for (const ExactInterval& f : {d.worst, d.remove, d.add}) expect_sound(f, renyi_delta(plan, epsilon).upper);
    EXPECT_GE(e.worst.upper, std::max(e.remove.upper, e.add.upper));
    EXPECT_GE(d.worst.lower, std::max(d.remove.lower, d.add.lower));
  });
}

TEST(ExactProperty, DeltaFallsWithEpsilonAndRisesWithSteps) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    Plan plan = everyday_plan(random, 2, 1e4);
    const double epsilon = random.log_uniform(1e-3, 30), further = epsilon * random.uniform(1, 2);
    const ExactAnswer here = PrivacyProfile(plan).delta(epsilon);
    EXPECT_LE(PrivacyProfile(plan).delta(further).worst.lower, here.worst.upper);
    plan.add(Laplace{random.log_uniform(0.5, 30)});
    EXPECT_GE(PrivacyProfile(plan).delta(epsilon).worst.upper, here.worst.lower);
  });
}

// The interval of epsilon at delta's own ends.
TEST(ExactProperty, EpsilonAndDeltaAreInverse) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const PrivacyProfile accountant(everyday_plan(random, 2, 1e5));
    const double delta = random.log_uniform(1e-12, 0.9);
    SCOPED_TRACE(delta);
    const ExactAnswer answer = accountant.epsilon(delta);
    EXPECT_LE(accountant.delta(answer.worst.upper).worst.lower, delta * (1 + 1e-12));
    if (answer.worst.lower == 0) return;
    EXPECT_GE(accountant.delta(answer.worst.lower).worst.upper, delta * (1 - 1e-12));
  });
}

TEST(ExactProperty, ContourAndLatticeOverlap) {
  int both = 0;
  test::for_random_cases(0.03, [&](RandomInputs& random) {
    const Plan plan = everyday_plan(random, 3, 3e3);
    const double delta = random.log_uniform(1e-12, 0.1);
    SCOPED_TRACE(delta);
    const auto contour = ask(plan, Engine::contour, delta), lattice = ask(plan, Engine::lattice, delta);
    if (!contour || !lattice) return;
    ++both;
    expect_overlap(contour->remove, lattice->remove);
    expect_overlap(contour->add, lattice->add);
  });
  EXPECT_GE(both, 5);
}

TEST(ExactProperty, ContourAndClosedFormOverlap) {
  test::for_random_cases(0.03, [](RandomInputs& random) {
    Plan plan;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      plan.add(Gaussian{random.log_uniform(0.5, 1e3)}, static_cast<std::int64_t>(random.log_uniform(1, 1e6)));
    }
    const double delta = random.log_uniform(1e-30, 0.5);
    SCOPED_TRACE(delta);
    const auto contour = ask(plan, Engine::contour, delta), closed = ask(plan, Engine::closed_form, delta);
    ASSERT_TRUE(closed);
    if (contour) expect_overlap(contour->worst, closed->worst);
  });
}

}  // namespace
}  // namespace renyi::exact_property_test
