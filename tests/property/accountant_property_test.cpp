// Accountants over random schedules: the order of steps, breaks and merging.
#include <gtest/gtest.h>

#include <algorithm>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/accountant.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/account_parts.h"
#include "support/random_inputs.h"

namespace renyi::accountant_property_test {
namespace {

using test::RandomInputs;

// A noise schedule with some repetition.
std::vector<Mechanism> random_schedule(RandomInputs& random) {
  std::vector<Mechanism> kinds;
  for (std::size_t n = 1 + random.below(5); n > 0; --n) {
    switch (random.below(4)) {
      case 0: kinds.emplace_back(Gaussian{random.log_uniform(2, 50)}); break;
      case 1: kinds.emplace_back(Laplace{random.log_uniform(5, 50)}); break;
      default: kinds.emplace_back(SampledGaussian{random.log_uniform(1e-3, 0.3), random.log_uniform(0.6, 5)});
    }
  }
  std::vector<Mechanism> schedule;
  for (std::size_t n = 2 + random.below(30); n > 0; --n) schedule.push_back(kinds[random.below(kinds.size())]);
  return schedule;
}

// Saved and resumed at a random step, every later answer is the same double.
TEST(AccountantProperty, ResumesToTheSameNumbers) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const auto schedule = random_schedule(random);
    const std::size_t broken = random.below(schedule.size());
    Accountant whole, resumed;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      if (i == broken) {
        if (random.chance(0.5)) renyi_epsilon(resumed, 1e-5);
        resumed = Accountant(read_plan(write_plan(resumed.plan())));
      }
      const auto count = static_cast<std::int64_t>(20 + random.below(100));
      whole.step(schedule[i], count);
      resumed.step(schedule[i], count);
    }
    EXPECT_EQ(whole.steps(), resumed.steps());
    EXPECT_EQ(write_plan(whole.plan()), write_plan(resumed.plan()));
    const double delta = random.log_uniform(1e-10, 0.1), epsilon = random.log_uniform(0.1, 3);
    EXPECT_EQ(renyi_epsilon(whole, delta).upper, renyi_epsilon(resumed, delta).upper);
    EXPECT_EQ(renyi_delta(whole, epsilon).upper, renyi_delta(resumed, epsilon).upper);
    if (random.chance(0.5)) exact_delta(whole, 1.5 * epsilon);
    const ExactInterval a = exact_delta(whole, epsilon).worst, b = exact_delta(resumed, epsilon).worst;
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    const ExactInterval c = exact_epsilon(whole, delta).worst, d = PrivacyProfile(resumed.plan()).epsilon(delta).worst;
    EXPECT_EQ(c.lower, d.lower);
    EXPECT_EQ(c.upper, d.upper);
  });
}

TEST(AccountantProperty, TheOrderOfStepsDoesNotMatter) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    auto schedule = random_schedule(random);
    Accountant forward, backward;
    for (const Mechanism& m : schedule) forward.step(m, 50);
    std::reverse(schedule.begin(), schedule.end());
    for (const Mechanism& m : schedule) backward.step(m, 50);
    const double delta = random.log_uniform(1e-10, 0.1);
    const double a = renyi_epsilon(forward, delta).upper, b = renyi_epsilon(backward, delta).upper;
    EXPECT_NEAR(a, b, 1e-11 * a);
    const ExactInterval x = exact_epsilon(forward, delta).worst, y = exact_epsilon(backward, delta).worst;
    EXPECT_LE(x.lower, y.upper);
    EXPECT_LE(y.lower, x.upper);
  });
}

// Random plans, corners included: merged as Plan::merged does, whatever the number of parts they come in.
TEST(AccountantProperty, MergesAsPlansDo) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const Plan plan = random.plan();
    Accountant account;
    try {
      account.step(plan);
    } catch (const InvalidArgument& error) {  // above 2^63 in all
      EXPECT_EQ(error.path(), "count");
      EXPECT_EQ(account.steps(), 0);
      return;
    }
    const auto merged = plan.merged(), mine = account.plan().merged();
    ASSERT_EQ(merged.size(), mine.size());
    for (std::size_t i = 0; i < merged.size(); ++i) {
      EXPECT_EQ(merged[i].mechanism, mine[i].mechanism);
      EXPECT_EQ(merged[i].count, mine[i].count);
    }
    EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, renyi_epsilon(plan, 1e-5).upper);
  });
}

}  // namespace
}  // namespace renyi::accountant_property_test
