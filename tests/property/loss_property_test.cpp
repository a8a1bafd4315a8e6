// The loss of random plans: probabilities that hold together.
#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/extras/privacy_loss.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::loss_property_test {
namespace {

using test::RandomInputs;

Direction random_direction(RandomInputs& random) { return random.chance(0.5) ? Direction::remove : Direction::add; }

void expect_probability(const TailProbability& p) {
  EXPECT_GE(p.lower, 0);
  EXPECT_LE(p.lower, p.upper);
  EXPECT_LE(p.upper, 1);
}

TEST(LossProperty, TailsAreProbabilitiesThatFallWithTheLoss) {
  test::for_random_cases(0.01, [](RandomInputs& random) {
    const Plan plan = random.plan();
    const Direction direction = random_direction(random);
    if (compose(plan)->finite_part()) {  // an infinite loss has no moments
      EXPECT_THROW(PrivacyLoss(plan, direction), Unsupported);
      return;
    }
    const PrivacyLoss loss(plan, direction);
    TailProbability before{1, 1};
    for (const double t : {-30.0, -1.0, 0.0, 0.1, 2.0, 50.0}) {
      SCOPED_TRACE(t);
      const TailProbability here = loss.at_least(t);
      expect_probability(here);
      EXPECT_LE(here.lower, before.upper);
      before = here;
    }
    expect_probability(loss.within(std::min(random.epsilon(), 1e6)));
  });
}

// Everyday training runs: nine in ten at least are served by the contour, and what that gives is
// narrow, below Chernoff's bound, and the pieces of the line add up.
TEST(LossProperty, TrainingRunsAreServedClosely) {
  int asked = 0, served = 0;
  test::for_random_cases(0.03, [&](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(2e-3, 0.3), random.log_uniform(0.7, 5)};
    const auto steps = static_cast<std::int64_t>(random.log_uniform(2e3, 1e5));
    SCOPED_TRACE(fmt::format("{} x {}", steps, test::describe(m)));
    const PrivacyLoss loss(Plan().add(m, steps), random_direction(random));
    const Cumulants c = loss.cumulants();
    const double sd = std::sqrt(c.variance), e = std::abs(c.mean) + sd * random.uniform(0, 4);
    const TailProbability above = loss.at_least(e), within = loss.within(e);
    ++asked;
    if (above.method == LossMethod::contour) {
      ++served;
      EXPECT_LE(above.upper - above.lower, 1e-9 * above.upper);
    }
    // Pr[|L| <= e] <= Pr[L >= -e], and 1 - Pr[|L| <= e] >= Pr[L > e].
    EXPECT_LE(within.lower, loss.at_least(-e).upper);
    EXPECT_GE(1 - within.lower, above.lower - 1e-15);
    // Cantelli: Pr[L - mean >= k sd] <= 1/(1 + k^2).
    const double k = (e - c.mean) / sd;
    EXPECT_LE(above.lower, k > 0 ? 1 / (1 + k * k) * (1 + 1e-9) : 1);
    // Chernoff at any order.
    for (const double s : {0.5, 1.0, 3.0}) {
      EXPECT_LE(above.lower, std::exp(loss.log_moment(s).upper() - s * e) * (1 + 1e-9));
    }
  });
  EXPECT_GE(10 * served, 9 * asked);
}

// Random plans with a Gaussian part have a density: E over both directions of the same event agree,
//     Pr_P[L >= t] >= e^t Pr_Q[L >= t], with Pr_Q[L >= t] = Pr_Q[L' <= -t] of the other direction.
TEST(LossProperty, TheTwoDirectionsAreTwoLawsOfOneEvent) {
  test::for_random_cases(0.03, [](RandomInputs& random) {
    Plan plan;
    plan.add(Gaussian{random.log_uniform(0.5, 5)}, 1 + static_cast<std::int64_t>(random.below(20)));
    plan.add(Laplace{random.log_uniform(0.5, 20)}, 1 + static_cast<std::int64_t>(random.below(5)));
    const double t = random.uniform(0, 3);
    const TailProbability p = PrivacyLoss(plan, Direction::remove).at_least(t);
    const TailProbability not_q = PrivacyLoss(plan, Direction::add).at_least(-t);  // L' >= -t means L <= t
    EXPECT_EQ(p.method, LossMethod::contour);
    EXPECT_GE(p.upper, std::exp(t) * (1 - not_q.upper) * (1 - 1e-9) - 1e-12);
  });
}

}  // namespace
}  // namespace renyi::loss_property_test
