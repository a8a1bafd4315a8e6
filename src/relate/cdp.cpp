// Concentrated DP as first defined: the loss has mean at most mu and is subgaussian
// with standard tau about its mean (docs/math/privacy-notions.md, "CDP").
#include <fmt/format.h>

#include <cmath>

#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "relate/divergence_growth.h"
#include "relate/subgaussian.h"
#include "renyi/extras/relate.h"

namespace renyi {

namespace relate_cdp_file {
namespace {

constexpr double few_roundings = 16 * numerics::unit_roundoff;

// One step's mean and subgaussian variance.
struct MeanAndVariance {
  Interval mu{0, 0};
  Interval tau_squared{0, 0};
};

// A normal loss of mean v/2 and variance v.
MeanAndVariance of_gaussian(double mu) {
  const Interval variance = relate::around(mu * mu, few_roundings);
  return {{0.5 * variance.lower, 0.5 * variance.upper}, variance};
}

// x ln x lies below its chord over [e^-eps, e^eps], so the mean is at most that of randomized response,
// eps tanh(eps/2); the loss is within [-eps, eps], so Hoeffding's lemma gives tau <= eps. Some epsilon-DP
// loss has that mean and, K(-1) being 0, a tau^2 of at least twice it.
MeanAndVariance of_bounded_loss(double epsilon) {
  const Interval mean = relate::around(epsilon * std::tanh(epsilon / 2), few_roundings);
  return {mean, {2 * mean.lower, epsilon * epsilon * (1 + few_roundings)}};
}

MeanAndVariance of_known_loss(const Curve& curve) {
  const LogMoment at_one = curve.worst_log_moment(0);
  const Bounded mean{at_one.slope, at_one.slope_error};
  return {{mean.lower(), mean.upper()}, relate::subgaussian_variance(curve)};
}

std::optional<MeanAndVariance> of(const Mechanism& mechanism) {
  if (const auto cdp = mechanism::law_of<mechanism::SubgaussianLoss>(mechanism)) {
    const double variance = cdp->tau * cdp->tau;
    return MeanAndVariance{{cdp->mu, cdp->mu}, relate::around(variance, few_roundings)};
  }
  const auto mu = relate::gaussian_mu(mechanism);
  const auto curve = mechanism.curve();
  if (curve->knowledge() == Knowledge::loss) return mu ? of_gaussian(*mu) : of_known_loss(*curve);
  const Bounded most = curve->worst_max_loss();
  if (!std::isfinite(most.value)) return {};
  const MeanAndVariance any = of_bounded_loss(most.upper());
  if (relate::is_only_bounded(mechanism)) return MeanAndVariance{{0, any.mu.upper}, {0, any.tau_squared.upper}};
  return any;
}

std::string why_none(const Mechanism& mechanism, bool loss_is_known) {
  const std::string name = relate::name_of(mechanism);
  if (loss_is_known) return fmt::format("none is known, because the search for tau did not converge for {}", name);
  return fmt::format(
      "none is known, because CDP asks for the law of the loss, and of {} only Renyi orders or trade-offs are known; "
      "use zcdp or tcdp",
      name);
}

Interval square_root(const Interval& x) {
  return {std::sqrt(x.lower) * (1 - few_roundings), std::sqrt(x.upper) * (1 + few_roundings)};
}

}  // namespace
}  // namespace relate_cdp_file

NotionAnswer<CdpParameters> to_cdp(const Analysis& analysis) {
  NotionAnswer<CdpParameters> answer{
      .source = "Dwork, Rothblum 2016: definition of (mu, tau)-CDP and its composition theorem"};
  relate::OutwardSum mu, tau_squared;
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = relate::why_no_orders(analysis)) {
    answer.none = *std::move(why);
    return answer;
  }
  for (const CountedMechanism& m : mechanisms) {
    const auto one = relate_cdp_file::of(m.mechanism);
    if (!one || !std::isfinite(one->tau_squared.upper)) {
      answer.none = relate_cdp_file::why_none(m.mechanism, one.has_value());
      return answer;
    }
    mu.add(static_cast<double>(m.count), one->mu);
    tau_squared.add(static_cast<double>(m.count), one->tau_squared);
  }
  const Interval tau = relate_cdp_file::square_root(tau_squared.total());
  answer.found = CdpParameters{.mu = {mu.total().lower, mu.total().upper}, .tau = {tau.lower, tau.upper}};
  answer.note =
      "CDP implies D_a <= mu + (a-1) tau^2/2, and not the reverse; post-processing may break CDP, not that bound. Of a "
      "sampled step the loss is that of someone who knows which other records were sampled";
  return answer;
}

}  // namespace renyi
