// Other privacy notions of random plans over the whole stated domain.
#include <gtest/gtest.h>

#include "renyi/extras/relate.h"
#include "renyi/rdp.h"
#include "support/random_inputs.h"

namespace renyi::relate_plans_property_test {
namespace {

using test::RandomInputs;

void expect_sane(const Interval& value) {
  EXPECT_LE(0, value.lower);
  EXPECT_LE(value.lower, value.upper);
  EXPECT_TRUE(std::isfinite(value.upper));
}

// Steps of zcdp and cdp that bound the loss are epsilon-DP, and better than the curve they have.
bool curve_is_tight(const Plan& plan) {
  const auto merged = plan.merged();
  return std::none_of(merged.begin(), merged.end(), [](const CountedMechanism& m) {
    const auto curve = m.mechanism.curve();
    return curve->knowledge() == Knowledge::orders && std::isfinite(curve->worst_max_loss().value);
  });
}

// Every plan has an answer or a reason, over the whole stated domain.
TEST(RelatePlansProperty, EveryPlanHasAnAnswerOrAReason) {
  test::for_random_cases(0.03, [](RandomInputs& random) {
    const Plan plan = random.plan();
    const auto curve = compose(plan);
    const double order = 1 + random.log_uniform(1e-3, 1e3);
    const double divergence = curve_is_tight(plan) ? rdp(*curve, order).lower() : 0;
    const auto zcdp = to_zcdp(plan);
    EXPECT_NE(zcdp.found.has_value(), !zcdp.none.empty());
    if (zcdp.found) {
      expect_sane(zcdp.found->rho);
      EXPECT_LE(divergence, zcdp.found->rho.upper * order * (1 + 1e-15));
    }
    const auto tcdp = to_tcdp(plan, order);
    EXPECT_NE(tcdp.found.has_value(), !tcdp.none.empty());
    if (tcdp.found) {
      expect_sane(tcdp.found->rho);
      EXPECT_LE(divergence, tcdp.found->rho.upper * order * (1 + 1e-15));
    }
    const auto cdp = to_cdp(plan);
    EXPECT_NE(cdp.found.has_value(), !cdp.none.empty());
    if (cdp.found) {
      expect_sane(cdp.found->mu);
      expect_sane(cdp.found->tau);
      const double tau = cdp.found->tau.upper;
      EXPECT_LE(divergence, (cdp.found->mu.upper + (order - 1) * tau * tau / 2) * (1 + 1e-14));
    }
    const auto gdp = to_gdp(plan);
    EXPECT_NE(gdp.found.has_value(), !gdp.none.empty());
    if (gdp.found) {
      expect_sane(gdp.found->mu);
      EXPECT_LE(divergence, order * gdp.found->mu.upper * gdp.found->mu.upper / 2 * (1 + 1e-14));
    }
    const auto pure = to_pure(plan);
    EXPECT_NE(pure.found.has_value(), !pure.none.empty());
    if (pure.found) {
      EXPECT_LE(divergence, pure.found->epsilon.upper);
    }
  });
}

}  // namespace
}  // namespace renyi::relate_plans_property_test
