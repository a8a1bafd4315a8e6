// Random menus of small discrete steps for adaptive analysts, and budgets near what a few of those steps cost.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "renyi/filter.h"
#include "renyi/rdp.h"
#include "support/adaptive_analyst.h"
#include "support/own_discrete.h"
#include "support/random_source.h"

namespace renyi::test {

namespace menu_detail {

inline MenuStep named(Mechanism mechanism, std::vector<Outcome> outcomes) {
  return {std::move(mechanism), std::move(outcomes)};
}

inline std::vector<Outcome> outcomes_of(const DiscretePair& pair) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    outcomes.push_back({static_cast<double>(pair.p[i]), static_cast<double>(pair.q[i])});
  }
  return outcomes;
}

// Two laws that are near each other, far from each other, or near except for rare outcomes.
inline DiscretePair some_pair(RandomInputs& random, bool gaps) {
  const std::size_t size = 2 + random.below(gaps ? 2 : 3);
  const double near = random.one_of({0.05, 0.3, 1, 2.5}), rare = random.one_of({0, 0, 3, 8});
  std::vector<double> p, q;
  for (std::size_t i = 0; i < size; ++i) {
    const double mass = std::exp(-rare * random.uniform());
    p.push_back(mass * std::exp(random.uniform(-near, near)));
    q.push_back(mass * std::exp(random.uniform(-near, near)));
  }
  if (gaps) {
    if (random.chance(0.7)) p.push_back(random.log_uniform(1e-6, 0.1)), q.push_back(0);
    if (p.size() == size || random.chance(0.4)) p.push_back(0), q.push_back(random.log_uniform(1e-6, 0.1));
  }
  return {proportional_law(p), proportional_law(q)};
}

// A custom pair, by doubles of any size.
inline MenuStep own_step(RandomInputs& random, bool gaps) {
  const OwnDiscrete own = own_discrete(some_pair(random, gaps));
  return named(own.mechanism, outcomes_of(own.pair));
}

// A table of decimals with three digits.
inline MenuStep pairs_step(RandomInputs& random, bool gaps) {
  const std::size_t size = gaps ? 3 + random.below(2) : 2 + random.below(3);
  const auto law = [&](std::size_t zero) {
    std::vector<int> parts(size, 0);
    int left = 1000;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == zero) continue;
      parts[i] = 1 + static_cast<int>(random.below(400 / size));
      left -= parts[i];
    }
    parts[zero == 0 ? 1 : 0] += left;
    return parts;
  };
  const auto p = law(gaps && random.chance(0.5) ? size - 1 : size), q = law(gaps ? size - 2 : size);
  std::vector<Outcome> outcomes;
  Pairs pairs;
  for (std::size_t i = 0; i < size; ++i) {
    outcomes.push_back({p[i] / 1000.0, q[i] / 1000.0});
    pairs.probabilities.push_back({outcomes[i].p, outcomes[i].q});
  }
  return named(pairs, outcomes);
}

inline MenuStep response_step(RandomInputs& random) {
  const std::size_t categories = 2 + random.below(3);
  const double truth = random.uniform(1.0 / static_cast<double>(categories), 0.95);
  const double other = (1 - truth) / static_cast<double>(categories - 1);
  std::vector<Outcome> outcomes(categories, {other, other});
  outcomes[0].p = outcomes[1].q = truth;
  return named(RandomizedResponse{truth, static_cast<double>(categories)}, outcomes);
}

inline double some_epsilon(RandomInputs& random) {
  return random.chance(0.5) ? random.one_of({0.1, 0.25, 0.5, 1, 2}) : random.log_uniform(0.02, 3);
}

// A promised epsilon, kept by a pair of two outcomes whose loss is epsilon at one of them.
inline MenuStep pure_step(RandomInputs& random) {
  const double epsilon = some_epsilon(random), kink = 1 / (1 + std::exp(epsilon));
  const double q = random.chance(0.5) ? kink : kink * random.log_uniform(1e-4, 1);
  const double p = q * std::exp(epsilon);
  if (random.chance(0.5)) return named(PureDp{epsilon}, {{p, q}, {1 - p, 1 - q}});
  return named(PureDp{epsilon}, {{q, p}, {1 - q, 1 - p}});
}

