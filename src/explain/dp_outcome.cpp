// Bad outcomes under (epsilon, delta)-DP, of which pure DP is the case delta = 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/log_probability.h"
#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {

namespace {

using promises::formula_rounding;

// min of  e^epsilon p + delta  and, by the complement,  1 - e^(-epsilon) (1 - p - delta).
double upper_end(double epsilon, double delta, double p) {
  const double direct = std::exp(epsilon) * p + delta;
  const double by_complement = -std::expm1(-epsilon) + std::exp(-epsilon) * (p + delta);
  return std::min(1.0, numerics::next_up(std::min(direct, by_complement) * (1 + formula_rounding)));
}

// max of  e^(-epsilon) (p - delta)  and, by the complement,  1 - delta - e^epsilon (1 - p).
double lower_end(double epsilon, double delta, double p) {
  const double direct = std::exp(-epsilon) * (p - delta) * (1 - formula_rounding);
  const double grown = std::expm1(epsilon) * (1 - p);
  const double by_complement = p - delta - grown - formula_rounding * (p + delta + grown);
  return std::max(0.0, numerics::next_down(std::max(direct, by_complement)));
}

}  // namespace

ProbabilityRange outcome_by_dp(double epsilon, double delta, double baseline) {
  promises::log_baseline(baseline);  // refuses what is no baseline
  if (!(epsilon >= 0)) throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  return {lower_end(epsilon, delta, baseline), upper_end(epsilon, delta, baseline)};
}

}  // namespace renyi
