// Laws of the real curve, over every mechanism and its corner settings.
#include <gtest/gtest.h>

#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::curve_laws_test {
namespace {

using test::both_directions;
using test::expect_not_above;
using test::for_each_corner;
using test::name_of;
using test::slope_of;
using test::some_orders_of;
using test::value_of;

TEST(CurveLaws, EveryValueIsSane) {
  for_each_corner([](const Curve& curve, Direction direction) {
    for (const double order : some_orders_of(curve)) {
      SCOPED_TRACE(order);
      const LogMoment k = curve.log_moment(order - 1, direction);
      test::expect_sane(value_of(k));
      test::expect_sane(slope_of(k));
      EXPECT_TRUE(std::isfinite(value_of(k).upper()));
      EXPECT_FALSE(std::isnan(k.curvature));
      test::expect_sane(divergence(curve, order, direction));
    }
  });
}

TEST(CurveLaws, TheErrorIsSmallUpToOrder10000) {
  for_each_corner([](const Curve& curve, Direction direction) {
    for (const double order : some_orders_of(curve)) {
      if (order > 1e4) continue;
      SCOPED_TRACE(order);
      const Bounded d = divergence(curve, order, direction);
      EXPECT_LE(d.error, 1e-10 * d.value);
    }
  });
}

TEST(CurveLaws, VanishesAtZero) {
  for_each_corner([](const Curve& curve, Direction direction) {
    const LogMoment k = curve.log_moment(0, direction);
    EXPECT_EQ(k.value, 0);
    EXPECT_EQ(value_of(k).upper(), 0);
  });
}

TEST(CurveLaws, DivergenceNeverFallsWithTheOrder) {
  for_each_corner([](const Curve& curve, Direction direction) {
    Bounded before;
    for (const double order : some_orders_of(curve)) {
      SCOPED_TRACE(order);
      const Bounded here = divergence(curve, order, direction);
      expect_not_above(before, here);
      before = here;
    }
    expect_not_above(before, divergence(curve, test::infinity, direction));
  });
}

// K(z) <= the chord between its neighbours.
TEST(CurveLaws, IsConvex) {
  for_each_corner([&](const Curve& curve, Direction direction) {
    const auto orders = some_orders_of(curve);
    for (std::size_t i = 1; i + 1 < orders.size(); ++i) {
      SCOPED_TRACE(orders[i]);
      const double z0 = orders[i - 1] - 1, z1 = orders[i] - 1, z2 = orders[i + 1] - 1;
      const double share = (z1 - z0) / (z2 - z0);
      const double chord = (1 - share) * value_of(curve.log_moment(z0, direction)).upper() +
                           share * value_of(curve.log_moment(z2, direction)).upper();
      EXPECT_LE(value_of(curve.log_moment(z1, direction)).lower(), chord * (1 + 1e-15));
    }
  });
}

// Convexity again: the tangent lies below the chord to the right and above the one to the left.
TEST(CurveLaws, TheSlopeLiesBetweenTheDifferences) {
  for_each_corner([](const Curve& curve, Direction direction) {
    for (const double order : some_orders_of(curve)) {
      SCOPED_TRACE(order);
      const double z = order - 1, left = z * (1 - 0x1p-7), right = z > 0 ? z * (1 + 0x1p-7) : 0x1p-7;
      if (right > curve.last_order() - 1) continue;
      const Bounded k = value_of(curve.log_moment(z, direction)), slope = slope_of(curve.log_moment(z, direction));
      const Bounded below = value_of(curve.log_moment(left, direction));
      const Bounded above = value_of(curve.log_moment(right, direction));
      EXPECT_LE(k.lower() - below.upper(), (z - left) * slope.upper() * (1 + 1e-15));
      EXPECT_LE((right - z) * slope.lower() * (1 - 1e-15), above.upper() - k.lower());
    }
  });
}

// The curvature guides searches: it has to follow the slope's differences.
TEST(CurveLaws, TheCurvatureFollowsTheSlope) {
  for (const Mechanism& m : test::everyday_settings()) {
    const auto curve = m.curve();
    for (const Direction direction : both_directions) {
      for (const double z : {1e-3, 0.5, 2.0, 7.5, 30.0}) {
        if (z * (1 + 1e-3) > curve->last_order() - 1) continue;
        SCOPED_TRACE(test::describe(m) + " " + name_of(direction) + " z = " + std::to_string(z));
        const double h = 1e-3 * z;
        const LogMoment k = curve->log_moment(z, direction);
        const LogMoment left = curve->log_moment(z - h, direction), right = curve->log_moment(z + h, direction);
        const double noise = (left.slope_error + right.slope_error + 1e-15 * k.slope) / h;
        EXPECT_NEAR((right.slope - left.slope) / (2 * h), k.curvature, 0.01 * k.curvature + noise);
      }
    }
  }
}

// D_(1+t) - D_1 = t K''/2 to first order, and never more than K' rises.
TEST(CurveLaws, OrderOneIsTheLimit) {
  for_each_corner([](const Curve& curve, Direction direction) {
    const LogMoment k = curve.log_moment(0, direction);
    if (k.slope == 0) {
      EXPECT_EQ(divergence(curve, 1.5, direction).value, 0);
      return;
    }
    if (curve.infinite_mass(direction).upper() > 0) {
      EXPECT_EQ(k.slope, test::infinity);
      EXPECT_EQ(divergence(curve, 1.5, direction).lower(), test::infinity);
      return;
    }
    double t = std::min(std::clamp(1e-6 * k.slope / k.curvature, 1e-15, 1e-6), curve.last_order() - 1);
    // A curve may bend more next to 0 than at 0.
    while (t > 1e-15 && curve.log_moment(t, direction).slope > 1.001 * k.slope) t /= 100;
    const LogMoment near = curve.log_moment(t, direction);
    const double rise = std::max(0.0, slope_of(near).upper() - slope_of(k).lower());
    EXPECT_GE(value_of(near).upper() / t * (1 + 1e-15), slope_of(k).lower());
    EXPECT_LE(value_of(near).lower() / t,
              slope_of(k).upper() + std::max(rise, t * std::max(k.curvature, near.curvature)) + 1e-15 * k.slope);
  });
}

TEST(CurveLaws, OrderInfinityIsApproachedFromBelow) {
  for (const Mechanism& m : all_mechanisms()) {
    const auto curve = m.curve();
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(test::describe(m) + " " + name_of(direction));
      const Bounded largest = curve->max_loss(direction);
      if (curve->last_order() < 1e6) {
        EXPECT_TRUE(std::isinf(largest.value));
        EXPECT_TRUE(std::isinf(divergence(*curve, std::nextafter(curve->last_order(), 1e6), direction).lower()));
        const bool finite = curve->infinite_mass(direction).upper() == 0;
        EXPECT_EQ(std::isfinite(divergence(*curve, curve->last_order(), direction).upper()), finite);
      } else if (std::isinf(largest.value)) {
        // Skellam noise has tails like those of a Poisson law: D grows with the logarithm of the order.
        EXPECT_GT(divergence(*curve, 1e5, direction).lower(), 1.5 * divergence(*curve, 1e3, direction).upper());
      } else {
        EXPECT_GE(divergence(*curve, 1e6, direction).upper(), 0.97 * largest.lower());
        expect_not_above(divergence(*curve, 1e6, direction), largest);
      }
    }
  }
}

