// Runs of a few rounds, every group and every set of rounds that a record may take part in: the delta of cyclic Poisson
// sampling by its definition, beside that of banded-matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "renyi/cost.h"
#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi::banded_matrix_test {
namespace {

using Vector = std::vector<double>;

struct World {
  int rounds = 4;
  int groups = 2;
  double rate = 0.3;
  double sigma = 1;
  Vector coefficients{1, 0.6};
};

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// C times the indicator of the rounds of a set.
Vector shift_of(const World& world, const std::vector<int>& taken) {
  Vector shift(static_cast<std::size_t>(world.rounds), 0);
  for (const int round : taken) {
    for (std::size_t t = 0; t < world.coefficients.size(); ++t) {
      const std::size_t row = static_cast<std::size_t>(round) + t;
      if (row < shift.size()) shift[row] += world.coefficients[t];
    }
  }
  return shift;
}

// A possible shift of the released rows, and its probability.
struct Possible {
  Vector shift;
  double probability;
};

std::vector<Possible> possible_shifts(const World& world, int group) {
  std::vector<int> rounds;
  for (int i = group; i < world.rounds; i += world.groups) rounds.push_back(i);
  std::vector<Possible> all;
  for (unsigned set = 0; set < (1U << rounds.size()); ++set) {
    std::vector<int> taken;
    double probability = 1;
    for (std::size_t k = 0; k < rounds.size(); ++k) {
      const bool in = (set >> k & 1U) != 0;
      probability *= in ? world.rate : 1 - world.rate;
      if (in) taken.push_back(rounds[k]);
    }
    all.push_back({shift_of(world, taken), probability});
  }
  return all;
}

// Coordinates of the shifts in an orthonormal basis of their span, which has at most two dimensions here.
std::vector<std::array<double, 2>> in_a_plane(const std::vector<Possible>& all) {
  std::vector<Vector> basis;
  std::vector<std::array<double, 2>> result;
  for (const Possible& each : all) {
    Vector rest = each.shift;
    std::array<double, 2> at{};
    for (std::size_t d = 0; d < basis.size(); ++d) {
      at[d] = dot(each.shift, basis[d]);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= at[d] * basis[d][i];
    }
    const double norm = std::sqrt(dot(rest, rest));
    if (norm > 1e-9) {
      EXPECT_LT(basis.size(), 2U);
      for (double& x : rest) x /= norm;
      at.at(basis.size()) = norm;
      basis.push_back(rest);
    }
    result.push_back(at);
  }
  return result;
}

struct Deltas {
  double remove = 0;  // the run with the record is compared with the one without
  double add = 0;
};

// The hockey-stick divergences by the midpoint rule in the plane of the shifts; outside of it the laws agree.
Deltas by_definition(const World& world, int group, double epsilon) {
  const std::vector<Possible> all = possible_shifts(world, group);
  const auto at = in_a_plane(all);
  constexpr int cells = 360;
  const double low = -7 * world.sigma, width = (14 * world.sigma + 3) / cells, variance = world.sigma * world.sigma;
  Deltas result;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const double x = low + (i + 0.5) * width, y = low + (j + 0.5) * width;
      const auto density = [&](double a, double b) {
        return std::exp(-((x - a) * (x - a) + (y - b) * (y - b)) / (2 * variance)) / (2 * std::numbers::pi * variance);
      };
      const double without = density(0, 0);
      double with = 0;
      for (std::size_t k = 0; k < all.size(); ++k) with += all[k].probability * density(at[k][0], at[k][1]);
      result.remove += std::max(0.0, with - std::exp(epsilon) * without) * width * width;
      result.add += std::max(0.0, without - std::exp(epsilon) * with) * width * width;
    }
  }
  return result;
}

TEST(BandedMatrixWorlds, NoGroupExceedsTheBoundAndTheFirstAttainsIt) {
  for (const World& world :
       {World{}, World{.rounds = 3}, World{.rounds = 5, .groups = 3, .rate = 0.7, .coefficients = {1, 0.8, 0.5}},
        World{.rounds = 4, .groups = 3, .rate = 0.5, .sigma = 0.7, .coefficients = {1, -0.5}},
        World{.rounds = 3, .groups = 4, .rate = 0.2, .sigma = 0.8, .coefficients = {1, 0.5, 0.25, 0.125}}}) {
    BandedMatrix run{.noise_multiplier = world.sigma,
                     .rounds = static_cast<double>(world.rounds),
                     .sampling_rate = world.rate,
                     .groups = static_cast<double>(world.groups)};
    for (const double c : world.coefficients) run.coefficients.push_back({c});
    const Analysis analysis(Plan(Neighbors::zero_out).add(run));
    for (const double epsilon : {0.1, 1.0}) {
      const ExactAnswer claimed = delta(analysis, epsilon).exact.value();
      // The midpoint rule is accurate to about the square of a cell times the length of the kink.
      constexpr double quadrature = 2e-4;
      for (int group = 0; group < world.groups; ++group) {
        const Deltas truth = by_definition(world, group, epsilon);
        EXPECT_LE(truth.remove, claimed.remove.upper + quadrature) << world.rounds << " group " << group;
        EXPECT_LE(truth.add, claimed.add.upper + quadrature) << world.rounds << " group " << group;
        if (group != 0) continue;
        EXPECT_NEAR(truth.remove, claimed.remove.upper, quadrature + 1e-4 * truth.remove);
        EXPECT_NEAR(truth.add, claimed.add.upper, quadrature + 1e-4 * truth.add);
      }
    }
  }
}

}  // namespace
}  // namespace renyi::banded_matrix_test
