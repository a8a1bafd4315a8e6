// One-dimensional pairs on a grid: both roundings of one step, and many steps.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "exact/lattice/step_law.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/pairs.h"

namespace renyi::exact::lattice::pairs_law_test {
namespace {

using monotone::Reading;
using sampling::emptied_gaussian_pair;
using sampling::gaussian_pair;
using sampling::laplace_pair;
using sampling::opposite_gaussian_pair;
using test::both_directions;
using test::pairs_curve;
using test::pairs_step;

using Delta = std::function<long double(double)>;

// E_P[(1 - exp(epsilon - L))_+] from the tilted masses, finite losses only.
long double delta_of(const Masses& masses, const Grid& grid, double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < masses.w.size(); ++i) {
    const long double l =
        masses.offset + static_cast<long double>(masses.first + static_cast<std::int64_t>(i)) * grid.h;
    const long double p = masses.w[i] * std::exp(masses.log_scale - grid.c * l);
    if (l > epsilon) sum -= p * std::expm1(epsilon - l);
  }
  return sum;
}

// The bounds lie above and below the exact value except for the rounding error that composition adds, and within `gap`.
void expect_between(const StepLaw& law, const Grid& grid, const Delta& truth, double from, double to, double gap) {
  const Masses above = pessimistic(law.cut(grid, true), grid), below = optimistic(law.cut(grid, false), grid);
  for (int i = 0; i <= 40; ++i) {
    const double epsilon = from + (to - from) * i / 40;
    const long double t = truth(epsilon), noise = 1e-13L * t + 1e-15L;
    const long double infinite = std::exp(static_cast<long double>(above.log_infinite));
    const long double over = delta_of(above, grid, epsilon) + infinite, under = delta_of(below, grid, epsilon);
    EXPECT_GE(over, t - noise) << epsilon;
    EXPECT_LE(under, t + noise) << epsilon;
    EXPECT_LE(over, t + gap) << epsilon;
    EXPECT_GE(under, t - gap) << epsilon;
  }
}

TEST(PairsLaw, OneSidedNormals) {
  for (const double q : {1e-4, 0.01, 0.3, 0.9}) {
    for (const double s : {0.3, 1.0, 5.0}) {
      const auto curve = pairs_curve({{1, gaussian_pair({q, s}, Reading::one_sided)}});
      for (const Direction direction : both_directions) {
        const auto law = pairs_law(curve, 1, direction);
        const auto truth = [&](double x) { return test::one_sided_delta(test::sampled_normal(q, s), direction, x); };
        for (const double h : {0.05, 0.01}) {
          SCOPED_TRACE(testing::Message() << q << " " << s << " " << h << " " << to_string(direction));
          expect_between(*law, {.h = h, .c = 2, .log_negligible = -60}, truth, -0.5, 1, std::min(h, q));
        }
      }
    }
  }
}

TEST(PairsLaw, SymmetricNormals) {
  for (const double q : {1e-4, 0.01, 0.3, 0.9}) {
    for (const double s : {0.3, 1.0, 5.0}) {
      const auto law = pairs_law(pairs_curve({{1, gaussian_pair({q, s}, Reading::symmetric)}}), 1, Direction::add);
      const auto truth = [&](double x) { return test::symmetric_delta(test::sampled_normal(q, s), x); };
      for (const double h : {0.05, 0.01}) {
        SCOPED_TRACE(testing::Message() << q << " " << s << " " << h);
        expect_between(*law, {.h = h, .c = 2, .log_negligible = -60}, truth, -1, 1, std::min(h, q));
      }
    }
  }
}

TEST(PairsLaw, OppositeNormals) {
  for (const double q : {0.01, 0.3, 0.9}) {
    for (const double s : {0.4, 1.0, 5.0}) {
      const auto law = pairs_law(pairs_curve({{1, opposite_gaussian_pair({q, s})}}), 1, Direction::remove);
      const auto truth = [&](double x) { return test::opposite_delta(q, s, x); };
      for (const double h : {0.05, 0.01}) {
        SCOPED_TRACE(testing::Message() << q << " " << s << " " << h);
        expect_between(*law, {.h = h, .c = 2, .log_negligible = -60}, truth, -1, 1, std::min(h, q));
      }
    }
  }
}

TEST(PairsLaw, LaplaceBothReadings) {
  for (const double q : {0.01, 0.4, 0.95}) {
    for (const double b : {0.4, 1.0, 6.0}) {
      const test::Sampled pair = test::sampled_laplace(q, b);
      for (const Direction direction : both_directions) {
        const auto one = pairs_law(pairs_curve({{1, laplace_pair(q, b, Reading::one_sided)}}), 1, direction);
        const auto both = pairs_law(pairs_curve({{1, laplace_pair(q, b, Reading::symmetric)}}), 1, direction);
        // Tries a grid that contains the atoms, and one that does not.
        const double aligned = both->atom_distance({.h = 0.01, .c = 3}) / 60;
        for (const double h : {aligned, 0.0173 / b}) {
          SCOPED_TRACE(testing::Message() << q << " " << b << " " << h << " " << to_string(direction));
          const Grid grid{.h = h, .c = 3};
          expect_between(
              *both, grid, [&](double x) { return test::symmetric_delta(pair, x); }, -1, 1, h);
          expect_between(
              *one, grid, [&](double x) { return test::one_sided_delta(pair, direction, x); }, -1, 1, h);
        }
      }
    }
  }
}

// Halving the spacing quarters the gap: nothing is lost at first order, at the half-line nor at the atoms.
TEST(PairsLaw, TheGapIsOfSecondOrder) {
  const auto expect_second_order = [](const monotone::WeightedPair& pair, Direction direction, const char* name) {
    const auto law = pairs_law(pairs_curve({pair}), 1, direction);
    const auto gap = [&](double asked) {
      Grid grid{.h = asked, .c = 1, .log_negligible = -60};
      if (const double distance = law->atom_distance(grid); distance > 0) {
        grid.h = distance / (2 * std::ceil(0.5 * distance / asked));
      }
      const Masses above = pessimistic(law->cut(grid, true), grid), below = optimistic(law->cut(grid, false), grid);
      long double sum = 0;
      for (int i = 0; i < 50; ++i) sum += delta_of(above, grid, 0.02 * i) - delta_of(below, grid, 0.02 * i);
      return sum;
    };
    EXPECT_GT(gap(0.02) / gap(0.005), 10) << name;
  };
  for (const Direction direction : both_directions) {
    expect_second_order({1, gaussian_pair({0.2, 0.8}, Reading::one_sided)}, direction, "one-sided");
    expect_second_order({1, gaussian_pair({0.2, 0.8}, Reading::symmetric)}, direction, "symmetric");
    expect_second_order({1, opposite_gaussian_pair({0.2, 0.8})}, direction, "opposite");
    expect_second_order({1, laplace_pair(0.2, 0.7, Reading::symmetric)}, direction, "symmetric Laplace");
    expect_second_order({1, laplace_pair(0.2, 0.7, Reading::one_sided)}, direction, "one-sided Laplace");
  }
}

// Components with and without a half-line, and some weight without loss, on one grid.
TEST(PairsLaw, ARevealedMixture) {
  const auto curve = pairs_curve({{0.7, gaussian_pair({0.05, 1.0}, Reading::one_sided)},
                                  {0.2, gaussian_pair({0.05, 0.5}, Reading::symmetric)},
                                  {0.05, gaussian_pair({0.3, 2.0}, Reading::one_sided)}});
  for (const Direction direction : both_directions) {
    const auto law = pairs_law(curve, 1, direction);
    const auto truth = [&](double x) {
      return 0.7L * test::one_sided_delta(test::sampled_normal(0.05, 1.0), direction, x) +
             0.2L * test::symmetric_delta(test::sampled_normal(0.05, 0.5), x) +
             0.05L * test::one_sided_delta(test::sampled_normal(0.3, 2.0), direction, x) +
             0.05L * std::max(0.0L, -std::expm1(static_cast<long double>(x)));
    };
    for (const double h : {0.05, 0.01}) {
      SCOPED_TRACE(testing::Message() << h << " " << to_string(direction));
      expect_between(*law, {.h = h, .c = 2, .log_negligible = -60}, truth, -1, 2, 0.3 * h);
    }
  }
}

// Losses beyond all cells count as infinite above, and are left out below.
TEST(PairsLaw, ExtremeComponentsAreInfinite) {
  const auto curve = pairs_curve({{1 - 1e-6, gaussian_pair({0.1, 1}, Reading::symmetric)},
                                  {1e-6, gaussian_pair({0.1, 1e-3}, Reading::symmetric)}});
  const auto law = pairs_law(curve, 1, Direction::remove);
  ASSERT_NE(law, nullptr);
  EXPECT_LT(law->cells({.h = 0.01, .c = 2}), 1e5);
  const auto truth = [&](double x) {
    return (1 - 1e-6L) * test::symmetric_delta(test::sampled_normal(0.1, 1), x) +
           1e-6L * test::symmetric_delta(test::sampled_normal(0.1, 1e-3), x);
  };
  expect_between(*law, {.h = 0.01, .c = 2, .log_negligible = -60}, truth, 0, 1, 1e-4);
  EXPECT_EQ(pairs_law(pairs_curve({{1, gaussian_pair({0.1, 1e-3}, Reading::symmetric)}}), 1, Direction::add), nullptr);
  EXPECT_EQ(pairs_law(pairs_curve({{1, gaussian_pair({1e-50, 1}, Reading::symmetric)}}), 1, Direction::add), nullptr);
}

void expect_overlap(const ExactInterval& a, const ExactInterval& b) {
  EXPECT_LE(a.lower, b.upper);
  EXPECT_GE(a.upper, b.lower);
}

TEST(PairsLattice, OneSidedNormalsAreTheSampledGaussian) {
  for (const double q : {1e-3, 0.02, 0.4}) {
    for (const double s : {0.55, 2.0}) {
      for (const std::int64_t steps : {2, 1000}) {
        SCOPED_TRACE(testing::Message() << q << " " << s << " " << steps);
        const Mechanism step = pairs_step({{1, gaussian_pair({q, s}, Reading::one_sided)}});
        const ExactAnswer found = PrivacyProfile(Plan().add(step, steps), {.engine = Engine::lattice}).epsilon(1e-5);
        const ExactAnswer known = PrivacyProfile(Plan().add(SampledGaussian{q, s}, steps)).epsilon(1e-5);
        expect_overlap(found.remove, known.remove);
        expect_overlap(found.add, known.add);
        EXPECT_LE(found.worst.upper - found.worst.lower, 1e-5 * std::max(1.0, found.worst.upper));
      }
    }
  }
}

// As the rate tends to 1, the losses tend to those of the unsampled noise; none is larger.
TEST(PairsLattice, SampledLaplaceTendsToLaplace) {
  for (const Reading reading : {Reading::one_sided, Reading::symmetric}) {
    const Mechanism step = pairs_step({{1, laplace_pair(1 - 1e-9, 0.8, reading)}});
    for (const std::int64_t steps : {2, 30, 500}) {
      const ExactInterval found = PrivacyProfile(Plan().add(step, steps)).epsilon(1e-6).worst;
      const ExactInterval known = PrivacyProfile(Plan().add(Laplace{0.8, 1}, steps)).epsilon(1e-6).worst;
      EXPECT_NEAR(found.upper, known.upper, 2e-5) << steps;
      EXPECT_LE(found.lower, known.upper) << steps;
      EXPECT_LE(found.upper - found.lower, 2e-5) << steps;
    }
  }
}

// A pair on finitely many losses, on or above one whose H at t = exp(loss) is known: H is convex, and its chords are
// the H of a pair with Q-masses equal to the changes of their slopes.
struct Atoms {
  std::vector<long double> loss, p;
};
Atoms connected_dots(const Delta& delta, double reach, int n) {
  std::vector<long double> t, h;
  for (int i = -n; i <= n; ++i) {
    t.push_back(std::exp(static_cast<long double>(reach * i / n)));
    h.push_back(delta(reach * i / n));
  }
  Atoms atoms;
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    const long double q = (h[i + 1] - h[i]) / (t[i + 1] - t[i]) - (h[i] - h[i - 1]) / (t[i] - t[i - 1]);
    atoms.loss.push_back(std::log(t[i]));
    atoms.p.push_back(q * t[i]);
  }
  return atoms;
}

