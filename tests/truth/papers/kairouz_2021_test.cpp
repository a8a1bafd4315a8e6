// Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021 (arXiv:2103.00039), DP-FTRL: the epsilons of its StackOverflow
// runs (1600 rounds, delta 1e-6, one tree, one pass), and the worst placements of Appendix D as its authors' accountant
// lists them in its tests (tensorflow_privacy, tree_aggregation_accountant_test.py; `between` there is min_separation -
// 1 here). Verified independently: the epsilons below from the closed form rho + 2 sqrt(rho ln(1/delta)) with rho = 11
// / (2 z^2), 19.735 and 2.0450; the placements by trying all of them
// (tests/unit/mechanism/participation/tree_sensitivity_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::kairouz_2021_test {
namespace {

Mechanism tree(double noise, double rounds, double participations = 1, double separation = 1) {
  return make_mechanism("tree-aggregation", {{"noise_multiplier", noise},
                                             {"rounds", rounds},
                                             {"participations", participations},
                                             {"min_separation", separation}});
}

// The conversion and the orders of their time.
double classical_epsilon(const Curve& curve, double delta) {
  std::vector<double> orders;
  for (int x = 1; x < 100; ++x) orders.push_back(1 + x / 10.0);
  for (int x = 12; x < 64; ++x) orders.push_back(x);
  double best = std::numeric_limits<double>::infinity();
  for (const double order : orders) {
    best = std::min(best, rdp(curve, order).value + std::log(1 / delta) / (order - 1));
  }
  return best;
}

struct Published {
  double noise_multiplier, epsilon;
};

TEST(Kairouz2021, StackOverflowRuns) {
  for (const auto& [noise, epsilon] : {Published{1.13, 19.74}, Published{8.83, 2.04}}) {
    const auto curve = tree(noise, 1600).curve();
    EXPECT_NEAR(classical_epsilon(*curve, 1e-6), epsilon, 0.006) << noise;
    Plan plan(Neighbors::zero_out);
    plan.add(tree(noise, 1600));
    const double renyi = renyi_epsilon(*curve, 1e-6).upper;
    EXPECT_LT(renyi, epsilon);
    EXPECT_LT(PrivacyProfile(plan).epsilon(1e-6).worst.upper, renyi);
  }
}

struct Placed {
  double participations, between, rounds, squared_sensitivity;
};

TEST(Kairouz2021, WorstPlacements) {
  for (const auto& [most, between, rounds, squared] :
       {Placed{1, 7, 8, 4}, Placed{3, 3, 9, 11}, Placed{3, 2, 7, 9}, Placed{8, 2, 24, 88}, Placed{200, 0, 8, 120},
        Placed{2, 0, 19, 2 + 4 * 4}, Placed{19, 0, 19, 16 * 31 + 2 * 3 + 1}}) {
    EXPECT_NEAR(rdp(*tree(1, rounds, most, between + 1).curve(), 2).value, squared, 1e-12 * squared)
        << most << " in " << rounds;
  }
}

}  // namespace
}  // namespace renyi::kairouz_2021_test
