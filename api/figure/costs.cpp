#include "api/figure/costs.h"

#include <algorithm>
#include <exception>
#include <limits>

#include "api/figure/sampling.h"
#include "api/parallel.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::api::figure {

std::vector<Cost> Costs::asked(const std::vector<double>& at, bool renyi, bool exact) const {
  CostOptions options = options_;
  options.renyi = renyi;
  options.exact = exact;
  if (at.empty()) return {};
  if (quantity_ == Quantity::epsilon) return profile(analysis_, {.deltas = at}, options).at_deltas;
  return profile(analysis_, {.epsilons = at}, options).at_epsilons;
}

std::vector<Cost> Costs::exact_costs(const std::vector<double>& at) {
  std::vector<Cost> costs = asked(at, false, true);
  for (const Cost& cost : costs) {
    any_exact_ = any_exact_ || cost.exact;
    if (cost.obstacle && obstacle_.empty()) obstacle_ = cost.obstacle->why;
  }
  return costs;
}

std::vector<std::vector<Interval>> Costs::exact_at(const std::vector<double>& at) {
  std::vector<std::vector<Interval>> values;
  for (const Cost& cost : exact_costs(at)) values.push_back({cost.exact ? ends_of(cost.exact->worst) : Interval{}});
  return values;
}

std::vector<std::vector<Interval>> Costs::both_at(const std::vector<double>& at) {
  std::vector<std::vector<Interval>> values;
  for (const Cost& cost : exact_costs(at)) {
    if (cost.exact) {
      values.push_back({ends_of(cost.exact->remove), ends_of(cost.exact->add)});
    } else {
      values.push_back({{}, {}});
    }
  }
  return values;
}

std::vector<Cost> Costs::renyi_at(const std::vector<double>& at) { return asked(at, true, false); }

Cost Costs::best_at(double at) { return asked({at}, options_.renyi, options_.exact).front(); }

std::vector<std::optional<Cost>> costs_of(const std::vector<Plan>& plans, double delta, const CostOptions& options) {
  std::vector<std::optional<Cost>> costs(plans.size());
  std::vector<std::exception_ptr> failures(plans.size());
  const auto ask = [&](std::size_t i) {
    stop_if_overdue();
    try {
      costs[i] = profile(plans[i], {.deltas = {delta}}, options).at_deltas.front();
    } catch (const LimitReached& error) {
      if (error.limit() == Limit::interruption) throw;  // whoever stops the work wants no picture with gaps
      failures[i] = std::current_exception();
    } catch (const Error&) {
      failures[i] = std::current_exception();
    }
  };
  for_each_index(plans.size(), 1, ask, [] {});
  const bool any = std::any_of(costs.begin(), costs.end(), [](const auto& cost) { return cost.has_value(); });
  if (!any && !failures.empty()) std::rethrow_exception(failures.front());
  return costs;
}

}  // namespace renyi::api::figure
