// Flags that state the budget of a filter, its cap, and the relation that it is about.
#pragma once

#include <optional>
#include <vector>

#include "apps/cli/flags/question.h"
#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi::cli {

// The numbers of a budget, and --budget for all of it: what both a new filter and a change of its budget take.
std::vector<FlagText> budget_number_flags();
// The same with --kind, --like, --cap, --neighbors and --unit, for a new filter.
std::vector<FlagText> new_budget_flags();

// What the flags of a new filter state.
struct StatedBudget {
  Budget budget;
  std::optional<Budget> cap{};
  Adjacency relation{};
};

// Reads the flags of a new filter. The question names them in errors. Throws InvalidArgument.
StatedBudget stated_budget(Question& question, const Flags& flags);

// Returns the budget with the numbers that the flags give instead of its own. Throws InvalidArgument, also if no flag
// gives one.
Budget changed_budget(Question& question, const Flags& flags, const Budget& budget, const Adjacency& relation);

}  // namespace renyi::cli
