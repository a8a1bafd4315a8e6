// Composition adds curves (docs/math/log-moment-curve.md, "Composition"). Counts
// enter here and nowhere else.

#include "mechanism/composed_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mechanism/close_decay.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi {

namespace mechanism {

namespace composed_curve_file {
namespace {

// Bounds the rounding of count, product and running sum: a few roundings for each part.
double summation_error(double total, std::size_t parts) {
  return (2.0 + static_cast<double>(parts)) * numerics::unit_roundoff * total;
}

struct CountedLine {
  std::unique_ptr<const VerticalLine> line;
  double count = 1;
};

// The vertical line of a sum of curves is the sum of their lines.
class ComposedLine final : public VerticalLine, public mechanism::CloseDecay {
 public:
  explicit ComposedLine(std::vector<CountedLine> parts);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  double shift_error() const override;
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double close_decay(double y) const override;
  double close_decay_beyond(double y) const override;
  double cost(double y) const override;
  std::size_t distinct_steps() const override { return parts_.size(); }

 private:
  template <class Ask>
  double sum(const Ask& ask) const;
  double rounded_up(double total) const;

  // Estimates the share of points in [y, 2y] at which phi of the cheap parts alone is not negligible.
  double visible_share(double y) const;

  std::vector<CountedLine> parts_;  // the cheap ones come first
  std::size_t cheap_ = 0;           // the number of cheap parts
  double cheap_steps_ = 0;
};

// Between this many parts a limit of time is looked at: one part alone takes little time, or looks itself.
constexpr std::size_t parts_in_a_row = 64;

// exp(invisible) is negligible compared with any answer.
constexpr double invisible = -55;
// A point of a part with a closed form costs less than this.
constexpr double most_cheap = 25;
// From this many steps on it pays to estimate how many points their atoms leave visible.
constexpr double many_steps = 100;
constexpr int samples = 256;

// The errors of the known factors are added to the bound.
ComplexLogMoment only_bounded(const ComplexLogMoment& total) {
  return {{total.value.real() + total.error, 0}, std::numeric_limits<double>::infinity()};
}

// The running sum over the parts at one point.
struct Running {
  ComplexLogMoment total;
  double modulus = 0;
  bool lost = false;  // only an upper bound of some factor is known

  void add(double count, const ComplexLogMoment& one) {
    total.value += count * one.value;
    lost = lost || std::isinf(one.error);
    total.error += std::isinf(one.error) ? 0 : count * one.error;
    modulus += count * std::abs(one.value);
  }

  // Rounding of count, product and running sum: a few roundings for each part.
  ComplexLogMoment sum(std::size_t parts) const {
    ComplexLogMoment result = total;
    result.error += (2.0 + static_cast<double>(parts)) * numerics::unit_roundoff * modulus;
    return lost ? only_bounded(result) : result;
  }
};

ComposedLine::ComposedLine(std::vector<CountedLine> parts) : parts_(std::move(parts)) {
  const auto middle = std::stable_partition(parts_.begin(), parts_.end(),
                                            [](const CountedLine& part) { return part.line->cost(1) < most_cheap; });
  cheap_ = static_cast<std::size_t>(middle - parts_.begin());
  for (std::size_t i = 0; i < cheap_; ++i) cheap_steps_ += parts_[i].count;
}

// No factor exceeds 1: where the product of the cheap factors is already negligible, the others are not evaluated.
ComplexLogMoment ComposedLine::log_phi(double y) const {
  Running running;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i % parts_in_a_row == parts_in_a_row - 1) stop_if_asked();
    if (i == cheap_ && running.total.value.real() + running.total.error < invisible) return only_bounded(running.total);
    running.add(parts_[i].count, parts_[i].line->log_phi(y));
  }
  return running.sum(parts_.size());
}

// Evaluates point by point where the cheap parts may make the others unnecessary; otherwise each part evaluates all its
// points in a row.
void ComposedLine::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  if (cheap_ > 0) {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = log_phi(first + static_cast<double>(j) * step);
    return;
  }
  std::vector<Running> totals(values.size());
  for (const CountedLine& part : parts_) {
    part.line->log_phis(first, step, values);
    for (std::size_t j = 0; j < values.size(); ++j) totals[j].add(part.count, values[j]);
  }
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = totals[j].sum(parts_.size());
}

double ComposedLine::visible_share(double y) const {
  int visible = 0;
  for (int i = 0; i < samples; ++i) {
    // Multiples of the golden ratio modulo 1 fill the zone evenly.
    const double v = y * (1 + std::fmod(0.6180339887498949 * i, 1.0));
    double log_modulus = 0;
    for (std::size_t k = 0; k < cheap_; ++k) log_modulus += parts_[k].count * parts_[k].line->log_phi(v).value.real();
    visible += log_modulus < invisible ? 0 : 1;
  }
  return (visible + 0.5) / samples;
}

template <class Ask>
double ComposedLine::sum(const Ask& ask) const {
  double total = 0;
  for (const CountedLine& part : parts_) total += ask(part);
  return total;
}

// All terms are <= 0; the sum is rounded towards 0.
double ComposedLine::decay(double y) const {
  return rounded_up(sum([&](const CountedLine& part) { return part.count * part.line->decay(y); }));
}

double ComposedLine::decay_beyond(double y) const {
  return rounded_up(sum([&](const CountedLine& part) { return part.count * part.line->decay_beyond(y); }));
}

double ComposedLine::close_decay(double y) const {
  return rounded_up(sum([&](const CountedLine& part) { return part.count * mechanism::close_decay(*part.line, y); }));
}

