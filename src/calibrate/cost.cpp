#include "calibrate/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace renyi::calibrate_detail {

namespace {

std::string in_words(const Parameter& number, const Setting& setting) {
  return number.whole ? fmt::format("{} {}", number.name, setting.count)
                      : fmt::format("{} {}", number.name, setting.value);
}

// Intervals of ln(cost) narrower than `narrow` are those of smooth engines, whose ends can be followed as far as
// wanted; so can Renyi bounds. Others are followed to their width, or to the one asked for where that is narrower; not
// so where an engine gave up on the way there: each such answer is dear, and its ends are as rough as they are apart.
double width_of(double width, double asked_width, const ExactFigure& figure) {
  constexpr double narrow = 1e-7, coarsest = 1e-3;
  const bool is_smooth = figure.engine == Engine::bounds && !figure.limited;
  if (is_smooth || !(width > narrow)) return 0;  // also infinity less infinity
  return std::min(figure.limited ? width : std::min(width, asked_width), coarsest);
}

}  // namespace

double log_ratio(double cost, double target) {
  if (target == 0 || cost == 0) return cost <= target ? -far : far;
  return std::clamp(std::log(cost / target), -far, far);
}

Probe Cost::probe(const Setting& setting, double x) const {
  Probe found{.setting = setting, .x = x, .excess = far};
  try {
    prepare(setting);
  } catch (const InvalidArgument& error) {
    found.not_served = error.what();
    return found;
  } catch (const Unsupported& error) {
    found.not_served = error.what();
    return found;
  }
  try {
    judge(found);
  } catch (const NotConverged&) {
  } catch (const Unsupported&) {  // the one engine asked for does not serve here
  }
  if (std::isnan(found.excess)) found.excess = far;
  found.excess = found.is_private ? std::min(found.excess, 0.0) : std::max(found.excess, 1e-15);
  return found;
}

Unsupported Cost::unreachable(const Setting& best) const {
  return {"epsilon",
          fmt::format("the target {} at delta {} cannot be reached: even {} gives epsilon {}", target_.epsilon,
                      target_.delta, in_words(plan_.number(), best), epsilon(best)),
          "raise epsilon or delta, or change the rest of the plan"};
}

void RenyiCost::prepare(const Setting& setting) const {
  if (curve_ && prepared_ == setting) return;
  curve_ = plan().with(setting).curve;
  prepared_ = setting;
}

EpsilonBound RenyiCost::bound(const Setting& setting) const {
  prepare(setting);
  return renyi_epsilon(*curve_, target().delta, options_);
}

void RenyiCost::judge(Probe& probe) const {
  const double cost = epsilon(probe.setting);
  probe.is_private = cost <= target().epsilon;
  probe.excess = log_ratio(cost, target().epsilon);
  probe.lower = cost;  // the bound itself is what is to be spent
}

void ExactCost::prepare(const Setting& setting) const {
  if (prepared_ == setting) return;
  prepared_.reset();
  composed_ = plan().with(setting);
  accountant_.emplace(composed_.steps, composed_.curve, options_);
  prepared_ = setting;
}

ExactAnswer ExactCost::answer(const Setting& setting) const {
  for (const Asked& before : asked_) {
    if (before.setting == setting) return before.answer;
  }
  prepare(setting);
  return asked_.emplace_back(Asked{setting, accountant_->epsilon(target().delta)}).answer;
}

// Far from the target a wide interval tells the side as well, and is cheaper where widths have to be worked for. The
// search converges faster than by squares, so that the next excess is no larger than the last one's square.
std::optional<ExactFigure> ExactCost::decided(const Setting& setting) const {
  constexpr double margin = 4;  // widths
  for (const double share : {1e-2, 1e-4}) {
    ExactOptions coarse = options_;
    coarse.tolerance = share * target().epsilon;
    if (!(coarse.tolerance > 10 * options_.tolerance)) break;
    if (last_excess_ * last_excess_ < margin * share) continue;
    const ExactAnswer found = ExactAccountant(composed_.steps, composed_.curve, coarse).epsilon(target().delta);
    const double width = found.worst.upper - found.worst.lower;
    if (width <= options_.tolerance) return asked_.emplace_back(Asked{setting, found}).answer.worst;
    if (std::abs(found.worst.upper - target().epsilon) > margin * width) return found.worst;
  }
  return std::nullopt;
}

void ExactCost::judge(Probe& probe) const {
  const auto coarse = decided(probe.setting);
  const ExactFigure epsilon = coarse ? *coarse : answer(probe.setting).worst;
  const double most = target().epsilon;
  probe.lower = epsilon.lower;
  probe.is_private = epsilon.upper <= most;
  if (most > 0) {
    const double asked_width = (coarse ? most : options_.tolerance) / most;
    probe.excess = log_ratio(epsilon.upper, most);
    probe.width = width_of((epsilon.upper - epsilon.lower) / most, asked_width, epsilon);
    last_excess_ = std::abs(probe.excess);
    return;
  }
  // epsilon(delta) is 0 all over the private side of such a target; delta(0) is not, and asks the same.
  const ExactFigure delta = accountant_->delta(0).worst;
  probe.excess = log_ratio(delta.upper, target().delta);
  probe.width = width_of(log_ratio(delta.upper, delta.lower), options_.tolerance, delta);
}

}  // namespace renyi::calibrate_detail
