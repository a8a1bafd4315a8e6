// What must hold of a ledger whatever happened to its users: everything acknowledged is in the log, once; no budget is
// exceeded; chain and derived rows are right.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "support/worker_calls.h"

namespace renyi::test {

// What counts in each scope at the end, computed from the log by nothing but filters: a charge, or a ticket that was
// not given back.
class Recount {
 public:
  void take(const LedgerEntry& entry) {
    const auto document = nlohmann::json::parse(entry.text);
    const auto& request = document.at("request");
    const std::string verb = request.at("verb");
    take_exactly(document);
    if (!document.at("outcome").at("accepted").get<bool>()) return;
    if (verb == "scope") budgets_[request.at("scope")] = read_budget(request.at("budget").dump());
    if (verb == "lower" || verb == "raise") budgets_[request.at("scope")] = read_budget(request.at("budget").dump());
    if (verb == "charge" || verb == "reserve") {
      live_[entry.entry] = {request.at("scope"), request.at("steps"), request.value("count", std::int64_t{1})};
    }
    if (verb == "cancel" || verb == "expire") {
      EXPECT_EQ(live_.erase(request.at("ticket").get<std::int64_t>()), 1U) << "given back twice: " << entry.text;
    }
  }

  // Every scope is within its budget. Analysts that do not collude are taken one by one.
  void expect_within_budgets() const {
    for (const auto& [scope, budget] : budgets_) {
      std::map<std::string, Filter> filters;
      for (const auto& [entry, charge] : live_) {
        if (charge.scope != scope && !charge.scope.starts_with(scope + "/")) continue;
        // "org/c" is the only scope of the tests without collusion.
        const bool apart = scope == "org/c" && charge.scope.size() > scope.size();
        Filter& filter = filters.try_emplace(apart ? charge.scope : "", budget).first->second;
        const Plan plan = read_plan(nlohmann::json{{"renyi", 1}, {"steps", charge.steps}}.dump());
        EXPECT_TRUE(filter.charge(plan, charge.count).runs) << scope << " is exceeded at entry " << entry;
      }
    }
  }
  // The balances of exact scopes are their sums, up to what bounds are rounded by.
  void expect_balances(const std::map<std::string, ScopeState>& states) const {
    for (const auto& [scope, thousandths] : thousandths_) {
      const double sum = static_cast<double>(thousandths) / 1000, spent = states.at(scope).balances.front().spent;
      EXPECT_GE(spent, sum) << scope;
      EXPECT_LE(spent, sum * (1 + 1e-9)) << scope;
    }
  }
  [[nodiscard]] std::size_t live() const { return live_.size(); }

 private:
  // Where the budget is a sum of epsilons, and those are thousandths, sums are kept as fractions: a charge is accepted
  // if they allow it, to the last thousandth, and refused if they do not.
  void take_exactly(const nlohmann::json& document) {
    const auto& request = document.at("request");
    const std::string verb = request.at("verb");
    const bool is_accepted = document.at("outcome").at("accepted");
    if ((verb == "cancel" || verb == "expire") && is_accepted) {
      const auto charge = live_.find(request.at("ticket").get<std::int64_t>());
      if (charge != live_.end() && thousandths_.contains(charge->second.scope)) {
        thousandths_[charge->second.scope] -= thousandths_of(charge->second.steps, charge->second.count);
      }
    }
    if (verb != "charge" && verb != "reserve") return;
    const std::string scope = request.at("scope");
    const Budget& budget = budgets_.at(scope);
    if (budget.kind != BudgetKind::pure || !request.at("steps").at(0).contains("epsilon")) return;
    const std::int64_t cost = thousandths_of(request.at("steps"), request.value("count", std::int64_t{1}));
    const std::int64_t sum = thousandths_[scope] + cost;
    EXPECT_EQ(is_accepted, sum <= std::llround(1000 * budget.epsilon)) << scope << ": " << sum << "/1000, " << document;
    if (is_accepted) thousandths_[scope] = sum;
  }
  static std::int64_t thousandths_of(const nlohmann::json& steps, std::int64_t count) {
    const double one = 1000 * steps.at(0).at("epsilon").get<double>();
    EXPECT_NEAR(one, std::round(one), 1e-9);
    return std::llround(one) * count;
  }

  struct Charge {
    std::string scope;
    nlohmann::json steps;
    std::int64_t count;
  };
  std::map<std::string, Budget> budgets_;
  std::map<std::string, std::int64_t> thousandths_;
  std::map<std::int64_t, Charge> live_;
};

inline void expect_valid(const Ledger& ledger, const std::optional<LedgerHead>& kept = {}) {
  const LedgerVerification verified = ledger.verify(kept);
  EXPECT_TRUE(verified.valid) << "entry " << verified.wrong_entry << ": " << verified.fault;
}

struct LedgerCensus {
  std::int64_t entries = 0;
  std::int64_t calls = 0;  // that the journals tell of
  std::int64_t refusals = 0;
  std::int64_t interrupted = 0;  // calls whose process was killed
};

// The ledger against the journals of all its users. Calls that were not acknowledged may be there or not, and are
// there once at most.
inline LedgerCensus expect_agrees(const Ledger& ledger, const std::vector<std::string>& journals) {
  LedgerCensus census;
  std::map<std::string, LedgerAnswer> recorded;
  std::map<std::int64_t, std::string> outputs;
  Recount recount;
  std::map<std::string, ScopeState> states;  // asking for them records what has expired
  for (ScopeState& state : ledger.scopes()) states[state.name] = std::move(state);
  ledger.history({}, [&](const LedgerEntry& entry) {
    const Receipt receipt = receipt_of(entry);
    ++census.entries;
    recount.take(entry);
    if (!receipt.key.empty()) {
      EXPECT_TRUE(recorded.emplace(receipt.key, LedgerAnswer::of(receipt)).second) << receipt.key << " is there twice";
    }
    if (receipt.verb == "commit" && receipt.accepted) outputs[receipt.ticket] = output_of(receipt.ticket);
  });
  recount.expect_within_budgets();
  recount.expect_balances(states);
  std::set<std::string> asked;
  for (const std::string& path : journals) {
    const Journal journal = Journal::read(path);
    for (const LedgerCall& call : journal.asked) EXPECT_TRUE(asked.insert(call.key).second) << call.key;
    for (const auto& [key, answer] : journal.answered) {
      const auto found = recorded.find(key);
      if (found == recorded.end()) {
        ADD_FAILURE() << key << " was acknowledged and is not in the log";
        continue;
      }
      EXPECT_EQ(found->second.entry, answer.entry) << key;
      EXPECT_EQ(found->second.hash, answer.hash) << key;
      EXPECT_EQ(found->second.accepted, answer.accepted) << key;
      census.refusals += answer.accepted ? 0 : 1;
      ++census.calls;
    }
  }
  for (const auto& [ticket, bytes] : outputs) {
    const auto stored = ledger.output(ticket);
    EXPECT_TRUE(stored && stored->bytes == bytes) << "the output of ticket " << ticket;
  }
  expect_valid(ledger, ledger.head());
  return census;
}

}  // namespace renyi::test