TEST(PairsLattice, TwoSymmetricStepsByADoubleSum) {
  const test::Sampled pair = test::sampled_normal(0.2, 1.0);
  const Atoms law = connected_dots([&](double t) { return test::symmetric_delta(pair, t); }, 6, 1500);
  const auto sum = [&](double epsilon) {
    long double delta = 0;
    for (std::size_t i = 0; i < law.p.size(); ++i) {
      for (std::size_t j = 0; j < law.p.size(); ++j) {
        const long double l = law.loss[i] + law.loss[j];
        if (l > epsilon) delta -= law.p[i] * law.p[j] * std::expm1(epsilon - l);
      }
    }
    return delta;
  };
  const Mechanism step = pairs_step({{1, gaussian_pair({0.2, 1.0}, Reading::symmetric)}});
  const PrivacyProfile accountant(Plan().add(step, 2));
  for (const double epsilon : {0.0, 0.5, 2.0, 3.5}) {
    const ExactInterval figure = accountant.delta(epsilon).worst;
    const long double above = sum(epsilon);
    EXPECT_LE(figure.lower, above) << epsilon;
    EXPECT_NEAR(figure.upper / static_cast<double>(above), 1, 2e-4) << epsilon;
    EXPECT_LE(figure.upper - figure.lower, 1e-4 * figure.upper) << epsilon;
  }
}

