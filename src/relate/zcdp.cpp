// Zero-concentrated DP: D_a <= xi + rho a at every order (docs/math/relatives.md, "zCDP").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "relate/known_below.h"
#include "relate/parts.h"
#include "renyi/error.h"
#include "renyi/relate.h"

namespace renyi {

namespace {

using relate::Parts;
using relate::Range;

// Within this of the limit of D_a / a, a rho is taken for the limit itself.
constexpr double limit_rounding = 1e-13;

Smallest smallest(const Range& range) { return {range.lower, range.upper}; }

void check_rho(double rho) {
  if (rho >= 0 && std::isfinite(rho)) return;
  throw InvalidArgument("rho", fmt::format("{}", rho), "a finite number of at least 0");
}

bool samples(const std::vector<CountedMechanism>& mechanisms) {
  return std::any_of(mechanisms.begin(), mechanisms.end(), [](const CountedMechanism& m) {
    const auto* sampled = m.mechanism.get_if<SampledGaussian>();
    return sampled != nullptr && sampled->sampling_rate < 1;
  });
}

// D_a / a of a sampled Gaussian tends to what it is without sampling.
std::string note_on_sampling(double limit) {
  return fmt::format(
      "no smaller rho exists for any xi, because D_a / a tends to {:.6g}, as without sampling: zCDP keeps nothing of "
      "the gain from sampling; use tcdp",
      limit);
}

struct Beside {
  double rho = 0;  // as given, or the limit where that is within rounding
  Range xi{};
};

// With K = p z (z+1) + K_rest:  D_a - rho a = D_rest - (rho - p) a, p in [p.lower, p.upper]. D_rest / a tends to least.
Beside smallest_xi_beside(double rho, const Parts& parts, double least) {
  const Range& p = parts.rho;
  const double left = p.upper == 0 ? rho : numerics::next_down(rho - p.upper);
  Beside beside{.rho = left >= least ? rho : numerics::next_up(p.upper + least)};
  beside.xi = relate::smallest_xi(parts.rest, std::max(left, least));
  if (p.upper > 0) {
    const double most = numerics::next_up(rho - p.lower);
    beside.xi.lower = relate::smallest_xi(parts.rest, std::max(most, least)).lower;
  }
  return beside;
}

}  // namespace

Relation<ZcdpParameters> to_zcdp(const Plan& plan, std::optional<double> rho) {
  if (rho) check_rho(*rho);
  Relation<ZcdpParameters> answer{.source = "Bun, Steinke 2016, Definition 1.1"};
  const auto mechanisms = relate::revealing(plan);
  if (auto why = relate::why_no_orders(mechanisms)) {
    answer.none = *std::move(why);
    return answer;
  }
  if (const auto why = relate::why_orders_end(mechanisms)) {
    answer.none = *why + ", and zCDP speaks of every order; use tcdp";
    return answer;
  }
  const Parts parts = relate::without_quadratic_part(mechanisms);
  const Range least = parts.rho + relate::smallest_rho(parts.rest, std::numeric_limits<double>::infinity());
  const double limit_of_rest = compose(parts.rest)->growth().rho, limit = parts.rho.upper + limit_of_rest;
  if (samples(mechanisms) && least.upper <= limit * (1 + 1e-9)) answer.note = note_on_sampling(limit);
  if (!rho || *rho >= least.upper) {
    answer.found = ZcdpParameters{.rho = rho ? Smallest{*rho, *rho} : smallest(least)};
  } else if (*rho < limit * (1 - limit_rounding)) {
    answer.none = fmt::format("none exists, because D_a - {} a is unbounded: D_a / a tends to {:.6g}", *rho, limit);
  } else {
    const Beside beside = smallest_xi_beside(*rho, parts, limit_of_rest);
    answer.found = ZcdpParameters{.rho = {beside.rho, beside.rho}, .xi = smallest(beside.xi)};
  }
  return answer;
}

}  // namespace renyi
