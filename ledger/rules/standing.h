// Where an account stands: what has to be known of it to decide about a charge, or to say what is left, elsewhere,
// while others write.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ledger/rules/prices.h"
#include "renyi/filter.h"

namespace renyi::ledger {

// Where an account stands for one analyst and one block, if its running sums alone do not decide.
struct Position {
  std::string block{};
  StepCounts steps{};    // all that count there
  bool is_over = false;  // the sums exceed the budget already
};

// What is needed to decide about an account, and to say what is left of it, elsewhere: while others write.
struct Standing {
  Budget budget{};
  std::shared_ptr<const PriceTerms> terms{};
  std::vector<Balance> largest{};  // balances, by sums alone, over the positions that the sums are enough for
  std::vector<Position> open{};    // those for which they are not
};

// What a charge is in an account: its steps, and their costs there.
struct Charged {
  const ChargedSteps& steps;
  const std::vector<Cost>& costs;
  std::int64_t count = 1;
};

// These compute what sums do not decide: the steps of the history are priced, and composed where that may be less than
// the sum of their costs. At a limit of time or memory the sums are the answer, which are upper bounds, too.

// Returns whether a charge fits. If it does not, `position` is set to the one that refuses it.
FilterVerdict verdict(const Standing& standing, const Charged& charge, PriceList& prices, double slack = 0,
                      const Position** position = nullptr);
// Returns the largest balances over all analysts and blocks.
std::vector<Balance> balances(const Standing& standing, PriceList& prices);
void take_larger(std::vector<Balance>& largest, const std::vector<Balance>& balances);

}  // namespace renyi::ledger
