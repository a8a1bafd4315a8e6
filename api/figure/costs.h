// Costs of one plan at many deltas or epsilons, and of many plans at one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api::figure {

class Costs {
 public:
  // The quantity is what is computed.
  Costs(const Plan& plan, Quantity quantity, const CostOptions& options)
      : analysis_(plan), quantity_(quantity), options_(options) {}

  // The exact intervals, of the direction that is larger; infinite if there are none.
  std::vector<std::vector<Interval>> exact_at(const std::vector<double>& at);
  // The exact intervals of both directions.
  std::vector<std::vector<Interval>> both_at(const std::vector<double>& at);
  std::vector<Cost> renyi_at(const std::vector<double>& at);
  // What was asked for at this place.
  Cost best_at(double at);

  bool any_exact() const { return any_exact_; }
  // Why there is no exact interval; empty if none was asked for.
  const std::string& obstacle() const { return obstacle_; }
  const Analysis& analysis() const { return analysis_; }
  Quantity quantity() const { return quantity_; }

 private:
  std::vector<Cost> asked(const std::vector<double>& at, bool renyi, bool exact) const;
  std::vector<Cost> exact_costs(const std::vector<double>& at);

  Analysis analysis_;
  Quantity quantity_;
  CostOptions options_;
  bool any_exact_ = false;
  std::string obstacle_{};
};

// The epsilon of each plan at one delta, on all cores; std::nullopt if a limit or the plan prevents one. If all fail,
// the first failure is thrown.
std::vector<std::optional<Cost>> costs_of(const std::vector<Plan>& plans, double delta, const CostOptions& options);

}  // namespace renyi::api::figure
