// Filters: whether a step that is chosen on the way may run, and how much is left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/cost.h"
#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi::api {

struct FilterRequest {
  Filter filter;               // with the steps so far
  std::optional<Plan> step{};  // what is to run next; without it, only the balances are asked for
  std::int64_t count = 1;      // how often it is to run
  std::optional<double> delta{};
};

struct FilterAnswer {
  Budget budget;
  Budget cap;
  Plan history;  // the steps so far, under the relation of the filter
  // About the step, if there is one.
  std::optional<FilterVerdict> verdict{};
  std::optional<bool> charged{};           // only if it was asked to charge the step
  std::int64_t headroom = 0;               // how many more runs of its mechanism, or of the whole group, may run
  std::optional<FittingStep> would_fit{};  // the change with which a step that may not run would

  std::vector<Balance> remaining{};  // without the step, or with it if it was charged
  Plan guarantee;                    // what the whole interaction satisfies, as promised steps
  std::optional<Cost> guaranteed{};  // its epsilon, if there is a delta
  // Where that is infinite because the delta is not above the guarantee's own: the epsilon at its own delta, rounded
  // up.
  std::optional<Cost> at_own_delta{};
  // No bound for steps that were chosen on the way (renyi/filter.h).
  std::optional<Cost> cost_if_fixed_in_advance{};
};

FilterRequest read_filter_request(const Document& request);
FilterAnswer answer(const FilterRequest& asked);
// Charges the step, which the request must have, if it may run. The answer is about the filter afterwards.
FilterAnswer charge(FilterRequest& asked);
std::string write(const Document& request, const FilterAnswer& answer);

// Returns the same line of JSON for programs that hold the filter itself.
std::string text_of(const FilterAnswer& answer);

// Reads a budget (docs/format/filter.md); the relation is that of a plan within it. Throws InvalidArgument.
Budget budget_of(const Document& budget, const Adjacency& relation);
// Returns the stored form of a budget as one line of JSON.
std::string text_of(const Budget& budget);

// Reads "neighbors", "unit" and "steps" of a request; the relation that it does not state is the given one.
Plan steps_of(const Document& request, const Adjacency& relation);

}  // namespace renyi::api
