// Reservations by docs/math/ledger.md: an analyst who reserves, opens and cancels tickets depending on what he has seen
// gets no more than one who charges each step when it runs. Rules that give back too much, or count too little, are
// exceeded.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "renyi/filter.h"
#include "support/ledger_accounts.h"

namespace renyi::ledger_tickets_test {
namespace {

using test::AdaptiveAnalyst;
using test::LedgerAccounts;
using test::MenuStep;
using test::Outcome;
using Counts = LedgerAccounts::Counts;

enum class TicketRule {
  stated,             // reserved and opened tickets count, and only reserved ones go back
  opened_go_back,     // wrong: a ticket may be cancelled after its step has run
  reserved_are_free,  // wrong: a ticket counts when it is opened, which nothing refuses
};

// The worst analyst by dynamic programming over what he has seen and the tickets that he holds.
class TicketAnalyst {
 public:
  TicketAnalyst(const Budget& budget, std::vector<MenuStep> menu, TicketRule rule)
      : menu_(std::move(menu)), accounts_(test::mechanisms_of(menu_)), rule_(rule) {
    accounts_.add(Filter(budget), std::vector<bool>(menu_.size(), true));
  }

  double worst_delta(double epsilon, int calls) {
    epsilon_ = epsilon;
    values_.clear();
    return value({Counts(outcomes(), 0), Counts(menu_.size(), 0), Counts(menu_.size(), 0), calls});
  }

 private:
  struct State {
    Counts seen;      // how often each outcome was seen
    Counts reserved;  // tickets that are held
    Counts opened;    // tickets that were opened and count
    int calls = 0;    // that are left
  };

  [[nodiscard]] std::size_t outcomes() const {
    std::size_t sum = 0;
    for (const MenuStep& step : menu_) sum += step.outcomes.size();
    return sum;
  }

  [[nodiscard]] double value_of_stopping(const Counts& seen) const {
    double loss = 0;
    std::size_t at = 0;
    for (const MenuStep& step : menu_) {
      for (const Outcome& o : step.outcomes) {
        if (seen[at] > 0) loss += static_cast<double>(seen[at]) * std::log(o.p / o.q);
        ++at;
      }
    }
    return loss > epsilon_ ? -std::expm1(epsilon_ - loss) : 0;
  }

  bool may_reserve(const State& state, std::size_t s) {
    Counts charged = state.opened;
    if (rule_ != TicketRule::reserved_are_free) {
      for (std::size_t i = 0; i < charged.size(); ++i) charged[i] += state.reserved[i];
    }
    ++charged[s];
    return accounts_.admit(charged);
  }

  double value_of_opening(const State& state, std::size_t s) {
    State after = state;
    --after.reserved[s];
    ++after.opened[s];
    std::size_t at = 0;
    for (std::size_t i = 0; i < s; ++i) at += menu_[i].outcomes.size();
    double sum = 0;
    for (const Outcome& outcome : menu_[s].outcomes) {
      ++after.seen[at];
      if (outcome.p > 0) sum += outcome.p * value(after);
      --after.seen[at++];
    }
    return sum;
  }

  double value(State state) {
    const auto key = std::tuple(state.seen, state.reserved, state.opened, state.calls);
    const auto known = values_.find(key);
    if (known != values_.end()) return known->second;
    double best = value_of_stopping(state.seen);
    if (state.calls-- > 0) {
      for (std::size_t s = 0; s < menu_.size(); ++s) best = std::max(best, best_call(state, s));
    }
    values_.emplace(key, best);
    return best;
  }

  double best_call(const State& state, std::size_t s) {
    double best = 0;
    if (may_reserve(state, s)) {
      State after = state;
      ++after.reserved[s];
      best = std::max(best, value(after));
    }
    if (state.reserved[s] > 0) {
      best = std::max(best, value_of_opening(state, s));
      State after = state;
      --after.reserved[s];  // cancelled
      best = std::max(best, value(after));
    }
    if (rule_ == TicketRule::opened_go_back && state.opened[s] > 0) {
      State after = state;
      --after.opened[s];
      best = std::max(best, value(after));
    }
    return best;
  }