double ComposedLine::close_decay_beyond(double y) const {
  return rounded_up(
      sum([&](const CountedLine& part) { return part.count * mechanism::close_decay_beyond(*part.line, y); }));
}

// The sum is of terms <= 0.
double ComposedLine::rounded_up(double total) const {
  return (1 - (4.0 + static_cast<double>(parts_.size())) * numerics::unit_roundoff) * total;
}

double ComposedLine::shift_error() const {
  return (1 + 1e-9) * sum([&](const CountedLine& part) { return part.count * part.line->shift_error(); });
}

double ComposedLine::cost(double y) const {
  double cheap = 0, rest = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) (i < cheap_ ? cheap : rest) += parts_[i].line->cost(y);
  return cheap + rest * (rest > cheap && cheap_steps_ > many_steps ? visible_share(y) : 1);
}

}  // namespace
}  // namespace composed_curve_file

void Directions::add(const Curve& curve) {
  if (curve.is_symmetric()) return;
  const auto larger = curve.larger_direction();
  larger_ = same_ || larger == larger_ ? larger : std::nullopt;
  same_ = false;
}

ComposedCurve::ComposedCurve(std::vector<CountedCurve> parts)
    : parts_(std::move(parts)), last_order_(std::numeric_limits<double>::infinity()) {
  for (const CountedCurve& part : parts_) {
    last_order_ = std::min(last_order_, part.curve->last_order());
    knowledge_ = std::max(knowledge_, part.curve->knowledge());  // ordered from most to least knowledge
    directions_.add(*part.curve);
  }
}

Bounded ComposedCurve::max_loss_at(Direction direction) const {
  const bool removes = direction == Direction::remove || is_symmetric();
  MaxLoss& loss = removes ? max_loss_remove_ : max_loss_add_;
  std::call_once(loss.found, [&] { loss.value = sum_of_max_losses(direction); });
  return loss.value;
}

LogMoment ComposedCurve::real_at(double z, Direction direction) const {
  LogMoment total;
  for (const CountedCurve& part : parts_) {
    if (parts_.size() >= composed_curve_file::parts_in_a_row) stop_if_asked();
    const auto n = static_cast<double>(part.count);
    const LogMoment k = part.curve->log_moment(z, direction);
    total.value += n * k.value;
    total.error += n * k.error;
    total.slope += n * k.slope;
    total.slope_error += n * k.slope_error;
    total.curvature += n * k.curvature;
  }
  total.error =
      std::isinf(total.value) ? 0 : total.error + composed_curve_file::summation_error(total.value, parts_.size());
  total.slope_error = std::isinf(total.slope)
                          ? 0
                          : total.slope_error + composed_curve_file::summation_error(total.slope, parts_.size());
  return total;
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
  total.error += composed_curve_file::summation_error(modulus, parts_.size());
  return total;
}

// Losses that are decimal inputs, or quotients of such, are added exactly.
Bounded ComposedCurve::sum_of_max_losses(Direction direction) const {
  std::vector<numerics::CountedQuotient> written;
  Bounded others;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    if (const auto quotient = part.curve->max_loss_quotient(direction)) {
      written.push_back({*quotient, part.count});
      continue;
    }
    const Bounded loss = part.curve->max_loss(direction);
    if (std::isinf(loss.value)) return loss;
    if (loss.error == 0) {
      written.push_back({{loss.value, 1}, part.count});
      continue;
    }
    others.value += n * loss.value;
    others.error += n * loss.error;
  }
  const Bounded sum = numerics::decimal_sum_interval(written);
  if (others.value == 0 && others.error == 0) return sum;
  const double value = sum.value + others.value;
  const bool is_one = parts_.size() == 1 && parts_[0].count == 1;
  return {value, sum.error + others.error + (is_one ? 0 : composed_curve_file::summation_error(value, parts_.size()))};
}

Growth ComposedCurve::growth() const {
  Growth total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Growth one = part.curve->growth();
    total.xi += n * one.xi;
    total.rho += n * one.rho;
  }
  const double up = 1 + composed_curve_file::summation_error(1, parts_.size());
  return {total.xi * up, total.rho * up};
}

// The loss is finite if that of every step is: with probability prod (1-d_i)^n_i. A single step is returned unchanged.
Bounded ComposedCurve::infinite_mass(Direction direction) const {
  double sum = 0, error = 0;  // the sum of n_i ln(1/(1-d_i)) and its error
  double runs = 0;            // the number of runs that may have an infinite loss
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
  error += (4 + composed_curve_file::summation_error(1, parts_.size()) / numerics::unit_roundoff) *
           numerics::unit_roundoff * sum;
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
  std::vector<composed_curve_file::CountedLine> lines;
  lines.reserve(parts_.size());
  for (const CountedCurve& part : parts_) {
    lines.push_back({part.curve->line(c, direction), static_cast<double>(part.count)});
  }
  return std::make_unique<composed_curve_file::ComposedLine>(std::move(lines));
}

Bounded ComposedCurve::chernoff_at(double a, Direction direction) const {
  Bounded total;
  for (const CountedCurve& part : parts_) {
    const auto n = static_cast<double>(part.count);
    const Bounded one = part.curve->chernoff(a, direction);
    total.value += n * one.value;
    total.error += n * one.error;
  }
  total.error += composed_curve_file::summation_error(total.value, parts_.size());
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
  total.mean_error += composed_curve_file::summation_error(total.mean, parts_.size());
  total.variance_error += composed_curve_file::summation_error(total.variance, parts_.size());
  total.third_error += composed_curve_file::summation_error(third_size, parts_.size());
  return total;
}

}  // namespace mechanism

}  // namespace renyi
