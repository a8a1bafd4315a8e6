// Runs of Gaussian and sampled Gaussian steps whose noise depends on the outcomes so far: e^((a-1)(L - spent)) has a
// mean of at most 1 at stopping times that the analyst chooses, and the target holds at the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "renyi/cost.h"
#include "renyi/filter.h"
#include "renyi/rdp.h"
#include "support/adaptive_analyst.h"
#include "support/expect.h"

namespace renyi::filter_martingale_test {
namespace {

using test::AdmittedSteps;
using test::both_directions;

// Gaussian noise on a query that a record moves by 1, on a sample of the records.
struct NoisyStep {
  double rate = 1;
  double noise = 1;

  [[nodiscard]] Mechanism mechanism() const {
    return rate == 1 ? Mechanism(Gaussian{.stddev = noise}) : Mechanism(SampledGaussian{rate, noise});
  }
  // Draws an outcome and returns its loss in this direction.
  double loss(Direction direction, std::mt19937_64& random) const {
    double x = noise * std::normal_distribution<double>()(random);
    if (direction == Direction::remove && std::uniform_real_distribution<double>()(random) < rate) x += 1;
    const double loss = std::log1p(rate * std::expm1((2 * x - 1) / (2 * noise * noise)));
    return direction == Direction::remove ? loss : -loss;
  }
};

struct Mean {
  double value = 0;
  double error = 0;  // standard error
};

Mean mean_of(const std::vector<double>& sample) {
  double sum = 0, squares = 0;
  for (const double x : sample) sum += x;
  const auto n = static_cast<double>(sample.size());
  for (const double x : sample) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, std::sqrt(squares / n / n)};
}

// The end of one run: its loss and the multiset of steps that ran.
struct End {
  double loss = 0;
  int node = 0;
};

// The analyst takes little noise while the loss is high and much while it is low, and stops once the loss is above
// `enough`, or when the filter refuses every step.
End run(const AdmittedSteps& admitted, const std::vector<NoisyStep>& menu, Direction direction, double enough,
        std::mt19937_64& random) {
  End end;
  while (end.loss < enough) {
    const bool high = end.loss > 0.1;
    int next = AdmittedSteps::refused_step;
    std::size_t step = 0;
    for (std::size_t i = 0; i < menu.size() && next == AdmittedSteps::refused_step; ++i) {
      step = high ? i : menu.size() - 1 - i;  // from least to most noise, or the other way round
      next = admitted.next(end.node, step);
    }
    if (next == AdmittedSteps::refused_step) break;
    end.node = next;
    end.loss += menu[step].loss(direction, random);
  }
  return end;
}

std::vector<Mechanism> mechanisms(const std::vector<NoisyStep>& menu) {
  std::vector<Mechanism> result;
  for (const NoisyStep& step : menu) result.push_back(step.mechanism());
  return result;
}

constexpr int moment_runs = 80'000, end_runs = 20'000;
constexpr std::size_t most_steps = 16;

const std::vector<NoisyStep> gaussian_menu{{1, 2}, {1, 2.5}, {1, 4}};
const std::vector<NoisyStep> sampled_menu{{0.2, 0.9}, {0.1, 0.8}, {0.05, 1.2}};

// The mean of e^((a-1)(L - share * spent)) at the end of adaptive runs.
Mean moment(const std::vector<NoisyStep>& menu, double order, double limit, Direction direction, double share) {
  const auto steps = mechanisms(menu);
  const AdmittedSteps admitted(Filter(Budget::order(order, limit)), steps, most_steps);
  EXPECT_GE(admitted.longest_path(), 3U);
  EXPECT_GT(admitted.refused(), 0U);
  std::vector<double> cost;
  for (const Mechanism& step : steps) cost.push_back(rdp(*step.curve(), order).upper());
  std::mt19937_64 random(17);
  std::vector<double> sample;
  for (int i = 0; i < moment_runs; ++i) {
    const End end = run(admitted, menu, direction, 0.6, random);
    double spent = 0;
    for (std::size_t s = 0; s < menu.size(); ++s) {
      spent += static_cast<double>(admitted.counts(end.node)[s]) * cost[s];
    }
    EXPECT_LE(spent, limit * (1 + 1e-12));
    sample.push_back(std::exp((order - 1) * (end.loss - share * spent)));
  }
  return mean_of(sample);
}

TEST(FilterMartingale, GaussianStepsKeepTheMean) {
  for (const auto& [order, limit] : {OrderLimit{1.5, 0.5}, OrderLimit{2, 0.6}, OrderLimit{4, 0.5}}) {
    for (const Direction direction : both_directions) {
      const Mean mean = moment(gaussian_menu, order, limit, direction, 1);
      EXPECT_LE(mean.value, 1 + 5 * mean.error) << "order " << order;
      // The costs of Gaussian steps are exact: it is a martingale.
      EXPECT_GE(mean.value, 1 - 5 * mean.error) << "order " << order;
      EXPECT_LE(mean.error, 0.01);
    }
  }
}

TEST(FilterMartingale, SampledGaussianStepsDoNotRaiseTheMean) {
  for (const auto& [order, limit] : {OrderLimit{1.5, 0.2}, OrderLimit{2, 0.2}, OrderLimit{3, 0.15}}) {
    for (const Direction direction : both_directions) {
      const Mean mean = moment(sampled_menu, order, limit, direction, 1);
      EXPECT_LE(mean.value, 1 + 5 * mean.error) << "order " << order;
      if (direction == Direction::remove) {
        EXPECT_GE(mean.value, 1 - 5 * mean.error) << "order " << order;
      }
      EXPECT_LE(mean.error, 0.02);
    }
  }
}

// The checks above are able to find a cost that is too small.
TEST(FilterMartingale, AFifthLessThanTheCostIsNoticed) {
  for (const auto* menu : {&gaussian_menu, &sampled_menu}) {
    const Mean mean = moment(*menu, 2, 0.5, Direction::remove, 0.8);
    EXPECT_GT(mean.value, 1 + 5 * mean.error);
  }
}

// E_P[(1 - e^(epsilon - L))_+] at the end of runs that aim at a loss of `enough`.
Mean end_delta(const std::vector<NoisyStep>& menu, const Budget& budget, double epsilon, double enough,
               Direction direction) {
  const AdmittedSteps admitted(Filter(budget), mechanisms(menu), most_steps);
  std::mt19937_64 random(23);
  std::vector<double> sample;
  for (int i = 0; i < end_runs; ++i) {
    const double loss = run(admitted, menu, direction, enough, random).loss;
    sample.push_back(loss > epsilon ? -std::expm1(epsilon - loss) : 0);
  }
  return mean_of(sample);
}

TEST(FilterMartingale, TheTargetHoldsAtTheEnd) {
  double nearest = 0;
  for (const auto* menu : {&gaussian_menu, &sampled_menu}) {
    for (const Budget& budget :
         {Budget::shares(1, {{4, 0.02}, {12, 0.01}}), Budget::shares(0.7, {{8, 0.03}}), Budget::zcdp(1.3),
          Budget::gdp(1), Budget::gdp(1.8), Budget::order(6, 0.7), Budget::curve({{3, 0.4}, {8, 0.9}})}) {
      const bool concentrated = budget.kind == BudgetKind::zcdp || budget.kind == BudgetKind::gdp;
      const double epsilon = budget.kind == BudgetKind::shares ? budget.epsilon : (concentrated ? 1.5 : 0.8);
      const double target =
          budget.kind == BudgetKind::shares ? budget.delta : delta(guarantee(budget), epsilon).upper();
      for (const Direction direction : both_directions) {
        for (const double enough : {epsilon + 0.5, test::infinity}) {
          const Mean mean = end_delta(*menu, budget, epsilon, enough, direction);
          EXPECT_LE(mean.value, target + 5 * mean.error) << to_string(budget.kind);
          nearest = std::max(nearest, mean.value / target);
        }
      }
    }
  }
  EXPECT_GT(nearest, 0.9);
}

}  // namespace
}  // namespace renyi::filter_martingale_test
