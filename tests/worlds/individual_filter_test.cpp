// Individual accounts against the exact law of all outputs. One record, three steps of sampled Gaussian noise, norms
// that depend on the signs of earlier outputs, and balances that depend on whether the record was drawn, which nobody
// sees. The law of the outputs with the record is a mixture over all draws; without it, it is N(0, I).
#include "renyi/individual_filter.h"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "renyi/renyi.h"

namespace renyi::individual_filter_test {
namespace {

constexpr std::size_t steps = 3;

// The norm before each step, by the signs of the outputs before it: 1 + 2 + 4 numbers.
struct Analyst {
  IndividualStep step;
  std::array<std::array<double, 4>, steps> norms{};
};

// Charges a record that was drawn, or was not, and returns whether it may take part if it was.
using Rule = std::function<bool(IndividualFilter&, const IndividualStep&, double norm, bool is_drawn)>;

bool charge(IndividualFilter& accounts, const IndividualStep& step, double norm, bool is_drawn) {
  if (!is_drawn) {
    accounts.charge(step, std::span<const std::uint64_t>{}, {}, {});
    return false;
  }
  const std::array<std::uint64_t, 1> drawn{0};
  std::array<std::uint8_t, 1> mask{};
  accounts.charge(step, drawn, std::array{norm}, mask);
  return mask[0] != 0;
}

// This rule is not valid: the cost of a step counts the chance of not being drawn, so it is due in any case.
bool charge_only_if_drawn(IndividualFilter& accounts, const IndividualStep& step, double norm, bool is_drawn) {
  return is_drawn && charge(accounts, step, norm, is_drawn);
}

// What the record adds to each sum, by the signs of the outputs and by the draws: bit t for step t.
using Contributions = std::array<std::array<std::array<double, 1U << steps>, 1U << steps>, steps>;

Contributions contributions(const Analyst& analyst, const Budget& budget, const Rule& rule) {
  Contributions added{};
  IndividualFilter start(1, budget);
  charge(start, analyst.step, 0, true);  // costs nothing; copies share the table of costs
  for (unsigned signs = 0; signs < 1U << steps; ++signs) {
    for (unsigned draws = 0; draws < 1U << steps; ++draws) {
      IndividualFilter accounts = start;
      for (unsigned t = 0; t < steps; ++t) {
        const double norm = analyst.norms[t][signs & ((1U << t) - 1)];
        const bool takes_part = rule(accounts, analyst.step, norm, (draws >> t & 1U) != 0);
        added[t][signs][draws] = takes_part ? norm / (analyst.step.noise_multiplier * analyst.step.clip) : 0;
      }
    }
  }
  return added;
}

struct Node {
  double x, weight;
  unsigned sign;
};

// Nodes for expectations under N(0, 1) of functions that are smooth on both sides of 0.
std::vector<Node> nodes() {
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  std::vector<Node> all;
  for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
    for (const double side : {-1.0, 1.0}) {
      for (const unsigned sign : {0U, 1U}) {
        const double half = 5, x = (sign == 0 ? -half : half) + side * half * Gauss::abscissa()[i];
        all.push_back({x, half * Gauss::weights()[i] * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)), sign});
      }
    }
  }
  return all;
}

// The divergences of the order in both directions.
struct Divergences {
  double remove = 0, add = 0;
};

Divergences exact(const Contributions& added, double rate, double order) {
  static const auto grid = nodes();
  double up = 0, down = 0;
  for (const Node& a : grid) {
    for (const Node& b : grid) {
      for (const Node& c : grid) {
        const unsigned signs = a.sign | b.sign << 1U | c.sign << 2U;
        const std::array<double, steps> x{a.x, b.x, c.x};
        double ratio = 0;
        for (unsigned draws = 0; draws < 1U << steps; ++draws) {
          double exponent = 0, probability = 1;
          for (unsigned t = 0; t < steps; ++t) {
            probability *= (draws >> t & 1U) != 0 ? rate : 1 - rate;
            const double shift = added[t][signs][draws];
            exponent += shift * (x[t] - shift / 2);
          }
          ratio += probability * std::exp(exponent);
        }
        const double weight = a.weight * b.weight * c.weight;
        up += weight * std::pow(ratio, order);
        down += weight * std::pow(ratio, 1 - order);
      }
    }
  }
  return {std::log(up) / (order - 1), std::log(down) / (order - 1)};
}

TEST(IndividualFilterWorlds, ARunOnHiddenDrawsKeepsTheBudget) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  double nearest = 0;
  for (int i = 0; i < 24; ++i) {
    const double order = 1.5 + 2.5 * uniform(random), rate = 0.1 + 0.8 * uniform(random);
    Analyst analyst{.step = {.noise_multiplier = 0.8 + uniform(random), .sampling_rate = rate, .clip = 0.5}};
    for (auto& row : analyst.norms) {
      for (double& norm : row) norm = 0.125 * std::ceil(4 * std::sqrt(uniform(random)));
    }
    const double one = rdp(Plan().add(SampledGaussian{rate, analyst.step.noise_multiplier}), order).upper();
    const double limit = one * (0.3 + 2 * uniform(random));
    const auto found = exact(contributions(analyst, Budget::order(order, limit), charge), rate, order);
    EXPECT_LE(found.remove, limit * (1 + 1e-6));
    EXPECT_LE(found.add, limit * (1 + 1e-6));
    nearest = std::max(nearest, found.remove / limit);
  }
  EXPECT_GT(nearest, 0.8);
}

// All norms are the clip, and the budget is that of one step: at a rate q and noise of 1 the divergence of order 2 is
// ln(1 + q^2 (e-1) (1 + p^2 + p^4)), p = 1-q, if the record pays only when it is drawn, instead of ln(1 + q^2 (e-1)).
TEST(IndividualFilterWorlds, ChargingOnlyWhoWasDrawnBreaksTheBudget) {
  constexpr double rate = 0.4, p = 1 - rate;
  Analyst analyst{.step = {.noise_multiplier = 1, .sampling_rate = rate}};
  for (auto& row : analyst.norms) row.fill(1);
  const double limit = rdp(Plan().add(SampledGaussian{rate, 1}), 2).upper();
  const auto right = exact(contributions(analyst, Budget::order(2, limit), charge), rate, 2);
  EXPECT_NEAR(right.remove, limit, 1e-6);
  const auto wrong = exact(contributions(analyst, Budget::order(2, limit), charge_only_if_drawn), rate, 2);
  EXPECT_NEAR(wrong.remove, std::log1p(rate * rate * std::expm1(1) * (1 + p * p + p * p * p * p)), 1e-6);
  EXPECT_GT(wrong.remove, 1.3 * limit);
}

}  // namespace
}  // namespace renyi::individual_filter_test
