// The noise of a release: rules of division against their definitions, costs, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::design_test {
namespace {

using release::Design;
using release::Division;
using release::NoiseFamily;
using release::Statistic;
using release::Terms;

Statistic number(const std::string& name, double sensitivity) {
  return {.name = name, .bounds = {.l1_sensitivity = sensitivity, .l2_sensitivity = sensitivity}};
}

Statistic histogram(const std::string& name, std::size_t bins, std::int64_t moved) {
  Statistic statistic{.name = name, .is_integer = true, .bounds = {.max_bins = moved, .max_per_bin = 1}};
  for (std::size_t i = 0; i < bins; ++i) statistic.bins.push_back(std::to_string(i));
  return statistic;
}

Statistic real_histogram(const std::string& name, std::size_t bins, std::int64_t moved) {
  Statistic statistic = histogram(name, bins, moved);
  statistic.is_integer = false;
  return statistic;
}

Terms mixed(Division division) {
  return {.statistics = {number("a", 1), number("b", 8), real_histogram("c", 16, 1), real_histogram("d", 9, 4)},
          .division = division};
}

double total_variance(const Terms& terms, const std::vector<double>& variances) {
  double sum = 0;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const Statistic& statistic = terms.statistics[i];
    sum += statistic.weight.value_or(1) * static_cast<double>(statistic.size()) * variances[i];
  }
  return sum;
}

double variance(const release::StatisticNoise& noise) {
  return noise.size * noise.size * (noise.mechanism == "gaussian" ? 1 : 2);
}

// The cost that stays fixed: the sum of D^2/sigma^2, or of D/b.
double cost(const release::StatisticNoise& noise, double variance) {
  if (noise.mechanism == "gaussian") return noise.sensitivity.l2 * noise.sensitivity.l2 / variance;
  return noise.sensitivity.l1 / std::sqrt(variance / 2);
}

// No other division that costs the same has a smaller sum of variances.
void expect_least_variance(const Terms& terms) {
  const Design found = design(terms, {});
  std::vector<double> variances;
  double spent = 0;
  for (const auto& noise : found.noise) {
    variances.push_back(variance(noise));
    spent += cost(noise, variances.back());
  }
  const double least = total_variance(terms, variances);
  std::mt19937 random(1);
  for (const double spread : {0.02, 0.2, 1.0}) {
    std::normal_distribution<double> change(0, spread);
    for (int i = 0; i < 300; ++i) {
      std::vector<double> others = variances;
      for (double& each : others) each *= std::exp(change(random));
      // One factor for all brings the cost back to what it was.
      double costs = 0;
      for (std::size_t j = 0; j < others.size(); ++j) costs += cost(found.noise[j], others[j]);
      const double factor = found.noise[0].mechanism == "gaussian" ? costs / spent : std::pow(costs / spent, 2);
      for (double& each : others) each *= factor;
      EXPECT_GE(total_variance(terms, others), least * (1 - 1e-4));
    }
  }
}

TEST(Design, MinVarianceIsTheSmallestOfManyDivisions) {
  Terms terms = mixed(Division::min_variance);
  terms.budget.rho = 0.1;
  expect_least_variance(terms);
  terms.budget = {.epsilon = 1, .delta = 1e-6};
  expect_least_variance(terms);
  terms.statistics[2].weight = 25;
  expect_least_variance(terms);
  terms.budget = {.epsilon = 1, .delta = 0};
  expect_least_variance(terms);
}

TEST(Design, EqualErrorIsEqual) {
  for (const double delta : {1e-6, 0.0}) {
    Terms terms = mixed(Division::equal_error);
    terms.budget = {.epsilon = 1, .delta = delta};
    const Design found = design(terms, {});
    for (const auto& noise : found.noise) EXPECT_EQ(noise.size, found.noise[0].size);
    EXPECT_EQ(found.noise[0].mechanism, delta > 0 ? "gaussian" : "laplace");
  }
}

TEST(Design, VariancesAreInTheRatioOfTheWeights) {
  Terms terms = mixed(Division::weights);
  terms.statistics[1].weight = 4;
  terms.statistics[3].weight = 0.25;
  terms.budget = {.epsilon = 2, .delta = 1e-9};
  const Design found = design(terms, {});
  EXPECT_NEAR(variance(found.noise[0]) / variance(found.noise[1]), 4, 1e-4);
  EXPECT_NEAR(variance(found.noise[3]) / variance(found.noise[2]), 4, 1e-4);
}