  std::vector<MenuStep> menu_;
  LedgerAccounts accounts_;
  TicketRule rule_;
  double epsilon_ = 0;
  std::map<std::tuple<Counts, Counts, Counts, int>, double> values_;
};

MenuStep pair_step(double p, double q) { return {Pairs{{{p, q}, {1 - p, 1 - q}}}, {{p, q}, {1 - p, 1 - q}}}; }

// Steps between which an adaptive analyst chooses by what he has seen; one of them may reveal the answer.
std::vector<MenuStep> menu(bool infinite) {
  std::vector<MenuStep> steps{pair_step(0.75, 0.25), pair_step(0.1, 0.25)};
  if (infinite) {
    steps[1] = {ApproxDp{std::log(1.5), 0.02}, {{0.02, 0}, {0.588, 0.392}, {0.392, 0.588}, {0, 0.02}}};
  }
  return steps;
}

std::vector<Budget> budgets() {
  std::vector<Budget> budgets{Budget::pure(2.1),
                              Budget::zcdp(0.7),
                              Budget::tcdp(0.7, 20),
                              Budget::gdp(1.6),
                              Budget::approx(4.2, 0.05),
                              Budget::order(2, 1.1),
                              Budget::curve({{2, 1.1}, {8, 2}}),
                              Budget::shares(3, {{2, 0.04}, {6, 0.04}})};
  for (std::size_t i = 0; i < all_budget_kinds.size(); ++i) {
    budgets.push_back(budgets[i].with_infinite_mass(0.03));
  }
  return budgets;
}

// Enough to reserve and open three tickets, and to cancel one.
constexpr int most_calls = 7;

TEST(LedgerTickets, ReservingAndCancellingGainNothing) {
  std::size_t longest = 0;
  for (const Budget& budget : budgets()) {
    const auto steps = menu(budget.infinite_mass > 0);
    TicketAnalyst analyst(budget, steps, TicketRule::stated);
    AdaptiveAnalyst plain(Filter(budget), steps, most_calls / 2);
    ASSERT_GE(plain.admitted().longest_path(), 1U);
    longest = std::max(longest, plain.admitted().longest_path());
    for (const double epsilon : {0.3, 1.0, 1.7}) {
      const double reached = analyst.worst_delta(epsilon, most_calls);
      EXPECT_NEAR(reached, plain.worst_delta(Direction::remove, epsilon), 1e-12) << to_string(budget.kind);
      EXPECT_LE(reached, delta(guarantee(budget), epsilon).upper() + 1e-14) << to_string(budget.kind);
    }
  }
  EXPECT_EQ(longest, 3U);
}

// One response of truth probability 0.75 fits into a budget of 1.1, which states delta 0 at epsilon 1.1.
const Budget one_response = Budget::pure(1.1);
// The delta of two responses there: both are true, with a loss of 2 ln 3.
const double two_responses = 0.5625 * (1 - std::exp(1.1) / 9);
std::vector<MenuStep> only_response() { return {{RandomizedResponse{0.75}, {{0.75, 0.25}, {0.25, 0.75}}}}; }

double delta_of(TicketRule rule, int calls) {
  return TicketAnalyst(one_response, only_response(), rule).worst_delta(one_response.epsilon, calls);
}

TEST(LedgerTickets, WhatWasOpenedMayNotGoBack) {
  EXPECT_NEAR(delta_of(TicketRule::stated, 8), 0, 1e-14);
  // Reserve, open, give back, reserve, open: two answers for the price of one.
  EXPECT_NEAR(delta_of(TicketRule::opened_go_back, 5), two_responses, 1e-12);
  EXPECT_GT(delta_of(TicketRule::opened_go_back, 11), 0.5);
}

TEST(LedgerTickets, ReservedOnesMustCount) {
  EXPECT_NEAR(delta_of(TicketRule::reserved_are_free, 4), two_responses, 1e-12);
}

// The law of an answer and of its retry, for both worlds.
double delta_with_retry(bool draws_again) {
  double delta = 0;
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      const auto law = [&](bool world) {
        const double answer = first == world ? 0.75 : 0.25;
        if (!draws_again) return first == second ? answer : 0.0;
        return answer * (second == world ? 0.75 : 0.25);
      };
      delta += std::max(0.0, law(true) - std::exp(one_response.epsilon) * law(false));
    }
  }
  return delta;
}

TEST(LedgerTickets, ARetryReturnsWhatWasStored) {
  EXPECT_NEAR(delta_with_retry(false), 0, 1e-14);
  EXPECT_NEAR(delta_with_retry(true), two_responses, 1e-12);
}

}  // namespace
}  // namespace renyi::ledger_tickets_test
