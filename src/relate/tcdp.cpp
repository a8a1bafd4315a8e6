// Truncated concentrated DP: D_a <= rho a up to order omega (docs/math/relatives.md, "tCDP").
#include <fmt/format.h>

#include "relate/known_below.h"
#include "relate/parts.h"
#include "renyi/error.h"
#include "renyi/relate.h"

namespace renyi {

Relation<TcdpParameters> to_tcdp(const Plan& plan, double omega) {
  if (!(omega > 1 && omega <= largest_order)) {
    throw InvalidArgument("omega", fmt::format("{}", omega), fmt::format("a number in (1, {}]", largest_order));
  }
  Relation<TcdpParameters> answer{.source = "Bun, Dwork, Rothblum, Steinke 2018: definition of (rho, omega)-tCDP"};
  const auto mechanisms = relate::revealing(plan);
  if (auto why = relate::why_no_orders(mechanisms)) {
    answer.none = *std::move(why);
    return answer;
  }
  const relate::Parts parts = relate::without_quadratic_part(mechanisms);
  if (compose(parts.rest)->last_order() < omega) {
    answer.none = relate::why_orders_end(mechanisms).value_or("") + "; use an omega up to that";
    return answer;
  }
  const relate::Range rho = parts.rho + relate::smallest_rho(parts.rest, omega);
  answer.found = TcdpParameters{.omega = omega, .rho = {rho.lower, rho.upper}};
  return answer;
}

}  // namespace renyi
