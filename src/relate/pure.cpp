// Pure differential privacy is the bound at order infinity: epsilon = D_inf.
#include <fmt/format.h>

#include <cmath>

#include "relate/known_below.h"
#include "relate/parts.h"
#include "renyi/relate.h"

namespace renyi {

Relation<PureParameters> to_pure(const Plan& plan) {
  Relation<PureParameters> answer{.source = "epsilon-DP is Renyi DP of order infinity (Mironov 2017)"};
  const auto mechanisms = relate::revealing(plan);
  if (auto why = relate::why_no_orders(mechanisms)) {
    answer.none = *std::move(why);
    return answer;
  }
  for (const CountedMechanism& m : mechanisms) {
    const auto curve = m.mechanism.curve();
    if (std::isfinite(curve->worst_max_loss().value)) continue;
    const char* why = curve->knowledge() == Knowledge::loss ? "none exists, because the loss of {} is unbounded"
                                                            : "none exists, because the loss of {} may be unbounded";
    answer.none = fmt::format(fmt::runtime(why), relate::name_of(m.mechanism));
    return answer;
  }
  const Bounded loss = compose(mechanisms)->worst_max_loss();
  const Bounded known = compose(relate::known_from_below(mechanisms))->worst_max_loss();
  answer.found = PureParameters{.epsilon = {known.lower(), loss.upper()}};
  return answer;
}

}  // namespace renyi