TEST(CurveLaws, TheLargerDirectionCounts) {
  for (const Mechanism& m : test::all_corners()) {
    const auto curve = m.curve();
    for (const double order : some_orders_of(*curve)) {
      SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
      test::expect_no_throw([&] {
        const Bounded remove = divergence(*curve, order, Direction::remove);
        const Bounded add = divergence(*curve, order, Direction::add);
        const Bounded both = rdp(*curve, order);
        EXPECT_GE(both.upper(), std::max(remove.lower(), add.lower()));
        EXPECT_LE(both.lower(), std::max(remove.upper(), add.upper()));
      });
    }
  }
}

// Mironov, Talwar, Zhang 2019, Theorem 5. Other mechanisms may be dearer either way.
TEST(CurveLaws, OfSampledGaussiansAddNeverCostsMoreThanRemove) {
  for (const Mechanism& m : test::corners_of(SampledGaussian{0.01, 1})) {
    const auto curve = m.curve();
    for (const double order : some_orders_of(*curve)) {
      SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
      test::expect_no_throw([&] {
        expect_not_above(divergence(*curve, order, Direction::add), divergence(*curve, order, Direction::remove));
      });
    }
  }
}

// K(z) <= z (xi + rho (z+1)), and rho is where D_a/a ends.
TEST(CurveLaws, GrowthBoundsTheCurve) {
  for (const Mechanism& m : test::all_corners()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const auto curve = m.curve();
      const Growth growth = curve->growth();
      for (const double order : some_orders_of(*curve)) {
        EXPECT_LE(rdp(*curve, order).lower(), (growth.xi + growth.rho * order) * (1 + 1e-15)) << order;
      }
      if (std::isinf(curve->last_order())) {
        EXPECT_GE(rdp(*curve, 1e30).upper(), 0.999 * growth.rho * 1e30);
      }
    });
  }
}

// Exact accounting asks such a curve for one direction only.
TEST(CurveLaws, SymmetricCurvesAreTheSameBothWays) {
  int symmetric = 0, others = 0;
  for (const Mechanism& m : test::all_corners()) {
    const auto curve = m.curve();
    if (!curve->is_symmetric()) {
      ++others;
      continue;
    }
    ++symmetric;
    SCOPED_TRACE(test::describe(m));
    EXPECT_EQ(curve->max_loss(Direction::remove).value, curve->max_loss(Direction::add).value);
    for (const double z : {0.01, 1.0, 30.0}) {
      EXPECT_EQ(curve->log_moment(z, Direction::remove).value, curve->log_moment(z, Direction::add).value);
    }
  }
  EXPECT_GT(symmetric, 50);
  EXPECT_GT(others, 20);  // sampled Gaussians
}

}  // namespace
}  // namespace renyi::curve_laws_test
