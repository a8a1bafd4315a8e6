// Gaussian DP: the neighbours are as hard to tell apart by a test as N(0, 1) and N(mu, 1)
// (docs/math/privacy-notions.md, "GDP").
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

#include "mechanism/law.h"
#include "mechanism/replacement_steps.h"
#include "numerics/rounding.h"
#include "relate/divergence_growth.h"
#include "renyi/extras/relate.h"

namespace renyi {

namespace relate_gdp_file {
namespace {

constexpr double few_roundings = 16 * numerics::unit_roundoff;
// The rounding of the inverse error function and of its argument.
constexpr double inverse_rounding = 1e-13;
// From here on 1/(1+e^eps) underflows.
constexpr double large_epsilon = 700;

// mu = -2 Phi^-1(1/(1 + e^eps)): the trade-off of randomized response is a chord of G_mu from (0, 1) to the
// kink (1/(1+e^eps), 1/(1+e^eps)), mirrored; G_mu is convex, so it lies below.
Interval mu_of_bounded_loss(double epsilon) {
  using namespace boost::math;
  if (epsilon < 1) return relate::around(2 * M_SQRT2 * erf_inv(std::tanh(epsilon / 2)), inverse_rounding);
  if (epsilon < large_epsilon) {
    const double p = std::exp(-epsilon) / (1 + std::exp(-epsilon));
    return relate::around(2 * M_SQRT2 * erfc_inv(2 * p), inverse_rounding);
  }
  // p = Phi(-x) <= exp(-x^2/2)/2 and >= exp(-x^2/2)/(x+1)/sqrt(2 pi) for x >= 1.
  const double upper = std::sqrt(2 * (epsilon - M_LN2) * (1 + few_roundings));
  const double lower = std::sqrt(std::max(0.0, 2 * (epsilon - std::log(upper + 1) - 1)));
  return {2 * lower, 2 * upper * (1 + few_roundings)};
}

std::string why_none(const Mechanism& mechanism) {
  const double last = mechanism.curve()->last_order();
  if (std::isfinite(last)) {
    return fmt::format(
        "none is known, because nothing is known of {} at orders above {}, and GDP speaks of every order",
        relate::name_of(mechanism), last);
  }
  return fmt::format("none is known, because no theorem here takes {} to GDP", relate::name_of(mechanism));
}

// Replaces every step that is known by bounds on its divergences and has a bounded loss by pure DP with that bound: the
// curve of pure DP, which a mechanism attains, is below the curve of the step.
std::vector<CountedMechanism> with_tight_bounded_steps(std::vector<CountedMechanism> mechanisms) {
  for (CountedMechanism& m : mechanisms) {
    const auto curve = m.mechanism.curve();
    const Bounded most = curve->worst_max_loss();
    if (curve->knowledge() == Knowledge::orders && std::isfinite(most.value)) {
      m.mechanism = mechanism::pure_step(most.lower());
    }
  }
  return mechanisms;
}

// mu-GDP implies (mu^2/2)-zCDP, so mu >= sqrt(2 rho).
double least_mu(const std::vector<CountedMechanism>& mechanisms) {
  const auto known = with_tight_bounded_steps(relate::with_known_lower_end(mechanisms));
  const relate::GaussianAndRest parts = relate::split_off_gaussian(known);
  const Interval rho =
      relate::sum_outwards(parts.rho, relate::smallest_rho(parts.rest, std::numeric_limits<double>::infinity()));
  return std::sqrt(2 * rho.lower) * (1 - few_roundings);
}

// The kink of randomized response touches G_mu, so for one such step no smaller mu is possible.
bool is_one_worst_bounded_step(const std::vector<CountedMechanism>& mechanisms) {
  if (mechanisms.size() != 1 || mechanisms[0].count != 1) return false;
  return mechanism::is_binary(mechanisms[0].mechanism.curve()->law());
}

// Bu, Dong, Long, Su 2019: mu^2 = count q^2 (e^(1/s^2) - 1) in the limit of many steps. The squares of Gaussian steps
// are added.
std::optional<double> central_limit(const std::vector<CountedMechanism>& mechanisms) {
  double squares = 0;
  bool samples = false;
  for (const CountedMechanism& m : mechanisms) {
    const mechanism::Law law = m.mechanism.curve()->law();
    const auto* normal = law.get_if<mechanism::NormalShift>();
    const auto* sampled = law.get_if<mechanism::SampledNormal>();
    if (normal == nullptr && sampled == nullptr) return {};
    const double s = sampled != nullptr ? sampled->noise_multiplier : 1;
    const double one =
        normal != nullptr ? normal->mu() * normal->mu() : sampled->rate * sampled->rate * std::expm1(1 / s / s);
    squares += static_cast<double>(m.count) * one;
    samples = samples || sampled != nullptr;
  }
  if (!samples || !std::isfinite(squares)) return {};
  return std::sqrt(squares);
}

}  // namespace
}  // namespace relate_gdp_file

// Sampling gives a mixture of the Gaussian pair and of two equal distributions, and the hockey-stick divergence is
// jointly convex.
std::optional<Interval> relate::gdp_mu(const Curve& curve) {
  const mechanism::Law law = curve.law();
  if (const auto* normal = law.get_if<mechanism::NormalShift>()) {
    return around(normal->mu(), relate_gdp_file::few_roundings);
  }
  if (const auto* sampled = law.get_if<mechanism::SampledNormal>()) {
    return around(1 / sampled->noise_multiplier, relate_gdp_file::few_roundings);
  }
  const Bounded most = curve.worst_max_loss();
  if (std::isfinite(most.value)) return Interval{0, relate_gdp_file::mu_of_bounded_loss(most.upper()).upper};
  return {};
}

NotionAnswer<GdpParameters> to_gdp(const Analysis& analysis) {
  NotionAnswer<GdpParameters> answer{.source =
                                         "Dong, Roth, Su 2022: definition of mu-GDP, and its composition theorem"};
  const auto mechanisms = relate::steps_with_loss(analysis);
  if (auto why = relate::why_no_orders(analysis)) {
    answer.none = *std::move(why);
    return answer;
  }
  relate::OutwardSum squares;
  for (const CountedMechanism& m : mechanisms) {
    const auto mu = relate::gdp_mu(*m.mechanism.curve());
    if (!mu) {
      answer.none = relate_gdp_file::why_none(m.mechanism);
      return answer;
    }
    squares.add(static_cast<double>(m.count), relate::around(mu->upper * mu->upper, relate_gdp_file::few_roundings));
  }
  const double upper = std::sqrt(squares.total().upper) * (1 + relate_gdp_file::few_roundings);
  double lower = std::min(relate_gdp_file::least_mu(mechanisms), upper);
  if (relate_gdp_file::is_one_worst_bounded_step(mechanisms)) {
    lower = std::max(
        lower, relate_gdp_file::mu_of_bounded_loss(mechanisms[0].mechanism.curve()->worst_max_loss().lower()).lower);
  }
  answer.found = GdpParameters{.mu = {lower, upper}, .mu_estimate = relate_gdp_file::central_limit(mechanisms)};
  if (answer.found->mu_estimate) {
    answer.note =
        "mu_estimate is the central limit of Bu, Dong, Long, Su 2019 and no bound: at sampling_rate 0.01, "
        "noise_multiplier 1.1, 10000 steps and delta 1e-5 it says epsilon = 5.0647, the exact answer is 5.1926";
  }
  return answer;
}

}  // namespace renyi
