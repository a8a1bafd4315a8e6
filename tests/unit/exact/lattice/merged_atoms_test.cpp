// Atoms merged at the points of a grid, against the law they come from.
#include "exact/lattice/merged_atoms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random_inputs.h"

namespace renyi::exact::lattice {
namespace {

using mechanism::LossAtom;

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
}  // namespace renyi::exact::lattice
