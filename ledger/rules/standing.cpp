#include "ledger/rules/standing.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "filter/tally.h"
#include "ledger/rules/account.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::ledger {

namespace standing_file {
namespace {

// The costs of the steps of one decision, of which equal steps share one.
class Costs {
 public:
  Costs(const Standing& standing, PriceList& prices) : terms_(*standing.terms), prices_(prices) {}

  Cost cost(const std::string& step) {
    const std::string text = without_blanks(step);
    Cost& known = costs_[text];
    if (!known) known = prices_.cost(terms_, text);
    return known;
  }
  Cost cost(const std::string& step, const Cost& given) { return costs_.try_emplace(step, given).first->second; }

  void attach_curves() {
    for (auto& [text, cost] : costs_) {
      if (cost->whole) continue;
      stop_if_asked();
      auto whole = std::make_shared<filter::StepCost>(*cost);
      filter::attach_curves(*whole, analysed(read_step(text, terms_.relation), terms_.relation));
      cost = std::move(whole);
    }
  }

 private:
  const PriceTerms& terms_;
  PriceList& prices_;
  std::unordered_map<std::string, Cost> costs_;
};

filter::Tally tally_of(const Standing& standing, const Position& position, Costs& costs) {
  filter::Tally tally(standing.budget);
  std::size_t index = 0;
  for (const auto& [text, count] : position.steps) tally.add(index++, {costs.cost(text), count});
  return tally;
}

// First by sums, then by curves if these may say something else. What a limit ends stays as the sums have it.
template <class Answer, class Ask, class IsFinal>
Answer asked_twice(Costs& costs, const Ask& ask, const IsFinal& is_final) {
  Answer answer = ask();
  if (is_final(answer)) return answer;
  try {
    costs.attach_curves();
    return ask();
  } catch (const LimitReached& error) {
    if (error.limit() == Limit::interruption) throw;
    return answer;
  }
}

FilterVerdict verdict_at(const Standing& standing, const Position& position, const Charged& charge, PriceList& prices) {
  Costs costs(standing, prices);
  const auto ask = [&] {
    const filter::Tally tally = tally_of(standing, position, costs);
    std::vector<filter::Charge> charges;
    for (std::size_t i = 0; i < charge.steps.size(); ++i) {
      const ChargedStep& step = charge.steps[i];
      charges.push_back({costs.cost(step.text, charge.costs[i]), charge.count * step.count});
    }
    return tally.verdict(charges);
  };
  return asked_twice<FilterVerdict>(costs, ask, [](const FilterVerdict& verdict) { return verdict.runs; });
}

std::vector<Balance> balances_at(const Standing& standing, const Position& position, PriceList& prices) {
  Costs costs(standing, prices);
  const auto ask = [&] { return tally_of(standing, position, costs).balances({}); };
  // An infinite mass is composed even if the sum is within its limit.
  const auto is_final = [](const std::vector<Balance>& found) {
    return std::all_of(found.begin(), found.end(), [](const Balance& balance) {
      return balance.within && (balance.name != "infinite mass" || balance.spent == 0);
    });
  };
  return asked_twice<std::vector<Balance>>(costs, ask, is_final);
}

}  // namespace
}  // namespace standing_file

FilterVerdict verdict(const Standing& standing, const Charged& charge, PriceList& prices, double slack,
                      const Position** position) {
  for (const Position& open : standing.open) {
    FilterVerdict found = standing_file::verdict_at(standing, open, charge, prices);
    if (found.runs || (slack > 0 && filter::keep(found.after, standing.budget, slack))) continue;
    if (!open.block.empty()) {
      found.reason += open.block == every_block ? " (all blocks)" : " (block " + open.block + ")";
    }
    if (position != nullptr) *position = &open;
    return found;
  }
  return {.runs = true};
}

void take_larger(std::vector<Balance>& largest, const std::vector<Balance>& balances) {
  if (largest.empty()) largest = balances;
  for (std::size_t i = 0; i < std::min(largest.size(), balances.size()); ++i) {
    if (balances[i].spent > largest[i].spent) largest[i] = balances[i];
  }
}

std::vector<Balance> balances(const Standing& standing, PriceList& prices) {
  std::vector<Balance> largest = standing.largest;
  for (const Position& open : standing.open) {
    if (open.is_over) take_larger(largest, standing_file::balances_at(standing, open, prices));
  }
  return largest;
}

}  // namespace renyi::ledger