TEST(PairsLattice, ClosedFormAndLatticeAgreeOnOneStep) {
  const std::vector<std::vector<monotone::WeightedPair>> steps = {
      {{1, gaussian_pair({0.01, 0.55}, Reading::symmetric)}},
      {{1, gaussian_pair({0.05, 0.9, 7}, Reading::one_sided)}},
      {{1, opposite_gaussian_pair({0.05, 0.9, 3})}},
      {{1, emptied_gaussian_pair(0.05, 0.9), gaussian_pair({0.05, 0.9}, Reading::symmetric)}},
      {{1, laplace_pair(0.1, 0.5, Reading::one_sided)}},
      {{0.9, gaussian_pair({0.02, 1.0}, Reading::one_sided)}, {0.1, gaussian_pair({0.02, 0.5}, Reading::symmetric)}},
  };
  for (const auto& components : steps) {
    const Plan plan = Plan().add(pairs_step(components));
    for (const double epsilon : {0.01, 0.2, 1.0}) {
      const ExactAnswer formula = PrivacyProfile(plan, {.engine = Engine::closed_form}).delta(epsilon);
      if (formula.add.upper == 0) continue;
      const ExactAnswer grid = PrivacyProfile(plan, {.engine = Engine::lattice}).delta(epsilon);
      expect_overlap(formula.remove, grid.remove);
      expect_overlap(formula.add, grid.add);
      EXPECT_LE(grid.remove.upper - grid.remove.lower, 1e-3 * grid.remove.upper);
    }
  }
}

