// Composition adds curves, whatever the mechanisms.
#include <gtest/gtest.h>

#include <algorithm>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::composition_laws_test {
namespace {

using test::both_directions;
using test::expect_overlap;
using test::value_of;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

Bounded times(std::int64_t n, const Bounded& b) {
  if (std::isinf(b.value)) return b;
  const double value = static_cast<double>(n) * b.value;
  return {value, static_cast<double>(n) * b.error + 1e-15 * value};
}

void expect_same_curve(const Curve& a, const Curve& b) {
  for (const Direction direction : both_directions) {
    for (const double z : {0.001, 0.5, 3.0, 100.0}) {
      const LogMoment ka = a.log_moment(z, direction), kb = b.log_moment(z, direction);
      expect_overlap(value_of(ka), value_of(kb));
      expect_overlap(test::slope_of(ka), test::slope_of(kb));
      ASSERT_EQ(a.knowledge(), b.knowledge());
      if (!test::has_complex_points(a)) continue;
      const std::complex<double> off(z, 0.3);
      const ComplexLogMoment ca = a.log_moment(off, direction), cb = b.log_moment(off, direction);
      EXPECT_LE(std::abs(ca.value - cb.value), ca.error + cb.error);
    }
    EXPECT_LE(a.max_loss(direction).lower(), b.max_loss(direction).upper());
    EXPECT_LE(b.max_loss(direction).lower(), a.max_loss(direction).upper());
    expect_overlap(a.infinite_mass(direction), b.infinite_mass(direction));
  }
  const auto finite_a = a.finite_part(), finite_b = b.finite_part();
  ASSERT_EQ(finite_a == nullptr, finite_b == nullptr);
  if (finite_a) expect_same_curve(*finite_a, *finite_b);
}

void expect_same_answers(const Plan& a, const Plan& b) {
  const std::vector<double> orders{1, 1.5, 8, 1e3, test::infinity};
  for (const std::optional<Direction> direction :
       {std::optional<Direction>(), std::optional(Direction::remove), std::optional(Direction::add)}) {
    const auto first = rdp(a, orders, {.direction = direction}), second = rdp(b, orders, {.direction = direction});
    for (std::size_t i = 0; i < orders.size(); ++i) EXPECT_EQ(first[i].upper(), second[i].upper()) << orders[i];
  }
  for (const double delta : {0.0, 1e-300, 1e-5, 0.3}) {
    EXPECT_EQ(renyi_epsilon(a, delta).upper, renyi_epsilon(b, delta).upper) << delta;
  }
  for (const double epsilon : {0.0, 1.0, 745.0}) {
    EXPECT_EQ(renyi_delta(a, epsilon).upper, renyi_delta(b, epsilon).upper) << epsilon;
  }
}

// Nothing where there are no exact figures.
std::optional<ExactAnswer> exact_epsilon(const Plan& plan) {
  try {
    return PrivacyProfile(plan).epsilon(1e-5);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

// Whichever part a record lies in.
TEST(CompositionLaws, EqualPartsInParallelAreThePart) {
  for (const Mechanism& m : test::all_corners()) {
    if (test::is_replacement_only(m)) continue;
    SCOPED_TRACE(test::describe(m));
    const Steps part{Step{m, 3}};
    expect_same_answers(Plan().add(Parallel({part}), 2), Plan().add(m, 6));
    expect_same_answers(Plan().add(m).add(Parallel({part, part})), Plan().add(m, 4));
  }
}

TEST(CompositionLaws, EqualPartsInParallelHaveTheExactFiguresOfThePart) {
  for (const Mechanism& m : all_mechanisms()) {
    if (test::is_replacement_only(m)) continue;
    SCOPED_TRACE(test::describe(m));
    const Steps part{Step{m}, Step{Gaussian{9}}};
    const auto expected = exact_epsilon(Plan().add(part));
    for (const auto& parts : {std::vector<Steps>{part}, std::vector<Steps>{part, part, part}}) {
      const auto found = exact_epsilon(Plan().add(Parallel(parts)));
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!expected) continue;
      EXPECT_EQ(found->remove.lower, expected->remove.lower);
      EXPECT_EQ(found->remove.upper, expected->remove.upper);
      EXPECT_EQ(found->add.upper, expected->add.upper);
    }
  }
}

TEST(CompositionLaws, RunningNTimesCostsNTimesAsMuch) {
  for (const Mechanism& m : test::all_corners()) {
    const auto one = m.curve();
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{1000}, most}) {
      SCOPED_TRACE(test::describe(m) + " n = " + std::to_string(n));
      const auto many = compose(Plan(test::relation_of(m)).add(m, n));
      for (const Direction direction : both_directions) {
        for (const double z : {0.0, 0.5, 16.0, 999.0}) {
          const LogMoment k1 = one->log_moment(z, direction), kn = many->log_moment(z, direction);
          expect_overlap(times(n, value_of(k1)), value_of(kn));
          expect_overlap(times(n, test::slope_of(k1)), test::slope_of(kn));
        }
        expect_overlap(times(n, one->max_loss(direction)), many->max_loss(direction));
      }
    }
  }
}

