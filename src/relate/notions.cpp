// The privacy notions that bound divergences order by order, computed for any plan: pure DP, zCDP, tCDP and the moments
// accountant; and the names of all notions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "relate/divergence_growth.h"
#include "renyi/error.h"
#include "renyi/extras/relate.h"

namespace renyi {

std::string_view to_string(Notion notion) noexcept {
  switch (notion) {
    case Notion::pure: return "pure";
    case Notion::zcdp: return "zcdp";
    case Notion::tcdp: return "tcdp";
    case Notion::cdp: return "cdp";
    case Notion::gdp: return "gdp";
    case Notion::moments: return "moments";
  }
  return "unknown";
}

std::span<const Notion> all_notions() noexcept {
  using enum Notion;
  static constexpr std::array notions{pure, zcdp, tcdp, cdp, gdp, moments};
  return notions;
}

namespace notions_file {
namespace {

bool is_unbounded(const CountedMechanism& m) { return std::isinf(m.mechanism.curve()->worst_max_loss().value); }

// A step with a known unbounded loss decides the answer, wherever it is in the plan: no other step makes the total loss
// bounded.
std::optional<std::string> why_unbounded(const Analysis& analysis) {
  if (auto proof = relate::proof_of_no_orders(analysis)) return proof;
  const auto known = relate::with_known_loss(analysis), all = relate::steps_with_loss(analysis);
  if (const auto m = std::find_if(known.begin(), known.end(), is_unbounded); m != known.end()) {
    return fmt::format("none exists, because the loss of {} is unbounded", relate::name_of(m->mechanism));
  }
  if (auto why = relate::why_no_orders(analysis)) return why;
  if (const auto m = std::find_if(all.begin(), all.end(), is_unbounded); m != all.end()) {
    return fmt::format("none is known, because the loss of {} is not known to be bounded",
                       relate::name_of(m->mechanism));
  }
  return {};
}

}  // namespace
}  // namespace notions_file

// Pure differential privacy is the bound at order infinity: epsilon = D_inf.
NotionAnswer<PureParameters> to_pure(const Analysis& analysis) {
  NotionAnswer<PureParameters> answer{.source = "epsilon-DP is Renyi DP of order infinity (Mironov 2017)"};
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = notions_file::why_unbounded(analysis)) {
    answer.none = *std::move(why);
    return answer;
  }
  const Bounded loss = compose(mechanisms)->worst_max_loss();
  const Bounded known = compose(relate::with_known_lower_end(mechanisms))->worst_max_loss();
  answer.found = PureParameters{.epsilon = {known.lower(), loss.upper()}};
  return answer;
}

using relate::GaussianAndRest;

