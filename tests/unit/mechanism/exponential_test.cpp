#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/discrete_pair.h"

namespace renyi::exponential_test {
namespace {

Mechanism exponential(double epsilon) { return make_mechanism("exponential", {{"epsilon", epsilon}}); }

TEST(Exponential, CostsNothingAtZero) {
  EXPECT_EQ(rdp(*exponential(0).curve(), 10).upper(), 0);
  EXPECT_THROW(exponential(-1), InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_mechanism("exponential")), InvalidArgument);
}

// Ranges add along a chain of neighbours; under the plan too.
TEST(Exponential, GroupsMultiplyTheRange) {
  const auto three = exponential(0.25).for_group(3);
  ASSERT_TRUE(three.has_value());
  EXPECT_GE(three->values()[0], 0.75);
  EXPECT_LE(three->values()[0], 0.75 * (1 + 1e-15));
  const double one = rdp(*compose(Plan(Neighbors::add_or_remove_one, 3).add(exponential(0.25))), 2).value;
  EXPECT_NEAR(one, rdp(*exponential(0.75).curve(), 2).value, 1e-14);
}

// n runs of the pair with the losses t and t - epsilon, by how often it is t.
test::DiscretePair composed(long double epsilon, long double t, int n) {
  const long double p = std::expm1(epsilon - t) * std::exp(t) / std::expm1(epsilon), q = p * std::exp(-t);
  test::DiscretePair pair;
  for (int k = 0; k <= n; ++k) {
    const long double ways = std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(n - k + 1.0L);
    pair.p.push_back(std::exp(ways + k * std::log(p) + (n - k) * std::log1p(-p)));
    pair.q.push_back(std::exp(ways + k * std::log(q) + (n - k) * std::log1p(-q)));
  }
  return pair;
}

// A known mistake: 100 steps at the price of one. The worst pair of the order, all compositions enumerated.
TEST(Exponential, AHundredStepsCostAsAHundred) {
  const auto curve = compose(Plan().add(exponential(0.1), 100));
  for (const double order : {2.0, 8.0, 40.0}) {
    long double most = 0;
    for (int i = 1; i < 400; ++i) {
      most = std::max(most, test::direct_renyi(composed(0.1L, 0.1L * i / 400, 100), order));
    }
    const double hundred = rdp(*curve, order).upper();
    EXPECT_GE(hundred, static_cast<double>(most) * (1 - 1e-12));
    EXPECT_LE(hundred, static_cast<double>(most) * (1 + 1e-4));
    EXPECT_NEAR(hundred, 100 * rdp(*exponential(0.1).curve(), order).value, 1e-12 * hundred);
  }
}

// (epsilon, delta) of those hundred: never below what some composition truly has.
TEST(Exponential, AHundredStepsAreNoCheaperThanTheirWorstComposition) {
  const Plan plan = Plan().add(exponential(0.1), 100);
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    long double most = 0;
    for (int i = 1; i < 100; ++i) {
      most = std::max(most, test::direct_hockey_stick(composed(0.1L, 0.1L * i / 100, 100), epsilon));
    }
    EXPECT_GE(renyi_delta(plan, epsilon).upper, static_cast<double>(most));
    EXPECT_GT(most, 1e-6L);  // one step has none: its epsilon is 0.1
  }
}

TEST(Exponential, SaysWhereItComesFrom) {
  const Notes notes = exponential(1).notes();
  EXPECT_FALSE(notes.exact.empty() || notes.bound.empty() || notes.relation.empty());
  ASSERT_EQ(notes.references.size(), 3U);
  for (const Reference& reference : notes.references) {
    EXPECT_NE(reference.bibtex.find(reference.key), std::string_view::npos);
  }
}

}  // namespace
}  // namespace renyi::exponential_test