TEST(PairsLattice, DeltaFallsWithEpsilonAndRisesWithSteps) {
  const Mechanism step = pairs_step({{1, opposite_gaussian_pair({0.02, 1.0})}});
  double last = 1;
  for (const double epsilon : {0.0, 0.2, 0.5, 1.0, 2.0, 4.0}) {
    const ExactInterval figure = PrivacyProfile(Plan().add(step, 500)).delta(epsilon).worst;
    EXPECT_LE(figure.lower, last);
    EXPECT_LE(figure.lower, PrivacyProfile(Plan().add(step, 600)).delta(epsilon).worst.upper);
    last = figure.upper;
  }
}

// Long training runs under replace-one have narrow exact intervals.
TEST(PairsLattice, TenThousandStepsAreNarrow) {
  const Mechanism step = pairs_step({{1, gaussian_pair({0.01, 0.55}, Reading::symmetric)}});
  const Plan plan = Plan().add(step, 10000);
  const ExactInterval figure = PrivacyProfile(plan, {.engine = Engine::lattice}).epsilon(1e-5).worst;
  EXPECT_LE(figure.upper - figure.lower, 1e-4);
  const ExactInterval contour = PrivacyProfile(plan).epsilon(1e-5).worst;
  EXPECT_EQ(contour.engine, Engine::contour);
  EXPECT_LE(contour.upper - contour.lower, 1e-8);
  expect_overlap(figure, contour);
  // On or above the remove side alone, which is dominated.
  EXPECT_GE(figure.upper, PrivacyProfile(Plan().add(SampledGaussian{0.01, 0.55}, 10000)).epsilon(1e-5).worst.lower);
}

}  // namespace
}  // namespace renyi::exact::lattice::pairs_law_test