namespace notions_file {
namespace {

// A rho that differs from the limit of D_a / a by no more than this factor is taken as the limit itself.
constexpr double limit_rounding = 1e-13;

void check_rho(double rho) {
  if (rho >= 0 && std::isfinite(rho)) return;
  throw InvalidArgument("rho", fmt::format("{}", rho), "a finite number of at least 0");
}

bool samples(const std::vector<CountedMechanism>& mechanisms) {
  return std::any_of(mechanisms.begin(), mechanisms.end(), [](const CountedMechanism& m) {
    return mechanism::law_of<mechanism::SampledNormal>(m.mechanism).has_value();
  });
}

// Returns a lower bound on the limit of D_a / a: steps for which only a bound is known may add nothing.
double known_limit(const Analysis& analysis) {
  auto known = relate::with_known_loss(analysis);
  for (CountedMechanism& m : known) m.mechanism = Mechanism(m.mechanism.optimistic());
  return compose(known)->growth().rho * (1 - limit_rounding);
}

// D_a / a of a sampled Gaussian tends to the value without sampling.
std::string note_on_sampling(double limit, bool proved) {
  return fmt::format(
      "no smaller rho {} for any xi, because D_a / a {} to {:.6g}, as without sampling: zCDP keeps nothing of "
      "the gain from sampling; use tcdp",
      proved ? "exists" : "is known", proved ? "tends" : "may tend", limit);
}

std::string why_rho_is_too_small(double rho, double limit, bool proved) {
  return proved ? fmt::format("none exists, because D_a - {} a is unbounded: D_a / a tends to {:.6g}", rho, limit)
                : fmt::format("none is known, because D_a - {} a may be unbounded: D_a / a may tend to {:.6g}", rho,
                              limit);
}

struct Beside {
  double rho = 0;  // as given, or the limit if that is within rounding
  Interval xi{0, 0};
};

// With K = p z (z+1) + K_rest:  D_a - rho a = D_rest - (rho - p) a, p in [p.lower, p.upper]. D_rest / a tends to
// `least`.
Beside smallest_xi_beside(double rho, const GaussianAndRest& parts, double least) {
  const Interval& p = parts.rho;
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
}  // namespace notions_file

// Zero-concentrated DP: D_a <= xi + rho a at every order (docs/math/privacy-notions.md, "zCDP").
NotionAnswer<ZcdpParameters> to_zcdp(const Analysis& analysis, std::optional<double> rho) {
  if (rho) notions_file::check_rho(*rho);
  NotionAnswer<ZcdpParameters> answer{.source = "Bun, Steinke 2016, Definition 1.1"};
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = relate::why_no_orders(analysis)) {
    answer.none = *std::move(why);
    return answer;
  }
  if (const auto why = relate::why_orders_end(mechanisms)) {
    answer.none = *why + ", and zCDP speaks of every order; use tcdp";
    return answer;
  }
  const GaussianAndRest parts = relate::split_off_gaussian(mechanisms);
  const Interval least =
      relate::sum_outwards(parts.rho, relate::smallest_rho(parts.rest, std::numeric_limits<double>::infinity()));
  const double limit_of_rest = compose(parts.rest)->growth().rho, limit = parts.rho.upper + limit_of_rest;
  if (notions_file::samples(mechanisms) && least.upper <= limit * (1 + 1e-9))
    answer.note =
        notions_file::note_on_sampling(limit, least.upper <= notions_file::known_limit(analysis) * (1 + 1e-9));
  if (!rho || *rho >= least.upper) {
    answer.found = ZcdpParameters{.rho = rho ? Interval{*rho, *rho} : least, .xi = {0, 0}};
  } else if (*rho < limit * (1 - notions_file::limit_rounding)) {
    answer.none = notions_file::why_rho_is_too_small(*rho, limit, *rho < notions_file::known_limit(analysis));
  } else {
    const notions_file::Beside beside = notions_file::smallest_xi_beside(*rho, parts, limit_of_rest);
    answer.found = ZcdpParameters{.rho = {beside.rho, beside.rho}, .xi = beside.xi};
  }
  return answer;
}

// Truncated concentrated DP: D_a <= rho a up to order omega (docs/math/privacy-notions.md, "tCDP").
NotionAnswer<TcdpParameters> to_tcdp(const Analysis& analysis, double omega) {
  if (!(omega > 1 && omega <= largest_order)) {
    throw InvalidArgument("omega", fmt::format("{}", omega), fmt::format("a number in (1, {}]", largest_order));
  }
  NotionAnswer<TcdpParameters> answer{.source = "Bun, Dwork, Rothblum, Steinke 2018: definition of (rho, omega)-tCDP"};
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = relate::why_no_orders(analysis)) {
    answer.none = *std::move(why);
    return answer;
  }
  const relate::GaussianAndRest parts = relate::split_off_gaussian(mechanisms);
  if (compose(parts.rest)->last_order() < omega) {
    answer.none = relate::why_orders_end(mechanisms).value_or("") + "; use an omega up to that";
    return answer;
  }
  const Interval rho = relate::sum_outwards(parts.rho, relate::smallest_rho(parts.rest, omega));
  answer.found = TcdpParameters{.omega = omega, .rho = {rho.lower, rho.upper}};
  return answer;
}

// The moments accountant: alpha_M(lambda) = K(lambda) (Abadi et al. 2016, section 3.2).
NotionAnswer<MomentsParameters> to_moments(const Analysis& analysis, double lambda) {
  if (!(lambda > 0 && lambda <= largest_order)) {
    throw InvalidArgument("lambda", fmt::format("{}", lambda), fmt::format("a number in (0, {}]", largest_order));
  }
  NotionAnswer<MomentsParameters> answer{.source = "Abadi et al. 2016, section 3.2 and Theorem 2"};
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = relate::why_no_orders(analysis)) {
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