// The worst pair of (epsilon, delta)-DP.
inline MenuStep approx_step(RandomInputs& random) {
  const double epsilon = some_epsilon(random), delta = random.log_uniform(1e-6, 0.1);
  const double low = (1 - delta) / (1 + std::exp(epsilon)), high = low * std::exp(epsilon);
  return named(ApproxDp{epsilon, delta}, {{delta, 0}, {high, low}, {low, high}, {0, delta}});
}

// Gaussian noise of which the analyst sees the bin only.
inline MenuStep binned_gaussian(RandomInputs& random) {
  const double mu = some_epsilon(random);
  std::vector<double> cuts;
  for (std::size_t n = 1 + random.below(3); n > 0; --n) cuts.push_back(random.uniform(-2.5, 2.5 + mu));
  std::sort(cuts.begin(), cuts.end());
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  std::vector<Outcome> outcomes;
  Outcome before;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const Outcome here = i < cuts.size() ? Outcome{below(cuts[i] - mu), below(cuts[i])} : Outcome{1, 1};
    outcomes.push_back({here.p - before.p, here.q - before.q});
    before = here;
  }
  if (random.chance(0.5)) return named(Gdp{mu}, outcomes);
  return named(Gaussian{.stddev = 1, .l2_sensitivity = mu}, outcomes);
}

// A promise at these orders, kept by a pair that attains it.
inline MenuStep rdp_step(RandomInputs& random, const std::vector<double>& orders) {
  const DiscretePair pair = some_pair(random, false);
  Rdp promise;
  for (const double order : orders) {
    const long double most = std::max(direct_renyi(pair, order), direct_renyi(pair.swapped(), order));
    promise.points.push_back({order, static_cast<double>(most) * (1 + 1e-13)});
  }
  return named(promise, outcomes_of(pair));
}

// The law of a loss; what is missing under Q is a loss that is infinite in the other direction.
inline MenuStep losses_step(RandomInputs& random) {
  const double high = some_epsilon(random), p = random.uniform(0.3, 0.9);
  const double rest = (1 - p * std::exp(-high)) * random.uniform(0.8, 0.999), low = std::log((1 - p) / rest);
  const double q = p * std::exp(-high);
  return named(Losses{{{high, p}, {low, 1 - p}}}, {{p, q}, {1 - p, rest}, {0, 1 - q - rest}});
}

}  // namespace menu_detail

// A step that has a cost of this kind; `orders` are those that the budget tracks.
inline MenuStep random_step(RandomInputs& random, BudgetKind kind, const std::vector<double>& orders, bool infinite) {
  using namespace menu_detail;
  if (infinite && random.chance(0.6)) {
    switch (random.below(4)) {
      case 0: return own_step(random, true);
      case 1: return pairs_step(random, true);
      case 2: return losses_step(random);
      default: return approx_step(random);
    }
  }
  const bool bounded = kind == BudgetKind::pure || kind == BudgetKind::approx;
  switch (random.below(bounded ? 4 : (orders.empty() ? 5 : 6))) {
    case 0: return own_step(random, false);
    case 1: return pairs_step(random, false);
    case 2: return response_step(random);
    case 3: return pure_step(random);
    case 4: return binned_gaussian(random);
    default: return rdp_step(random, orders);
  }
}

struct BudgetAndMenu {
  Budget budget;
  std::vector<MenuStep> menu;
};

