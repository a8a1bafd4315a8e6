#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loss/chernoff.h"
#include "loss/closed_form.h"
#include "loss/contour.h"
#include "loss/probability.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/loss.h"

namespace renyi {

namespace {

void check_finite(const char* field, double value, double least, const char* allowed) {
  if (std::isfinite(value) && value >= least) return;
  throw InvalidArgument(field, fmt::format("{}", value), allowed);
}

Unsupported may_be_infinite(const Curve& curve) {
  const double most =
      std::max(curve.infinite_mass(Direction::remove).upper(), curve.infinite_mass(Direction::add).upper());
  return {"steps", fmt::format("the loss is infinite with probability {:.6g}, so that it has no moments", most),
          "ask for delta, epsilon, a profile or a trade-off curve, which count such outcomes"};
}

// Tails so thin that Chernoff's bound says all there is to say.
constexpr double negligible = 1e-300;

// The part of both intervals: each holds the truth.
Probability narrowed(const loss::Interval& interval, const Probability& chernoff) {
  const double upper = std::min(interval.upper, chernoff.upper);
  return {std::min(upper, std::max(interval.lower, chernoff.lower)), upper, LossMethod::contour};
}

}  // namespace

std::string_view to_string(LossMethod method) noexcept {
  switch (method) {
    case LossMethod::closed_form: return "closed-form";
    case LossMethod::contour: return "contour";
    case LossMethod::chernoff: return "chernoff";
  }
  return "unknown";
}

PrivacyLoss::PrivacyLoss(const Plan& plan, Direction direction)
    : steps_(plan.analysed()), curve_(compose(steps_)), direction_(direction) {
  if (curve_->finite_part()) throw may_be_infinite(*curve_);
}

bool PrivacyLoss::known() const { return curve_->knowledge() == Knowledge::loss; }

Bounded PrivacyLoss::mean() const { return divergence(*curve_, 1, direction_); }

Cumulants PrivacyLoss::cumulants() const { return curve_->cumulants(direction_); }

std::optional<Ends> PrivacyLoss::skewness() const {
  const Cumulants c = cumulants();
  const double least = c.variance - c.variance_error, most = c.variance + c.variance_error;
  if (!(least > 0)) return std::nullopt;
  const double low = c.third - c.third_error, high = c.third + c.third_error;
  constexpr double up = 1 + 8 * numerics::unit_roundoff, down = 1 - 8 * numerics::unit_roundoff;
  return Ends{low / std::pow(low < 0 ? least : most, 1.5) * (low < 0 ? up : down),
              high / std::pow(high > 0 ? least : most, 1.5) * (high > 0 ? up : down)};
}

Bounded PrivacyLoss::log_moment(double s) const {
  check_finite("orders", s, 0, "a number of at least 0");
  const LogMoment k = curve_->log_moment(s, direction_);
  return {k.value, k.error};
}

Probability PrivacyLoss::at_least(double t) const {
  check_finite("at_least", t, -std::numeric_limits<double>::max(), "a finite number");
  if (known()) {
    if (const auto exact = loss::closed_form_above(steps_, direction_, t)) return *exact;
  }
  const Probability chernoff{loss::one_minus_down(loss::upper_exp(loss::log_chernoff_below(*curve_, direction_, -t))),
                             loss::upper_exp(loss::log_chernoff_above(*curve_, direction_, t)), LossMethod::chernoff};
  if (!known() || chernoff.upper < negligible || chernoff.lower == 1 || mean().upper() == 0) return chernoff;
  const auto interval = loss::contour_integral(*curve_, direction_, t, loss::Kernel::tail);
  return interval ? narrowed(*interval, chernoff) : chernoff;
}

Probability PrivacyLoss::below(double s) const {
  if (known()) {
    if (const auto exact = loss::closed_form_below(steps_, direction_, s)) return *exact;
  }
  const Direction other = opposite(direction_);
  const Probability chernoff{0, loss::upper_exp(loss::log_chernoff_below(*curve_, direction_, s)),
                             LossMethod::chernoff};
  if (!known() || chernoff.upper < negligible || mean().upper() == 0) return chernoff;
  // Pr_P[L < -s] = Pr_P[L' > s] with L' = -L the loss of the other direction, whose Q is our P. The
  // integral is small beside its terms unless s exceeds the mean of L'; below that the
  // complement of the upper tail is as good.
  if (s < divergence(*curve_, 1, other).value) return loss::complement(at_least(-s));
  const auto interval = loss::contour_integral(*curve_, other, s, loss::Kernel::other_tail);
  if (!interval) return chernoff;
  const double scale = std::exp(-s), up = 1 + 4 * numerics::unit_roundoff;
  return narrowed({interval->lower * scale / up, interval->upper * scale * up}, chernoff);
}

Probability PrivacyLoss::within(double epsilon) const {
  check_finite("within", epsilon, 0, "a finite number of at least 0");
  // 1 - Pr[L > epsilon] - Pr[L < -epsilon]; an atom at epsilon is inside, so the lower end
  // takes Pr[L >= ...] from the next double up.
  const Probability above = at_least(numerics::next_up(epsilon)), beneath = below(epsilon);
  return {loss::one_minus_down(loss::sum_up(above.upper, beneath.upper)),
          loss::one_minus_up(loss::sum_down(above.lower, beneath.lower)), std::max(above.method, beneath.method)};
}

}  // namespace renyi