void expect_order_not_to_matter(std::vector<Mechanism> steps) {
  const auto plan_of = [](const std::vector<Mechanism>& mechanisms) {
    Plan plan;
    for (const Mechanism& mechanism : mechanisms) plan.add(mechanism, 3);
    return plan;
  };
  const auto first = compose(plan_of(steps));
  std::reverse(steps.begin(), steps.end());
  expect_same_curve(*first, *compose(plan_of(steps)));
  std::rotate(steps.begin(), steps.begin() + 3, steps.end());
  expect_same_curve(*first, *compose(plan_of(steps)));
}

TEST(CompositionLaws, TheOrderOfStepsNeverMatters) {
  std::vector<Mechanism> steps = test::everyday_settings();
  expect_order_not_to_matter(steps);
  // Steps with infinite divergences are removed, because they hide the others.
  std::erase_if(steps, [](const Mechanism& m) { return !test::has_finite_orders(*m.curve()); });
  expect_order_not_to_matter(steps);
  // The remaining steps support complex orders, which are checked too.
  std::erase_if(steps, [](const Mechanism& m) { return !test::has_complex_points(*m.curve()); });
  expect_order_not_to_matter(steps);
}

TEST(CompositionLaws, EqualStepsMergeWhereverTheyStand) {
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    Plan apart;
    apart.add(m, 2).add(PureDp{0.125}).add(Steps{Step{m, 3}, Step{PureDp{0.125}, 1}}, 4).add(m);
    Plan together;
    together.add(m, 15).add(PureDp{0.125}, 5);
    const auto merged = apart.merged();
    ASSERT_EQ(merged.size(), 2U);
    EXPECT_EQ(merged[0].mechanism, m);
    EXPECT_EQ(merged[0].count, 15);
    EXPECT_EQ(merged[1].count, 5);
    expect_same_curve(*compose(apart), *compose(together));
  }
}

TEST(CompositionLaws, CurvesAdd) {
  const auto settings = test::everyday_settings();
  for (const Mechanism& a : settings) {
    for (const Mechanism& b : settings) {
      SCOPED_TRACE(test::describe(a) + " + " + test::describe(b));
      const auto sum = compose(Plan().add(a).add(b));
      const LogMoment ka = a.curve()->log_moment(2.5, Direction::remove);
      const LogMoment kb = b.curve()->log_moment(2.5, Direction::remove);
      const double both = ka.value + kb.value;
      const Bounded total = value_of(sum->log_moment(2.5, Direction::remove));
      if (std::isinf(both)) {
        EXPECT_EQ(total.lower(), test::infinity);
      } else {
        expect_overlap({both, ka.error + kb.error + 1e-15 * both}, total);
      }
    }
  }
}

TEST(CompositionLaws, AnEmptyPlanCostsNothing) {
  const auto nothing = compose(Plan());
  EXPECT_EQ(rdp(*nothing, 2).upper(), 0);
  EXPECT_EQ(rdp(*nothing, test::infinity).upper(), 0);
  EXPECT_EQ(renyi_epsilon(*nothing, 1e-5).upper, 0);
  EXPECT_EQ(renyi_epsilon(*nothing, 0).upper, 0);
  EXPECT_EQ(renyi_delta(*nothing, 0).upper, 0);
}

}  // namespace
}  // namespace renyi::composition_laws_test
