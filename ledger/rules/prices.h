// What steps of charges cost. Costs depend on steps and kinds of budgets and on nothing that was charged, so that they
// are computed before anybody is kept waiting, and kept within a bound on bytes.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filter/tally.h"
#include "ledger/rules/recently_used.h"
#include "renyi/plan.h"

namespace renyi::ledger {

// A distinct mechanism of a charge: its text without names, under which its count is stored.
struct ChargedStep {
  std::string text{};
  std::int64_t count = 1;
};
using ChargedSteps = std::vector<ChargedStep>;

// The same steps as accounts store them: texts and counts.
using StepCounts = std::vector<std::pair<std::string, std::int64_t>>;

// What the cost of a step depends on, besides the step: the relation, and the budget up to the size of its limits.
struct PriceTerms {
  PriceTerms(const Adjacency& relation, const Budget& cap);

  Adjacency relation;
  Budget cap;
  std::string key;  // equal for terms under which every step costs the same
};

using Cost = std::shared_ptr<const filter::StepCost>;  // without curves

// Costs that a call has at hand, whatever others ask meanwhile.
class Prices {
 public:
  // Return nullptr if it is not known.
  Cost find(const PriceTerms& terms, const std::string& step) const;
  std::shared_ptr<const ChargedSteps> find_steps(const std::string& steps, const Adjacency& relation) const;
  // Why something could not be priced. The call throws it, unless it is the repetition of one that was decided.
  void fail(std::exception_ptr failure) { failure_ = std::move(failure); }
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  void add(const PriceTerms& terms, const std::string& step, Cost cost);
  void add_steps(const std::string& steps, const Adjacency& relation, std::shared_ptr<const ChargedSteps> read);

 private:
  std::unordered_map<std::string, Cost> costs_;
  std::unordered_map<std::string, std::shared_ptr<const ChargedSteps>> steps_;
  std::exception_ptr failure_{};
};

// What has to be priced before a request can be decided: the steps of a charge, or kinds of steps in the history of a
// scope to which something is given back.
struct Unpriced {
  std::vector<std::string> scopes{};
  std::vector<std::shared_ptr<const PriceTerms>> terms{};  // those of the scopes
  std::string charge{};
  std::vector<std::string> kinds{};
};

// The costs that were asked for last, for all threads. Limits of the calling thread apply to what is computed.
class PriceList {
 public:
  static constexpr std::size_t usual_bytes = 32U << 20U;
  explicit PriceList(std::size_t most_bytes = usual_bytes) : steps_(most_bytes / 2), costs_(most_bytes / 2) {}

  // Adds what is missing. Throws InvalidArgument or Unsupported as read_plan does, and Unsupported that names the scope
  // if a step has no cost of its kind.
  void price(Prices& prices, const Unpriced& missing);
  // Returns the distinct steps of a charge.
  std::shared_ptr<const ChargedSteps> steps(const std::string& charge, const Adjacency& relation);
  // Returns the cost of one distinct mechanism.
  Cost cost(const PriceTerms& terms, const std::string& step);
  std::size_t bytes() const;

 private:
  void price_charge(Prices& prices, const Unpriced& missing);
  std::shared_ptr<const ChargedSteps> known_steps(const std::string& key);
  std::shared_ptr<const ChargedSteps> keep_steps(const std::string& key, const Plan& plan);
  Cost known_cost(const std::string& key);
  Cost keep(const std::string& key, filter::StepCost cost);

  mutable std::mutex mutex_;
  RecentlyUsed<std::shared_ptr<const ChargedSteps>> steps_;
  RecentlyUsed<Cost> costs_;
};

// Reads the text of one distinct mechanism.
Mechanism read_step(const std::string& step, const Adjacency& relation);
// Accounts store texts that differ by leading blanks, and are the same mechanism.
std::string without_blanks(const std::string& step);

}  // namespace renyi::ledger
