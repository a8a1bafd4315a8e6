// Composition adds curves (docs/math/log-moment-curve.md, "Composition"). Counts
// enter here and nowhere else.
#include "plan/composed_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/rounding.h"
#include "plan/composed_line.h"
#include "renyi/plan.h"

namespace renyi {

namespace plan {

namespace {

// Rounding of count, product and running sum: a few for each part.
double summation_error(double total, std::size_t parts) {
  return (2.0 + static_cast<double>(parts)) * numerics::unit_roundoff * total;
}

}  // namespace

ComposedCurve::ComposedCurve(std::vector<CountedCurve> parts)
    : parts_(std::move(parts)), last_order_(std::numeric_limits<double>::infinity()) {
  for (const CountedCurve& part : parts_) {
    last_order_ = std::min(last_order_, part.curve->last_order());
    knowledge_ = std::max(knowledge_, part.curve->knowledge());  // from most to least
  }
}

template <class Evaluate>
LogMoment ComposedCurve::sum(const Evaluate& evaluate) const {
  LogMoment total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const LogMoment k = evaluate(*part.curve);
    total.value += n * k.value;
    total.error += n * k.error;
    total.slope += n * k.slope;
    total.slope_error += n * k.slope_error;
    total.curvature += n * k.curvature;
  }
  total.error = std::isinf(total.value) ? 0 : total.error + summation_error(total.value, parts_.size());
  total.slope_error = std::isinf(total.slope) ? 0 : total.slope_error + summation_error(total.slope, parts_.size());
  return total;
}

LogMoment ComposedCurve::real_at(double z, Direction direction) const {
  return sum([&](const Curve& curve) { return curve.log_moment(z, direction); });
}

LogMoment ComposedCurve::worst_at(double z) const {
  return sum([&](const Curve& curve) { return curve.worst_log_moment(z); });
}

ComplexLogMoment ComposedCurve::complex_at(std::complex<double> z, Direction direction) const {
  ComplexLogMoment total;
  double modulus = 0;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const ComplexLogMoment k = part.curve->log_moment(z, direction);
    total.value += n * k.value;
    total.error += n * k.error;
    modulus += n * std::abs(k.value);
  }
  total.error += summation_error(modulus, parts_.size());
  return total;
}

Bounded ComposedCurve::max_loss_at(Direction direction) const {
  Bounded total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Bounded loss = part.curve->max_loss(direction);
    if (std::isinf(loss.value)) return loss;
    total.value += n * loss.value;
    total.error += n * loss.error;
  }
  if (parts_.size() > 1 || (parts_.size() == 1 && parts_[0].count > 1)) {
    total.error += summation_error(total.value, parts_.size());
  }
  return total;
}

bool ComposedCurve::is_symmetric() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const CountedCurve& part) { return part.curve->is_symmetric(); });
}

Growth ComposedCurve::growth() const {
  Growth total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Growth one = part.curve->growth();
    total.xi += n * one.xi;
    total.rho += n * one.rho;
  }
  const double up = 1 + summation_error(1, parts_.size());
  return {total.xi * up, total.rho * up};
}

// The loss is finite where that of every step is: with probability prod (1-d_i)^n_i. One step is as it is.
Bounded ComposedCurve::infinite_mass(Direction direction) const {
  double sum = 0, error = 0;  // of n_i ln(1/(1-d_i))
  double runs = 0;            // that may have an infinite loss
  Bounded only;
  for (const CountedCurve& part : parts_) {
    const Bounded one = part.curve->infinite_mass(direction);
    if (one.upper() == 0) continue;
    if (!(one.value + one.error < 1)) return one;
    const auto n = static_cast<double>(part.count);
    sum -= n * std::log1p(-one.value);
    error += n * one.error / (1 - one.value - one.error);
    runs += n;
    only = one;
  }
  if (runs <= 1) return only;
  error += (4 + summation_error(1, parts_.size()) / numerics::unit_roundoff) * numerics::unit_roundoff * sum;
  // |exp(-s) - exp(-t)| <= |s - t| exp(-min(s, t)).
  const double mass = -std::expm1(-sum), moved = error * std::exp(-std::max(0.0, sum - error)) * (1 + 1e-9);
  return {mass, moved + 4 * numerics::unit_roundoff * mass};
}

std::shared_ptr<const Curve> ComposedCurve::finite_part() const {
  const auto may_be_infinite = [](const CountedCurve& part) { return part.curve->finite_part() != nullptr; };
  if (std::none_of(parts_.begin(), parts_.end(), may_be_infinite)) return nullptr;
  std::vector<CountedCurve> finite = parts_;
  for (CountedCurve& part : finite) {
    if (auto rest = part.curve->finite_part()) part.curve = std::move(rest);
  }
  return std::make_shared<ComposedCurve>(std::move(finite));
}

std::unique_ptr<const VerticalLine> ComposedCurve::line_at(double c, Direction direction) const {
  std::vector<CountedLine> lines;
  lines.reserve(parts_.size());
  for (const CountedCurve& part : parts_) {
    lines.push_back({part.curve->line(c, direction), static_cast<double>(part.count)});
  }
  return std::make_unique<ComposedLine>(std::move(lines));
}

Bounded ComposedCurve::chernoff_at(double a, Direction direction) const {
  Bounded total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Bounded one = part.curve->chernoff(a, direction);
    total.value += n * one.value;
    total.error += n * one.error;
  }
  total.error += summation_error(total.value, parts_.size());
  return total;
}

Cumulants ComposedCurve::cumulants_at(Direction direction) const {
  Cumulants total;
  double third_size = 0;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Cumulants one = part.curve->cumulants(direction);
    total.mean += n * one.mean;
    total.mean_error += n * one.mean_error;
    total.variance += n * one.variance;
    total.variance_error += n * one.variance_error;
    total.third += n * one.third;
    total.third_error += n * one.third_error;
    third_size += n * std::abs(one.third);
  }
  total.mean_error += summation_error(total.mean, parts_.size());
  total.variance_error += summation_error(total.variance, parts_.size());
  total.third_error += summation_error(third_size, parts_.size());
  return total;
}

}  // namespace plan

std::shared_ptr<const Curve> compose(const std::vector<CountedMechanism>& mechanisms) {
  std::vector<plan::CountedCurve> parts;
  parts.reserve(mechanisms.size());
  for (const CountedMechanism& m : mechanisms) parts.push_back({m.mechanism.curve(), m.count});
  return std::make_shared<plan::ComposedCurve>(std::move(parts));
}

std::shared_ptr<const Curve> compose(const Plan& plan) { return compose(plan.analysed()); }

}  // namespace renyi
