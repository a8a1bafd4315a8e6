// How a call is decided: its steps are priced while nobody waits, the writer decides by running sums, and what sums do
// not decide is computed while others write.
#pragma once

#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "ledger/rules/book.h"
#include "ledger/rules/prices.h"
#include "ledger/rules/standing.h"
#include "ledger/writer.h"

namespace renyi::ledger {

// How a charge stands at a head of the log, in its scope and in all above.
struct Situation {
  Candidate candidate{};
  std::vector<std::string> scopes{};
  std::vector<Standing> standings{};
  std::vector<StepCounts> beside{};
  std::shared_ptr<const ChargedSteps> steps{};
  std::vector<std::vector<Cost>> costs{};  // in each scope
  std::int64_t count = 1;

  Charged charge(std::size_t level) const { return {*steps, costs[level], count}; }
  std::vector<ScopeBalances> balances(PriceList& prices) const;
  // The same, with what the charge alone costs.
  std::vector<ScopeBalances> quotes(PriceList& prices) const;
};

class Decider {
 public:
  // Asks about the state now.
  using Ask = std::function<void(const std::function<void(Book&, View&)>&)>;
  Decider(Writer& writer, PriceList& prices) : writer_(writer), prices_(prices) {}

  // Decides and records. Throws StoreFailure of the fault `busy` if others change the scope again and again.
  void perform(std::vector<Work>& works, const Ask& ask);
  // Return how a charge stands now, and what would be decided.
  Situation situation(Work& work, const Ask& ask);
  Situation decision(Work& work, const Ask& ask);
  // Returns the relation of a scope.
  Adjacency relation(const std::string& scope) { return terms_of(scope).terms.front()->relation; }

 private:
  Unpriced terms_of(const std::string& scope);
  void price(Work& work);
  void price_missing(Work& work);

  Writer& writer_;
  PriceList& prices_;
  std::shared_mutex mutex_;
  std::unordered_map<std::string, Unpriced> terms_;  // by scopes, whose terms never change
};

}  // namespace renyi::ledger
