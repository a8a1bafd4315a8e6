// Discrete losses on a grid: rounded to either side, and composed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/lattice/step_law.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/own_discrete.h"
#include "support/random_inputs.h"

namespace renyi::exact::lattice::atom_law_test {
namespace {

using mechanism::LossAtom;
using test::both_directions;
using test::directed;
using test::DiscretePair;
using test::OwnDiscrete;

long double delta_of(const Masses& masses, const Grid& grid, double epsilon) {
  long double sum = std::exp(static_cast<long double>(masses.log_infinite));
  for (std::size_t i = 0; i < masses.w.size(); ++i) {
    const long double l =
        masses.offset + static_cast<long double>(masses.first + static_cast<std::int64_t>(i)) * grid.h;
    const long double p = masses.w[i] * std::exp(masses.log_scale - grid.c * l);
    if (l > epsilon) sum -= p * std::expm1(epsilon - l);
  }
  return sum;
}

OwnDiscrete uneven() { return test::own_discrete({0.5, 0.2, 0.2, 0.1}, {0.31, 0.17, 0.12, 0.4}); }

// Returns the delta of n steps with three outcomes each, summed over how often each outcome occurs.
long double delta_of_three(const DiscretePair& pair, int n, double epsilon) {
  long double sum = 0;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) {
      const int k = n - i - j;
      const auto log_mass = [&](const std::vector<long double>& law) {
        return i * std::log(law[0]) + j * std::log(law[1]) + k * std::log(law[2]);
      };
      const long double ways =
          std::lgamma(n + 1.0L) - std::lgamma(i + 1.0L) - std::lgamma(j + 1.0L) - std::lgamma(k + 1.0L);
      const long double loss = log_mass(pair.p) - log_mass(pair.q);
      if (loss > epsilon) sum -= std::exp(ways + log_mass(pair.p)) * std::expm1(epsilon - loss);
    }
  }
  return sum;
}

TEST(AtomLaw, RoundsToEitherSide) {
  const OwnDiscrete own = uneven();
  const auto curve = mechanism::atomic_curve_of(own.mechanism);
  for (const Direction direction : both_directions) {
    const auto law = atom_law(curve, 1, direction);
    const DiscretePair pair = directed(own.pair, direction);
    for (const double h : {0.3, 0.05, 0.004}) {
      for (const double c : {0.2, 3.0}) {
        const Grid grid{.h = h, .c = c};
        const Masses above = pessimistic(law->cut(grid, true), grid), below = optimistic(law->cut(grid, false), grid);
        for (double epsilon = 0; epsilon < 1.5; epsilon += 0.037) {
          const long double truth = test::direct_hockey_stick(pair, epsilon);
          EXPECT_GE(delta_of(above, grid, epsilon), truth * (1 - 1e-13L) - 1e-15L) << h << " " << epsilon;
          EXPECT_LE(delta_of(below, grid, epsilon), truth * (1 + 1e-13L) + 1e-15L) << h << " " << epsilon;
          EXPECT_LE(delta_of(above, grid, epsilon), truth + h) << h << " " << epsilon;
          EXPECT_GE(delta_of(below, grid, epsilon), truth - h) << h << " " << epsilon;
        }
      }
    }
  }
}

// The mean of the upper side is too large by the square of the spacing only.
TEST(AtomLaw, TheUpperSideIsOfSecondOrder) {
  const OwnDiscrete own = uneven();
  const auto law = atom_law(mechanism::atomic_curve_of(own.mechanism), 1, Direction::remove);
  const auto mean = [&](double h) {
    const Grid grid{.h = h, .c = 1};
    const Masses m = pessimistic(law->cut(grid, true), grid);
    long double sum = 0;
    for (std::size_t i = 0; i < m.w.size(); ++i) {
      const long double l = m.offset + static_cast<long double>(m.first + static_cast<std::int64_t>(i)) * h;
      sum += l * m.w[i] * std::exp(m.log_scale - grid.c * l);
    }
    return sum;
  };
  const long double truth = test::direct_kl(own.pair);
  for (const double h : {0.1, 0.01, 0.001}) {
    EXPECT_GE(mean(h), truth - 1e-15L);
    EXPECT_LE(mean(h), truth + h * h);
  }
}

// Too many sums for a list: the grid, against all of them in long double.
TEST(AtomLaw, ManyStepsHoldTheTruth) {
  const OwnDiscrete own = test::own_discrete({0.5, 0.3, 0.2}, {0.45, 0.32, 0.23});
  constexpr int n = 320;  // 51,681 multisets
  constexpr double epsilon = 2;
  const ExactAnswer answer = PrivacyProfile(Plan().add(own.mechanism, n)).delta(epsilon);
  for (const Direction direction : both_directions) {
    const long double truth = delta_of_three(directed(own.pair, direction), n, epsilon);
    const ExactInterval& figure = direction == Direction::remove ? answer.remove : answer.add;
    EXPECT_EQ(figure.engine, Engine::lattice);
    EXPECT_LE(figure.lower, truth * (1 + 1e-13L));
    EXPECT_GE(figure.upper, truth * (1 - 1e-13L));
    EXPECT_LE(figure.upper, truth * (1 + 1e-4L));
    EXPECT_GE(figure.lower, truth * (1 - 1e-2L));
  }
}