TEST(Design, SpendsTheBudgetAndNoMore) {
  for (const Division division : release::all_divisions) {
    for (const double delta : {1e-6, 0.0}) {
      for (const Adjacency relation :
           {Adjacency{}, Adjacency{Neighbors::replace_one, 1}, Adjacency{Neighbors::zero_out, 3}}) {
        Terms terms = mixed(division);
        terms.statistics.push_back(histogram("e", 5, 2));
        terms.statistics.push_back({.name = "f", .is_integer = true, .bounds = {.l1_sensitivity = 2}});
        terms.budget = {.epsilon = 1, .delta = delta};
        const Design found = design(terms, relation);
        const double spent = renyi::epsilon(found.plan, delta, {.exactness = {.tolerance = 1e-6}}).upper();
        EXPECT_LE(spent, 1 + 1e-5);
        EXPECT_GE(spent, 0.999);
        ASSERT_TRUE(found.epsilon);
        EXPECT_LE(*found.epsilon, 1);
        EXPECT_EQ(found.plan.unit(), relation.unit);
      }
    }
  }
}

TEST(Design, RhoIsASum) {
  Terms terms = mixed(Division::min_variance);
  terms.statistics.push_back(histogram("e", 5, 2));
  terms.budget.rho = 0.05;
  const Design found = design(terms, {Neighbors::add_or_remove_one, 1});
  double rho = 0;
  for (const auto& noise : found.noise) rho += 0.5 * std::pow(noise.sensitivity.l2 / noise.size, 2);
  EXPECT_LE(rho, 0.05);
  EXPECT_NEAR(rho, 0.05, 1e-6);
  EXPECT_NEAR(*found.rho, rho, 1e-12);
  EXPECT_FALSE(found.noise[0].equal_split_error);
}

TEST(Design, IntegersGetDiscreteNoiseWhereItIsKnownHowTheyMove) {
  Terms terms{.statistics = {histogram("moves known", 5, 2), histogram("norm only", 5, 2)}};
  terms.statistics[1].bounds = {.l2_sensitivity = std::sqrt(2.0)};
  terms.budget = {.epsilon = 1, .delta = 1e-6};
  const Design found = design(terms, {});
  EXPECT_EQ(found.noise[0].mechanism, "discrete-gaussian");
  EXPECT_EQ(found.noise[0].count, 2);
  EXPECT_EQ(found.noise[0].grid, 0);
  EXPECT_EQ(found.noise[0].half_width, std::floor(found.noise[0].half_width));
  EXPECT_EQ(found.noise[1].mechanism, "gaussian");
  EXPECT_EQ(found.noise[1].count, 1);
  EXPECT_EQ(found.noise[1].grid, 1);
  // Several records of a group may move different bins.
  EXPECT_EQ(design(terms, {Neighbors::add_or_remove_one, 2}).noise[0].mechanism, "gaussian");
  // Wide discrete noise has no exact accounting.
  terms.budget.epsilon = 1e-4;
  EXPECT_EQ(design(terms, {}).noise[0].mechanism, "gaussian");
}

// Two bins are moved by one each: the delta of the pair, summed over all outcomes, is not above that of the plan.
TEST(Design, DiscreteNoiseOnAVectorIsAccountedForByItsCoordinates) {
  Terms terms{.statistics = {histogram("h", 4, 2)}};
  terms.statistics[0].noise = {.mechanism = "discrete-gaussian", .size = 1.5};
  const Design found = design(terms, {});
  const auto mass = [](int x) { return std::exp(-x * x / (2 * 1.5 * 1.5)); };
  double norm = 0;
  for (int x = -30; x <= 30; ++x) norm += mass(x);
  for (const double epsilon : {0.0, 0.5, 1.0, 2.0}) {
    const double upper = renyi::delta(found.plan, epsilon).upper();
    double largest = 0;
    for (const auto& [first, second] : {std::pair{1, 0}, {1, 1}, {1, -1}, {-1, -1}}) {
      double delta = 0;
      for (int x = -30; x <= 30; ++x) {
        for (int y = -30; y <= 30; ++y) {
          delta += std::max(0.0, mass(x - first) * mass(y - second) - std::exp(epsilon) * mass(x) * mass(y));
        }
      }
      largest = std::max(largest, delta / (norm * norm));
    }
    EXPECT_GE(upper, largest * (1 - 1e-9));
    EXPECT_NEAR(upper, largest, 1e-6 + 1e-4 * largest);
  }
}

