// Random calls of a ledger that is going to fail, and what must be true of it afterwards: every call that was
// acknowledged is there, none is there twice, and no budget is exceeded.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/crash_image.h"

namespace renyi::test {

class LedgerCalls {
 public:
  static constexpr double step_rho = 0.005;  // what a charge costs, by one Gaussian of noise multiplier 10
  static constexpr int fitting_charges = 12;

  static ChargeRequest charge_of(const std::string& scope) {
    Plan steps;
    steps.add(Gaussian{.stddev = 10});
    return {.scope = scope, .steps = steps};
  }

  // Makes the scopes that the calls need. Returns whether all of them were acknowledged; may be called again.
  bool set_up(Ledger& ledger) {
    for (const char* name : {"clinic", "clinic/a", "clinic/b"}) {
      const std::string key = fmt::format("scope {}", name);
      const int charges = std::string_view(name) == "clinic" ? fitting_charges : fitting_charges - 3;
      try {
        acknowledged_[key] = ledger.add_scope(name, {.budget = Budget::zcdp(charges * step_rho)}, {.key = key});
      } catch (const StoreFailure&) {
        return false;
      }
    }
    return true;
  }

  // Makes one random call. Returns whether it was acknowledged; throws what is not a StoreFailure.
  bool one(Ledger& ledger, std::mt19937_64& random) {
    const std::string scope = below(random, 2) == 0 ? "clinic/a" : "clinic/b";
    switch (below(random, 8)) {
      case 0:
      case 1: return call(ledger, [=](Ledger& l, const CallInfo& i) { return l.charge(charge_of(scope), i); });
      case 2:
        return call(ledger, [=](Ledger& l, const CallInfo& i) {
          return l.add_scope("clinic/" + i.key, {.budget = Budget::zcdp(step_rho)}, i);
        });
      case 3:
      case 4:
        return call(ledger, [=](Ledger& l, const CallInfo& i) {
          return l.reserve(charge_of(scope), std::chrono::hours(1), i);
        });
      default: return of_ticket(ledger, random);
    }
  }

  // Makes all calls again that were not acknowledged, in their order, until the store fails. Each is answered now,
  // whether or not it had been recorded. Returns whether all were.
  bool repeat_unanswered(Ledger& ledger) {
    while (!unanswered_.empty()) {
      const auto& [key, function] = unanswered_.front();
      try {
        acknowledged_[key] = function(ledger, {.key = key});
      } catch (const StoreFailure&) {
        return false;
      }
      unanswered_.erase(unanswered_.begin());
    }
    return true;
  }

  // What must hold of the ledger now.
  void check(const Ledger& ledger) const {
    std::optional<LedgerHead> last;
    for (const auto& [key, receipt] : acknowledged_) {
      const auto stored = ledger.answer_to(key);
      ASSERT_TRUE(stored) << "lost: " << key << ", entry " << receipt.entry;
      EXPECT_EQ(stored->entry, receipt.entry);
      EXPECT_EQ(stored->hash, receipt.hash);
      EXPECT_EQ(stored->accepted, receipt.accepted);
      if (!last || receipt.entry > last->entry) last = {ledger.head().ledger, receipt.entry, receipt.hash};
    }
    const LedgerVerification verified = ledger.verify(last);
    EXPECT_TRUE(verified.valid) << "entry " << verified.wrong_entry << ": " << verified.fault;
    check_log(ledger);
  }

  [[nodiscard]] std::size_t acknowledged() const { return acknowledged_.size(); }
  [[nodiscard]] std::size_t unanswered() const { return unanswered_.size(); }

 private:
  using Function = std::function<Receipt(Ledger&, const CallInfo&)>;

  bool call(Ledger& ledger, const Function& function) {
    std::string key;
    {
      const std::lock_guard lock(mutex_);
      key = fmt::format("call-{}", ++calls_);
    }
    try {
      const Receipt receipt = function(ledger, {.key = key});
      const std::lock_guard lock(mutex_);
      acknowledged_[key] = receipt;
      if (receipt.accepted && receipt.verb == "reserve") tickets_.push_back({receipt.ticket, receipt.secret});
      return true;
    } catch (const StoreFailure&) {
      const std::lock_guard lock(mutex_);
      unanswered_.emplace_back(key, function);
      return false;
    }
  }

  bool of_ticket(Ledger& ledger, std::mt19937_64& random) {
    Ticket ticket;
    {
      const std::lock_guard lock(mutex_);
      if (tickets_.empty()) return true;
      ticket = tickets_[below(random, tickets_.size())];
    }
    switch (below(random, 3)) {
      case 0:
        return call(ledger, [=](Ledger& l, const CallInfo& i) { return l.open(ticket.number, ticket.secret, i); });
      case 1:
        return call(ledger, [=](Ledger& l, const CallInfo& i) {
          return l.commit(ticket.number, {.bytes = "published " + i.key}, i);
        });
      default: return call(ledger, [=](Ledger& l, const CallInfo& i) { return l.cancel(ticket.number, i); });
    }
  }

  // Reads the log itself: no key is there twice, and the charges that count fit the budgets and are the balances.
  static void check_log(const Ledger& ledger) {
    std::set<std::string> keys;
    std::map<std::string, int> charges;
    std::map<std::int64_t, std::string> tickets;
    ledger.history({}, [&](const LedgerEntry& entry) {
      const Receipt receipt = receipt_of(entry);
      EXPECT_TRUE(receipt.key.empty() || keys.insert(receipt.key).second) << receipt.key << " is there twice";
      if (!receipt.accepted) return;
      if (receipt.verb == "charge" || receipt.verb == "reserve") {
        ++charges[receipt.scope];
        tickets[receipt.ticket] = receipt.scope;
      }
      if (receipt.verb == "cancel") --charges[tickets.at(receipt.ticket)];
    });
    charges["clinic"] = charges["clinic/a"] + charges["clinic/b"];
    EXPECT_LE(charges["clinic"], fitting_charges);
    for (const ScopeState& scope : ledger.scopes()) {
      for (const Balance& balance : scope.balances) {
        EXPECT_TRUE(balance.within) << scope.name;
        EXPECT_NEAR(balance.spent, charges[scope.name] * step_rho, 1e-9) << scope.name;
      }
    }
  }

  struct Ticket {
    std::int64_t number = 0;
    std::string secret{};
  };

  std::mutex mutex_;
  int calls_ = 0;
  std::map<std::string, Receipt> acknowledged_;
  std::vector<std::pair<std::string, Function>> unanswered_;
  std::vector<Ticket> tickets_;
};

}  // namespace renyi::test
