// The accounts of a ledger as plain filters: which steps of a menu count in which account, and whether all of them
// admit a multiset of steps. Nothing of the ledger's own code is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "renyi/cost.h"
#include "renyi/filter.h"
#include "support/adaptive_analyst.h"
#include "support/expect.h"

namespace renyi::test {

class LedgerAccounts {
 public:
  using Counts = AdmittedSteps::Counts;

  explicit LedgerAccounts(std::vector<Mechanism> steps) : steps_(std::move(steps)) {}

  // Adds an account in which the marked steps of the menu count.
  void add(const Filter& filter, std::vector<bool> counts) { accounts_.push_back({filter, std::move(counts), {}}); }

  // Whether steps that were charged so often fit every account.
  bool admit(const Counts& counts) {
    return std::all_of(accounts_.begin(), accounts_.end(), [&](Account& account) { return fits(account, counts); });
  }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }

  // The worst analyst of these steps, who gives up after `most_steps` of them.
  AdaptiveAnalyst analyst(const std::vector<MenuStep>& menu, std::size_t most_steps) {
    return {AdmittedSteps([this](const Counts& counts) { return admit(counts); }, steps_.size(), most_steps), menu};
  }

 private:
  struct Account {
    Filter filter;
    std::vector<bool> counts;
    std::map<Counts, bool> known;
  };

  bool fits(Account& account, Counts counts) {
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] = account.counts[s] ? counts[s] : 0;
    const auto known = account.known.find(counts);
    if (known != account.known.end()) return known->second;
    Filter filter = account.filter;
    bool fits = true;
    for (std::size_t s = 0; s < counts.size() && fits; ++s) {
      if (counts[s] > 0) fits = filter.charge(steps_[s], static_cast<std::int64_t>(counts[s])).runs;
    }
    account.known.emplace(std::move(counts), fits);
    return fits;
  }

  std::vector<Mechanism> steps_;
  std::vector<Account> accounts_;
};

// Budgets that claim deltas at some epsilons, computed once.
class BudgetClaim {
 public:
  explicit BudgetClaim(const Budget& budget) : limits_(limits_of(budget)) {
    std::vector<double> epsilons{0.2, 0.7, 1.5};
    if (budget.epsilon > 0) epsilons.push_back(budget.epsilon);
    for (const double epsilon : epsilons) deltas_.emplace_back(epsilon, delta(guarantee(budget), epsilon).upper());
  }

  // The largest quotient of what the worst analyst reaches and what the budget claims: 1 or less if the claim holds.
  [[nodiscard]] double reached_by(AdaptiveAnalyst& analyst) const {
    double most = 0;
    for (const Direction direction : both_directions) {
      for (const auto& [epsilon, claim] : deltas_) {
        most = std::max(most, quotient(analyst.worst_delta(direction, epsilon), claim));
      }
      for (const OrderLimit& limit : limits_) {
        most = std::max(most,
                        quotient(analyst.worst_log_moment(direction, limit.order), (limit.order - 1) * limit.epsilon));
      }
    }
    return most;
  }

 private:
  // The divergences that a budget limits.
  static std::vector<OrderLimit> limits_of(const Budget& budget) {
    std::vector<OrderLimit> limits = budget.limits;
    for (const double order : {1.1, 2.0, 7.0, 20.0}) {
      if (budget.rho > 0 && (budget.omega == 0 || order <= budget.omega)) {
        limits.push_back({order, budget.rho * order});
      }
    }
    return limits;
  }
  // Sums of doubles are rounded.
  static double quotient(double reached, double claim) {
    if (reached <= 1e-14) return 0;
    return claim > 0 ? reached / claim : std::numeric_limits<double>::infinity();
  }

  std::vector<OrderLimit> limits_;
  std::vector<std::pair<double, double>> deltas_;
};

inline constexpr double rounding_of_claims = 1e-10;

}  // namespace renyi::test