// Losses on a lattice of their own fall on the grid, and nothing is lost.
TEST(AtomLaw, ALatticeOfLossesIsKept) {
  std::vector<double> p, q;
  for (int i = 0; i < 5; ++i) {
    p.push_back(std::exp(0.1 * i));
    q.push_back(1);
  }
  const OwnDiscrete own = test::own_discrete(p, q);
  const ExactInterval figure = PrivacyProfile(Plan().add(own.mechanism, 1000)).epsilon(1e-6).worst;
  EXPECT_EQ(figure.engine, Engine::lattice);
  EXPECT_LE(figure.upper - figure.lower, 1e-8);
  EXPECT_FALSE(figure.limited);
}

std::vector<LossAtom> random_atoms(test::RandomInputs& random) {
  std::vector<LossAtom> atoms;
  double loss = random.uniform(-3, 0), total = 0;
  const double gap = random.log_uniform(1e-3, 0.5);
  for (int i = 0; i < 40; ++i) {
    loss += random.log_uniform(0.01 * gap, gap);
    atoms.push_back({.loss = loss, .p = numerics::Mass::of(random.log_uniform(1e-6, 1))});
    total += atoms.back().p.value;
  }
  for (LossAtom& atom : atoms) {
    atom.p = atom.p.over(total);
  }
  return atoms;
}

struct Sum {
  long double p = 0, q = 0, delta = 0;
  void add(long double mass, long double loss, long double epsilon) {
    p += mass;
    q += mass * std::exp(-loss);
    delta += mass * std::max(0.0L, -std::expm1(epsilon - loss));
  }
};

Sum of(const std::vector<LossAtom>& atoms, double epsilon) {
  Sum sum;
  for (const LossAtom& atom : atoms) sum.add(atom.p.value, atom.loss, epsilon);
  return sum;
}

Sum of(const Cells& cells, const Grid& grid, double epsilon) {
  Sum sum;
  for (const Cells::Atom& atom : cells.atoms) {
    const long double loss = cells.offset + static_cast<long double>(atom.index) * grid.h;
    sum.add(atom.mass * std::exp(cells.log_scale - grid.c * loss), loss, epsilon);
  }
  return sum;
}

// Merged outcomes are no easier to tell apart; neither law gains mass; and with a fine grid little is lost.
TEST(MergedAtoms, LieBelowTheLawAndCloseToIt) {
  test::for_random_cases(0.1, [](test::RandomInputs& random) {
    const auto atoms = random_atoms(random);
    const double reach = atoms.back().loss - atoms.front().loss;
    const Grid grid{.h = reach / random.log_uniform(20, 2e5), .c = random.log_uniform(0.1, 20)};
    const Cells cells = merged_atoms(atoms, grid, random.uniform(-2, 2));
    for (const double share : {-0.1, 0.0, 0.2, 0.5, 0.8, 0.95}) {
      const double epsilon = atoms.front().loss + share * reach;
      const Sum truth = of(atoms, epsilon), here = of(cells, grid, epsilon);
      EXPECT_LE(here.p, truth.p * (1 + 1e-12L));
      EXPECT_LE(here.delta, truth.delta * (1 + 1e-12L) + 1e-15L);
      // Every atom moves by less than a cell; what is merged with it is a share of a cell's width.
      EXPECT_GE(here.delta, truth.delta - 4 * grid.h * (truth.p + truth.q));
    }
  });
}

// Both masses are kept where the heaviest atoms lie inside: the mean of the ratio does not move.
TEST(MergedAtoms, KeepBothMasses) {
  std::vector<LossAtom> atoms;
  double total = 0;
  for (int i = -12; i <= 12; ++i) {
    atoms.push_back({.loss = 0.0137 * i + 0.0002 * i * i, .p = numerics::Mass::of_log(-0.08 * i * i)});
    total += atoms.back().p.value;
  }
  for (LossAtom& atom : atoms) atom.p = atom.p.over(total);
  const Grid grid{.h = 1e-4, .c = 2};
  const Sum truth = of(atoms, 0), here = of(merged_atoms(atoms, grid, 0.1), grid, 0);
  EXPECT_NEAR(static_cast<double>(here.p), static_cast<double>(truth.p), 1e-8);
  EXPECT_NEAR(static_cast<double>(here.q), static_cast<double>(truth.q), 1e-8);
  EXPECT_NEAR(static_cast<double>(here.delta), static_cast<double>(truth.delta), 1e-4);
}

}  // namespace
}  // namespace renyi::exact::lattice::atom_law_test
