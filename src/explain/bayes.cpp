// What the results teach someone about the dataset (docs/math/promises.md, "Bayes factor").
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "explain/log_probability.h"
#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {

// E_P[(R_post/R_prior)^(a-1)] = E_P[(P/Q)^(a-1)] = exp K(a-1)     Mironov 2017, sections III and VII
double bayes_moment(const Curve& curve, double order) {
  check_order(order);
  if (order == 1) return 1;
  if (std::isinf(order)) return curve.worst_max_loss().upper() == 0 ? 1 : std::numeric_limits<double>::infinity();
  const LogMoment k = curve.worst_log_moment(order - 1);
  const double log_moment = (k.value + k.error) * (1 + promises::formula_rounding);
  if (std::isnan(log_moment))
    throw NotConverged(fmt::format("Bayes factor: the curve has no value at order {}", order));
  return std::exp(log_moment) * (1 + promises::formula_rounding);
}

// Pr[R_post > b R_prior] = Pr[L > ln b] <= (e^e/b)^(a-1) at every order: Markov's
// inequality for the moment above, which is the classical conversion at epsilon = ln b.
DeltaBound bayes_tail(const Curve& curve, double factor) {
  if (!(factor >= 1 && std::isfinite(factor))) {
    throw InvalidArgument("factor", fmt::format("{}", factor), "finite numbers of at least 1");
  }
  const double threshold = factor == 1 ? 0 : numerics::next_down(std::log(factor));
  return renyi_delta(curve, threshold, {.conversion = Conversion::classical});
}

}  // namespace renyi
