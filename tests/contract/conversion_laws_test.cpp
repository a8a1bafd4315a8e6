// Tests conversions from curves to (epsilon, delta) and back for every mechanism.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::conversion_laws_test {
namespace {

constexpr double deltas[] = {1e-300, 1e-30, 1e-10, 1e-5, 0.01, 0.3, 0.9};
constexpr double rounding = 1e-11;

ConversionOptions on_grid(Conversion conversion) {
  return {conversion, std::vector<double>(traditional_orders().begin(), traditional_orders().end())};
}

// Returns an upper bound on the probability of an infinite loss.
double mass_of(const Curve& curve) {
  const double remove = curve.infinite_mass(Direction::remove).upper();
  return std::min(1.0, std::max(remove, curve.infinite_mass(Direction::add).upper()));
}

// Every corner run a few times, so that small and large costs are both met.
template <class Law>
void for_each_curve(const Law& law) {
  for (const Mechanism& m : test::all_corners()) {
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{10'000}}) {
      SCOPED_TRACE(test::describe(m) + " n = " + std::to_string(n));
      test::expect_no_throw([&] { law(*compose(Plan(test::relation_of(m)).add(m, n))); });
    }
  }
}

TEST(ConversionLaws, EpsilonIsANumberAndNeverRisesWithDelta) {
  for_each_curve([](const Curve& curve) {
    double before = renyi_epsilon(curve, 0).upper;
    for (const double delta : deltas) {
      const RenyiBound bound = renyi_epsilon(curve, delta);
      EXPECT_GE(bound.upper, 0) << delta;
      EXPECT_LE(bound.upper, before * (1 + rounding)) << delta;
      EXPECT_GE(bound.order, 1) << delta;
      before = bound.upper;
    }
    EXPECT_EQ(renyi_epsilon(curve, 1).upper, 0);
  });
}

TEST(ConversionLaws, DeltaIsAProbabilityAndNeverRisesWithEpsilon) {
  for_each_curve([](const Curve& curve) {
    double before = 1;
    for (const double epsilon : {0.0, 1e-6, 0.01, 0.5, 3.0, 40.0, 1e4}) {
      const RenyiBound bound = renyi_delta(curve, epsilon);
      EXPECT_GE(bound.upper, 0) << epsilon;
      EXPECT_LE(bound.upper, before * (1 + 1e-9)) << epsilon;
      before = bound.upper;
    }
    EXPECT_EQ(renyi_delta(curve, test::infinity).upper, mass_of(curve));
  });
}

// delta(epsilon(delta)) <= delta, up to the rounding of an exponent of this size.
TEST(ConversionLaws, TheWayBackIsConsistent) {
  for_each_curve([](const Curve& curve) {
    for (const double delta : deltas) {
      const RenyiBound there = renyi_epsilon(curve, delta);
      if (there.conversion == Conversion::total_variation || std::isinf(there.upper)) continue;
      const RenyiBound back = renyi_delta(curve, there.upper);
      if (there.conversion == Conversion::pure) {
        EXPECT_EQ(back.upper, mass_of(curve)) << delta;
        continue;
      }
      const double z = there.order - 1;
      const auto finite = curve.finite_part();
      const double exponent = (finite ? *finite : curve).worst_log_moment(z).value + z * there.upper;
      EXPECT_LE(std::log(back.upper), std::log(delta) + 1e-9 + rounding * exponent) << delta << " " << there.upper;
    }
  });
}

TEST(ConversionLaws, AllOrdersBeatTheGridAndTightBeatsClassical) {
  for_each_curve([](const Curve& curve) {
    for (const double delta : deltas) {
      const double all = renyi_epsilon(curve, delta).upper;
      const double grid = renyi_epsilon(curve, delta, on_grid(Conversion::tight)).upper;
      const double classical = renyi_epsilon(curve, delta, on_grid(Conversion::classical)).upper;
      EXPECT_LE(all, grid * (1 + rounding)) << delta;
      EXPECT_LE(grid, classical * (1 + rounding)) << delta;
      const double all_classical = renyi_epsilon(curve, delta, {Conversion::classical, {}}).upper;
      EXPECT_LE(all, all_classical * (1 + rounding)) << delta;
      EXPECT_LE(all_classical, classical * (1 + rounding)) << delta;
    }
  });
}

TEST(ConversionLaws, AllOrdersBeatTheGridForDeltaToo) {
  for_each_curve([](const Curve& curve) {
    for (const double epsilon : {0.0, 0.01, 0.5, 3.0, 40.0}) {
      const double all = renyi_delta(curve, epsilon).upper;
      const double grid = renyi_delta(curve, epsilon, on_grid(Conversion::tight)).upper;
      const double classical = renyi_delta(curve, epsilon, on_grid(Conversion::classical)).upper;
      EXPECT_LE(all, grid * (1 + 1e-9)) << epsilon;
      EXPECT_LE(grid, classical * (1 + 1e-9)) << epsilon;
    }
  });
}

// No order does better: neighbours of the reported order, and orders far from it.
TEST(ConversionLaws, TheReportedOrderIsTheBest) {
  for_each_curve([](const Curve& curve) {
    for (const double delta : {1e-10, 1e-5, 0.01}) {
      const RenyiBound best = renyi_epsilon(curve, delta);
      if (best.conversion != Conversion::tight) continue;
      for (const double factor : {0.01, 0.5, 0.99, 1.01, 2.0, 100.0}) {
        const double order = 1 + (best.order - 1) * factor;
        if (order == 1 || order > largest_order) continue;
        EXPECT_LE(best.upper, renyi_epsilon(curve, delta, {Conversion::tight, {{order}}}).upper * (1 + rounding))
            << delta << " " << order;
      }
    }
  });
}

TEST(ConversionLaws, MoreStepsNeverCostLessAndTwiceAsManyAtMostDouble) {
  const ConversionOptions classical{Conversion::classical, {}};
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    for (std::int64_t n = 1; n < 1'000'000; n *= 10) {
      const auto once = compose(Plan().add(m, n)), twice = compose(Plan().add(m, 2 * n));
      EXPECT_LE(renyi_epsilon(*once, 1e-5).upper, renyi_epsilon(*twice, 1e-5).upper * (1 + rounding)) << n;
      if (once->finite_part()) continue;  // the remaining part of delta becomes smaller too
      const double one = renyi_epsilon(*once, 1e-5, classical).upper;
      EXPECT_LE(renyi_epsilon(*twice, 1e-5, classical).upper, 2 * one * (1 + rounding)) << n;
    }
  }
}

}  // namespace
}  // namespace renyi::conversion_laws_test