TEST(Design, StatedNoiseCountsFirst) {
  Terms terms = mixed(Division::equal_error);
  terms.statistics[0].noise = {.mechanism = "laplace", .size = 2};
  terms.budget = {.epsilon = 1, .delta = 1e-6};
  const Design found = design(terms, {});
  EXPECT_EQ(found.noise[0].size, 2);
  EXPECT_LE(renyi::epsilon(found.plan, 1e-6).upper(), 1.0001);
}

TEST(Design, EqualSplitIsBasicComposition) {
  Terms terms{.statistics = {number("a", 1), number("b", 3)}, .budget = {.epsilon = 1, .delta = 1e-6}};
  const Design found = design(terms, {});
  Plan half;
  half.add(Gaussian{.stddev = *found.noise[0].equal_split_error, .l2_sensitivity = 1});
  EXPECT_NEAR(renyi::epsilon(half, 5e-7).upper(), 0.5, 1e-6);
  EXPECT_NEAR(*found.noise[1].equal_split_error, 3 * *found.noise[0].equal_split_error, 1e-9);
  terms.budget.delta = 0;
  EXPECT_NEAR(*design(terms, {}).noise[1].equal_split_error, std::sqrt(2.0) * 6, 1e-9);
}

void expect_refused(const Terms& terms, const std::string& path) {
  try {
    design(terms, {});
    ADD_FAILURE() << path;
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), path) << error.what();
  }
}

TEST(Design, RefusesWhatDoesNotFitTogether) {
  Terms terms = mixed(Division::equal_error);
  expect_refused(terms, "statistics[0].mechanism");  // neither noise nor budget
  terms.budget = {.epsilon = 1};
  expect_refused(terms, "budget.delta");
  terms.budget = {.epsilon = -1, .delta = 1e-6};
  expect_refused(terms, "budget.epsilon");
  terms.budget = {.epsilon = 1, .delta = 1.5};
  expect_refused(terms, "budget.delta");
  terms.budget = {.epsilon = 1, .delta = 1e-6, .rho = 1};
  expect_refused(terms, "budget.rho");
  terms.budget = {.epsilon = 1, .delta = 0};
  terms.family = NoiseFamily::gaussian;
  expect_refused(terms, "budget.delta");
  terms.family = NoiseFamily::laplace;
  terms.budget = {.rho = 1};
  expect_refused(terms, "budget.rho");
  terms.family.reset();
  terms.budget = {.epsilon = 1, .delta = 1e-6};
  terms.statistics[1].weight = 2;
  expect_refused(terms, "statistics[1].weight");
  terms = mixed(Division::equal_error);
  terms.budget = {.epsilon = 1, .delta = 1e-6};
  terms.statistics[2].bounds = {};
  expect_refused(terms, "statistics[2].l2_sensitivity");
  // Stated noise that costs more than the budget.
  terms = {.statistics = {number("a", 1)}, .budget = {.epsilon = 1, .delta = 1e-6}};
  terms.statistics[0].noise = {.mechanism = "gaussian", .size = 1};
  expect_refused(terms, "budget.epsilon");
  terms.budget = {.rho = 0.1};
  expect_refused(terms, "budget.rho");
  terms.statistics[0].noise = {.mechanism = "laplace", .size = 1};
  expect_refused(terms, "statistics[0].mechanism");
  // Discrete noise needs to know which bins move.
  terms = {.statistics = {histogram("h", 3, 1)}};
  terms.statistics[0].bounds = {.l2_sensitivity = 1};
  terms.statistics[0].noise = {.mechanism = "discrete-gaussian", .size = 3};
  expect_refused(terms, "statistics[0].mechanism");
}

}  // namespace
}  // namespace renyi::design_test
