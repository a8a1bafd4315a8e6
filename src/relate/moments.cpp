// The moments accountant: alpha_M(lambda) = K(lambda) (Abadi et al. 2016, section 3.2).
#include <fmt/format.h>

#include "numerics/rounding.h"
#include "relate/parts.h"
#include "renyi/error.h"
#include "renyi/relate.h"

namespace renyi {

Relation<MomentsParameters> to_moments(const Plan& plan, double lambda) {
  if (!(lambda > 0 && lambda <= largest_order)) {
    throw InvalidArgument("lambda", fmt::format("{}", lambda), fmt::format("a number in (0, {}]", largest_order));
  }
  Relation<MomentsParameters> answer{.source = "Abadi et al. 2016, section 3.2 and Theorem 2"};
  const auto mechanisms = relate::revealing(plan);
  if (auto why = relate::why_no_orders(mechanisms)) {
    answer.none = *std::move(why);
    return answer;
  }
  const auto curve = compose(mechanisms);
  if (lambda > curve->last_order() - 1) {
    answer.none = relate::why_orders_end(mechanisms).value_or("") + "; use a lambda up to one less";
    return answer;
  }
  const LogMoment k = curve->worst_log_moment(lambda);
  const double alpha = Bounded{k.value, k.error}.upper();
  const double epsilon = alpha == 0 ? 0 : numerics::next_up(alpha / lambda);
  answer.found = MomentsParameters{.lambda = lambda, .alpha = alpha, .epsilon = epsilon};
  return answer;
}

}  // namespace renyi
