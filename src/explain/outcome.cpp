// Bad outcomes at one order (docs/math/promises.md, "Bad outcomes").
#include "explain/outcome.h"

#include <fmt/format.h>

#include <cmath>

#include "explain/log_probability.h"
#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {

namespace promises {

namespace {

// A comparison with NaN would turn a failure into a promise.
double not_nan(double bound, double z) {
  if (std::isnan(bound)) throw NotConverged(fmt::format("bad outcomes at order {}: the curve has no value", 1 + z));
  return bound;
}

}  // namespace

LogBaseline log_baseline(double baseline) {
  if (baseline > 0 && baseline < 1) return {std::log(baseline), std::log1p(-baseline)};
  throw InvalidArgument("baseline", fmt::format("{}", baseline), "probabilities in (0, 1)");
}

// P(S) <= (e^e Q(S))^((a-1)/a)          Mironov 2017, Proposition 10
// as ln P(S) <= (K(z) + z ln Q(S)) / (z+1).
double log_upper_at(double z, double k, double log_p) {
  const double rounding = formula_rounding * (k - z * log_p);
  return not_nan((k + z * log_p + rounding) / (z + 1), z);
}

// P(S) >= e^(-e) Q(S)^(a/(a-1))         the same with P and Q exchanged, solved for P(S)
// as ln P(S) >= ln Q(S) - (K(z) + ln(1/Q(S))) / z.
double log_lower_at(double z, double k, double log_p) {
  const double lost = (k - log_p) / z;
  return not_nan(log_p - lost - formula_rounding * (lost - log_p), z);
}

double log_upper_by_loss(double epsilon, double log_p) {
  return log_p + epsilon + formula_rounding * (epsilon - log_p);
}

double log_lower_by_loss(double epsilon, double log_p) {
  return log_p - epsilon - formula_rounding * (epsilon - log_p);
}

}  // namespace promises

ProbabilityRange outcome_at_order(double order, double epsilon, double baseline) {
  check_order(order);
  if (!(epsilon >= 0)) throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  const double log_p = promises::log_baseline(baseline).event;
  if (order == 1 || std::isinf(epsilon)) return {};
  if (std::isinf(order)) {
    return {promises::probability_down(promises::log_lower_by_loss(epsilon, log_p)),
            promises::probability_up(promises::log_upper_by_loss(epsilon, log_p))};
  }
  const double z = order - 1, k = z * epsilon;
  return {promises::probability_down(promises::log_lower_at(z, k, log_p)),
          promises::probability_up(promises::log_upper_at(z, k, log_p))};
}

}  // namespace renyi