namespace menu_detail {

// The balances after a few random steps of the menu.
inline std::vector<Balance> some_balances(RandomInputs& random, const Filter& unlimited,
                                          const std::vector<MenuStep>& menu) {
  Filter filter = unlimited;
  for (std::size_t n = 1 + random.below(4); n > 0; --n) filter.charge(menu[random.below(menu.size())].mechanism);
  return filter.remaining();
}

// Mostly a limit that those steps exhaust to the last digit.
inline double near(RandomInputs& random, double spent) {
  switch (random.below(6)) {
    case 0: return spent * random.uniform(0.7, 1.6);
    case 1: return spent * (1 + 1e-12);
    case 2: return spent * (1 - 1e-12);
    default: return spent;
  }
}

inline Budget random_shares(RandomInputs& random, const std::vector<double>& orders, const auto& balances) {
  const auto gain = [](double a) { return std::log1p(1 / (a - 1)) + std::log(a) / (a - 1); };
  std::vector<OrderShare> shares{{orders[0], random.log_uniform(1e-6, 0.2)}};
  const double epsilon =
      std::max(0.05, near(random, balances()[0].spent) - gain(orders[0]) - std::log(shares[0].delta) / (orders[0] - 1));
  for (std::size_t i = 1; i < orders.size(); ++i) {
    const double a = orders[i];
    const double delta = std::exp((a - 1) * (near(random, balances()[i].spent) - epsilon - gain(a)));
    shares.push_back({a, delta > 1e-12 && delta < 0.3 ? delta : random.log_uniform(1e-6, 0.2)});
  }
  return Budget::shares(epsilon, shares);
}

}  // namespace menu_detail

inline BudgetAndMenu random_budget_and_menu(RandomInputs& random, BudgetKind kind, bool infinite) {
  using namespace menu_detail;
  std::vector<double> orders;
  const std::size_t wanted = kind == BudgetKind::order ? 1 : 1 + random.below(3);
  if (kind == BudgetKind::order || kind == BudgetKind::curve || kind == BudgetKind::shares) {
    while (orders.size() < wanted) {
      const double order = random.one_of({1.25, 1.5, 2, 3, 6, 16, 64});
      if (std::find(orders.begin(), orders.end(), order) == orders.end()) orders.push_back(order);
    }
    std::sort(orders.begin(), orders.end());
  }
  BudgetAndMenu result;
  for (std::size_t n = 2 + random.below(3); n > 0; --n) {
    result.menu.push_back(random_step(random, kind, orders, infinite));
  }
  constexpr double much = 1e9;
  const double omega = random.one_of({1.5, 3, 20}), delta = random.log_uniform(1e-6, 0.3);
  std::vector<OrderLimit> limits;
  for (const double order : orders) limits.push_back({order, much});
  Budget unlimited = Budget::pure(much);
  switch (kind) {
    case BudgetKind::pure: break;
    case BudgetKind::zcdp: unlimited = Budget::zcdp(much); break;
    case BudgetKind::tcdp: unlimited = Budget::tcdp(much, omega); break;
    case BudgetKind::gdp: unlimited = Budget::gdp(much); break;
    case BudgetKind::approx: unlimited = Budget::approx(much, delta); break;
    default: unlimited = Budget::curve(limits);
  }
  if (infinite) unlimited = unlimited.with_infinite_mass(0.99);
  const Filter filter(unlimited);
  const auto balances = [&] { return some_balances(random, filter, result.menu); };
  const double spent = near(random, balances()[0].spent);
  switch (kind) {
    case BudgetKind::pure: result.budget = Budget::pure(spent); break;
    case BudgetKind::zcdp: result.budget = Budget::zcdp(spent); break;
    case BudgetKind::tcdp: result.budget = Budget::tcdp(spent, omega); break;
    case BudgetKind::gdp: result.budget = Budget::gdp(spent); break;
    case BudgetKind::approx: result.budget = Budget::approx(spent, delta); break;
    case BudgetKind::shares: result.budget = random_shares(random, orders, balances); break;
    case BudgetKind::order:
    case BudgetKind::curve:
      for (std::size_t i = 0; i < limits.size(); ++i) limits[i].epsilon = near(random, balances()[i].spent);
      result.budget = kind == BudgetKind::order ? Budget::order(orders[0], limits[0].epsilon) : Budget::curve(limits);
  }
  if (infinite) {
    const double mass = near(random, balances().back().spent);
    result.budget = result.budget.with_infinite_mass(mass > 0 ? std::min(mass, 0.9) : random.log_uniform(1e-6, 0.1));
  }
  return result;
}

}  // namespace renyi::test
