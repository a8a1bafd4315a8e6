#include "filter/individual/norm_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "filter/tally.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"

namespace renyi::filter {

namespace norm_costs_file {
namespace {

double upper(const Term& term) {
  if (!term.exact) return term.bound.upper();
  const std::array<numerics::CountedQuotient, 1> one{{{*term.exact, 1}}};
  return std::min(term.bound.upper(), numerics::decimal_sum_interval(one).upper());
}

std::vector<double> costs(const Mechanism& step, const Budget& budget, Neighbors neighbors) {
  const StepCost cost = cost_of(Plan(neighbors).add(step).analysed().front().mechanism, budget);
  std::vector<double> result;
  for (const Directed& directions : cost.quantities) {
    result.push_back(std::max(upper(directions[0]), upper(directions[1])));
  }
  return result;
}

bool is_by_orders(const Budget& budget) { return !budget.limits.empty() || !budget.order_shares.empty(); }

void check(const std::string& field, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  throw InvalidArgument(field, fmt::format("{}", value), fmt::format("a number in [{}, {}]", lowest, highest));
}

// The greatest noise multiplier of a sampled Gaussian. Less noise than there is costs more.
constexpr double most_sampled_noise = 1e6;

}  // namespace
}  // namespace norm_costs_file

// A sampled Gaussian's smallest rho and mu are those without sampling, so that only divergences need a table. They rise
// with the norm: the sum with a contribution of norm r is a noisy copy of r times that with norm 1
// (docs/math/individual-filters.md, "The cost rises with the norm").
NormCosts::NormCosts(const IndividualStep& step, const Budget& budget, Neighbors neighbors) {
  namespace here = norm_costs_file;
  const bool has_table = step.sampling_rate != 1 && here::is_by_orders(budget);
  here::check("sampling_rate", step.sampling_rate, 1e-100, 1);
  here::check("noise_multiplier", step.noise_multiplier, has_table ? 0.01 : 1e-50,
              has_table ? here::most_sampled_noise : 1e50);
  if (!has_table) {
    at_clip_ = here::costs(Gaussian{.stddev = step.noise_multiplier}, budget, neighbors);
    return;
  }
  at_clip_ = here::costs(SampledGaussian{step.sampling_rate, step.noise_multiplier}, budget, neighbors);
  table_.assign(at_clip_.size(), 0);
  table_.reserve(at_clip_.size() * (shares + 1));
  for (std::uint32_t i = 1; i < shares; ++i) {
    const double noise = numerics::quotient_down(step.noise_multiplier * shares, i);
    const auto row =
        here::costs(SampledGaussian{step.sampling_rate, std::min(noise, here::most_sampled_noise)}, budget, neighbors);
    table_.insert(table_.end(), row.begin(), row.end());
  }
  table_.insert(table_.end(), at_clip_.begin(), at_clip_.end());
}

}  // namespace renyi::filter
