// Both roundings of each step's law against its hockey-stick divergence in closed form.
#include "exact/lattice/cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "exact/lattice/step_law.h"

namespace renyi::exact::lattice::lattice_cells_test {
namespace {

using Divergence = std::function<long double(double)>;

long double upper_normal(long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; }

// E_P[(1 - exp(epsilon - L))_+] from the tilted masses.
long double hockey_stick(const Masses& masses, const Grid& grid, double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < masses.w.size(); ++i) {
    const double l = masses.offset + static_cast<double>(masses.first + static_cast<std::int64_t>(i)) * grid.h;
    if (l <= epsilon) continue;
    const long double p = masses.w[i] * std::exp(static_cast<long double>(masses.log_scale) - grid.c * l);
    sum += p * -std::expm1(static_cast<long double>(epsilon) - l);
  }
  return sum + std::exp(static_cast<long double>(masses.log_infinite));
}

long double laplace(double e, double epsilon) {
  if (epsilon >= e) return 0;
  if (epsilon >= 0) return -std::expm1((static_cast<long double>(epsilon) - e) / 2);
  // The pair is its own mirror image.
  return 1 - std::exp(static_cast<long double>(epsilon)) * (1 - laplace(e, -epsilon));
}

long double sampled_gaussian(long double q, long double s, Direction direction, double epsilon) {
  const bool removes = direction == Direction::remove;
  // The loss is above epsilon where the ratio is beyond exp(epsilon): one end of the line.
  const long double ratio = std::exp(removes ? epsilon : -static_cast<long double>(epsilon));
  const long double v = (ratio - (1 - q)) / q;
  if (v <= 0) return removes ? 1 - std::exp(static_cast<long double>(epsilon)) : 0;
  const long double x = s * s * std::log(v) + 0.5L;
  const long double tail0 = upper_normal(removes ? x / s : -x / s),
                    tail1 = upper_normal(removes ? (x - 1) / s : (1 - x) / s);
  const long double mixed = (1 - q) * tail0 + q * tail1;
  const long double factor = std::exp(static_cast<long double>(epsilon));
  return removes ? mixed - factor * tail0 : tail0 - factor * mixed;
}

// Above and below at many epsilon, and no further from it than `gap`.
void expect_between(const StepLaw& law, const Grid& grid, const Divergence& truth, double from, double to, double gap) {
  const Cells cells = law.cut(grid, true);
  const Masses above = pessimistic(cells, grid), below = optimistic(law.cut(grid, false), grid);
  for (int i = 0; i <= 40; ++i) {
    const double epsilon = from + (to - from) * i / 40;
    // This is approximately the error that composition adds for the rounding of a step.
    const long double t = truth(epsilon), noise = 1e-13L * t + 1e-16L;
    const long double over = hockey_stick(above, grid, epsilon), under = hockey_stick(below, grid, epsilon);
    EXPECT_GE(over, t - noise) << epsilon;
    EXPECT_LE(under, t + noise) << epsilon;
    EXPECT_LE(over, t + gap) << epsilon;
    EXPECT_GE(under, t - gap) << epsilon;
  }
}

TEST(LatticeCells, LaplaceWithAtomsOnTheGrid) {
  for (const double scale : {0.4, 1.0, 7.0}) {
    for (const double cells : {16.0, 128.0}) {
      const double e = 1 / scale, h = 2 * e / cells;
      const auto law = laplace_law({1, scale}, Mechanism(Laplace{scale, 1}).curve(), 1);
      for (const double c : {0.01, 1.0, 20.0}) {
        SCOPED_TRACE(testing::Message() << scale << " " << cells << " " << c);
        expect_between(
            *law, {.h = h, .c = c}, [&](double x) { return laplace(e, x); }, -e, e, h * h);
      }
    }
  }
}

TEST(LatticeCells, LaplaceWithAnAtomOffTheGrid) {
  const double e = 0.5;
  const auto law = laplace_law({1, 2}, Mechanism(Laplace{2, 1}).curve(), 1);
  for (const double cells : {17.3, 100.9}) {
    const double h = 2 * e / cells;
    const Grid grid{.h = h, .c = 2};
    EXPECT_GT(law->misplaced(grid), 0);
    // The atom at -e, of mass exp(-e)/2, moves down by less than h.
    expect_between(
        *law, grid, [&](double x) { return laplace(e, x); }, -e, e, h * h + h * std::exp(-e) / 2);
  }
  EXPECT_EQ(law->misplaced({.h = 2 * e / 40, .c = 2}), 0);
}

TEST(LatticeCells, Gaussian) {
  for (const double s : {0.5, 1.0, 6.0}) {
    const auto law = gaussian_law(s);
    const auto truth = [&](double x) { return sampled_gaussian(1, s, Direction::remove, x); };
    for (const double h : {0.1 / s, 0.02 / s}) {
      for (const double c : {0.5, 4.0}) {
        SCOPED_TRACE(testing::Message() << s << " " << h << " " << c);
        expect_between(*law, {.h = h, .c = c}, truth, 0, 3 / s, h * h * s);
      }
    }
  }
}

TEST(LatticeCells, SampledGaussianInBothDirections) {
  for (const double q : {1e-4, 0.01, 0.3, 0.9}) {
    for (const double s : {0.3, 1.0, 5.0}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const auto law = sampled_gaussian_law({q, s}, Mechanism(SampledGaussian{q, s}).curve(), 1, direction);
        const auto truth = [&](double x) { return sampled_gaussian(q, s, direction, x); };
        for (const double h : {0.05, 0.01}) {
          SCOPED_TRACE(testing::Message() << q << " " << s << " " << h << (direction == Direction::add ? " add" : ""));
          expect_between(*law, {.h = h, .c = 2, .log_negligible = -60}, truth, 0, 1, std::min(h, q));
        }
      }
    }
  }
}

// Halving h quarters the gap: neither rounding is of first order.
TEST(LatticeCells, TheGapIsOfSecondOrder) {
  const auto law = sampled_gaussian_law({0.2, 0.8}, Mechanism(SampledGaussian{0.2, 0.8}).curve(), 1, Direction::remove);
  const auto gap = [&](double h) {
    const Grid grid{.h = h, .c = 1, .log_negligible = -60};
    const Masses above = pessimistic(law->cut(grid, true), grid), below = optimistic(law->cut(grid, false), grid);
    long double sum = 0;
    for (int i = 0; i < 50; ++i) {
      const double epsilon = 0.3 + 0.02 * i;
      sum += hockey_stick(above, grid, epsilon) - hockey_stick(below, grid, epsilon);
    }
    return sum;
  };
  EXPECT_GT(gap(0.02) / gap(0.005), 12);
}

}  // namespace
}  // namespace renyi::exact::lattice::lattice_cells_test
