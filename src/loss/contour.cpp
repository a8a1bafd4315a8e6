#include "loss/contour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "loss/line_truncation.h"
#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::loss {

using numerics::unit_roundoff;
using std::numbers::pi;

namespace contour_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Aliases and truncation together stay below this fraction of the value, if that takes no more than this part of the
// time that a line may take.
struct Effort {
  double share = 0;
  double patience = 1;
};
constexpr Effort efforts[] = {{1e-12, 0.3}, {1e-7, 1}};
// An interval wider than this fraction of its upper bound is worse than Chernoff's bound.
constexpr double widest = 0.01;
// The line keeps this distance from the pole, in units of the tilted loss's standard deviation.
constexpr double from_pole = 0.01;
constexpr double largest_c = 1e12;
// The logarithm of the factor of accuracy that a line left of the saddle may lose, unless there is no other line.
constexpr double most_lost = 7;
// The number of roundings of one term: exponent, kernel, product.
constexpr double term_ulps = 16;
// K is evaluated at this many points at once.
constexpr std::int64_t points_in_a_row = 64;

// Returns ln of the saddle-point approximation.
double value_by_saddle(Kernel kernel, const Saddle& at, double t) {
  const double width = std::sqrt(2 * pi * (at.k.curvature + poles_of(kernel).stiffness(at.c)));
  return at.k.value - at.c * t + std::log(modulus_of_kernel(kernel, at.c, 0) / width);
}

// From this many points on, phases are turned from point to point, in rows of this length.
constexpr std::size_t many_points = 512, turned_in_a_row = 32;
// The number of roundings of one term in such a sum: a product and an addition for each point of its row, sine and
// cosine of the row, and one addition for each of its sixteen partial sums' rows.
constexpr double turned_roundings = 8 * static_cast<double>(turned_in_a_row) + 16;

// The sum of terms times exp(-i j turn), and that of terms times j.
struct TurnedSum {
  std::complex<double> value, by_index;
};

// Evaluates rows of terms as polynomials in exp(-i step off) by Horner's rule; the first point is at y = 0.
TurnedSum turned_sum(const std::vector<std::complex<double>>& terms, double step, double off) {
  const double re = std::cos(step * off), im = -std::sin(step * off);
  std::complex<long double> value, by_index;
  for (std::size_t first = 0; first < terms.size(); first += turned_in_a_row) {
    double v_re = 0, v_im = 0, s_re = 0, s_im = 0;
    for (std::size_t j = std::min(first + turned_in_a_row, terms.size()); j-- > first;) {
      const double slope_re = s_re * re - s_im * im + v_re, slope_im = s_re * im + s_im * re + v_im;
      const double value_re = v_re * re - v_im * im + terms[j].real(),
                   value_im = v_re * im + v_im * re + terms[j].imag();
      s_re = slope_re, s_im = slope_im, v_re = value_re, v_im = value_im;
    }
    const std::complex<double> turn(re, im), row(v_re, v_im),
        start = std::polar(1.0, -static_cast<double>(first) * step * off);
    const std::complex<double> here = start * row, slope = start * turn * std::complex<double>(s_re, s_im);
    value += here;
    by_index += slope + static_cast<double>(first) * here;
  }
  return {std::complex<double>(value), std::complex<double>(by_index)};
}

// The points at which aliases from above are bounded, in standard deviations from the saddle: far for nearly normal
// losses, near for those with a heavy tail.
constexpr double distances[] = {7.5, 4, 1.5};
// A period that exceeds what the aliases from below require by no more than this factor is not improved further.
constexpr double enough = 1.2;
// With a period longer than this factor, a position further left is tried.
constexpr double long_period = 1.6;
constexpr double stride_left = 0.85;
constexpr int most_strides = 16;

// Returns the X for which exp(gain)/(exp(rate X) - 1) is exp(log_limit).
double period_for(double gain, double rate, double log_limit) {
  const double odds = gain - log_limit;
  return (odds > 30 ? odds : std::log1p(std::exp(odds))) / rate;
}

}  // namespace
}  // namespace contour_file

// The position of a line for t whose aliases stay below exp(log_error). The saddle is the best position for a nearly
// normal loss. With a heavy tail the tilted loss has a second, far part there, aliases die out slowly, and a line
// further left is shorter.
class Contour::LinePlacement {
 public:
  LinePlacement(const Curve& curve, Direction direction, double t, const Saddle& saddle, double log_error);

  bool finite() const { return std::isfinite(period_); }
  // Tries positions left of the saddle if aliases from above make the period long, as long as the integrand there is at
  // most exp(most) times that at the saddle.
  void improve(double most);

  double t() const { return t_; }
  const Saddle& saddle() const { return at_; }
  double period() const { return period_; }
  // Returns the points further right whose Chernoff bounds bound the aliases from above.
  std::vector<Saddle> rivals() const;
  // ln of the error as a multiple of the integrand's size on the real axis, exp(K(c) - c t).
  double log_limit() const { return log_error_ - level(at_); }

 private:
  double level(const Saddle& at) const { return at.k.value - at.c * t_; }
  double period_at(const Saddle& at) const;

  const Curve& curve_;
  Direction direction_;
  double t_;
  double log_error_;
  Saddle at_;
  double period_ = std::numeric_limits<double>::infinity();
  std::vector<Saddle> known_;  // every point of the real axis evaluated so far
};

Contour::LinePlacement::LinePlacement(const Curve& curve, Direction direction, double t, const Saddle& saddle,
                                      double log_error)
    : curve_(curve), direction_(direction), t_(t), log_error_(log_error), at_(saddle), known_{saddle} {
  const double below = contour_file::period_for(-level(saddle), saddle.c, log_limit());
  for (const double distance : contour_file::distances) {
    const double c = saddle.c + distance / std::sqrt(saddle.k.curvature);
    if (!(c < contour_file::largest_c) || c > curve.last_order() - 1) continue;
    known_.push_back({c, curve.log_moment(c, direction)});
    period_ = period_at(saddle);
    if (period_ < contour_file::enough * below) break;  // a shorter period would not help
  }
}

// The aliases are S = sum over k of exp(k c X) g(t + k X), X the period, where g is the value of the integral. They are
// bounded below t by g <= 1, and above t by g(u) <= exp(K(c') - c' u).
double Contour::LinePlacement::period_at(const Saddle& at) const {
  const double limit = log_error_ - level(at), below = contour_file::period_for(-level(at), at.c, limit);
  double above = contour_file::infinity;
  for (const Saddle& rival : known_) {
    if (!(rival.c > at.c)) continue;
    above = std::min(above, contour_file::period_for(level(rival) + rival.k.error - level(at), rival.c - at.c, limit));
  }
  return std::max(below, above);
}

// The line's length in y hardly depends on its position: it is determined by the bulk of the loss.
void Contour::LinePlacement::improve(double most) {
  const Saddle& saddle = known_.front();
  const auto size = [&](const Saddle& at) { return level(at) - std::log(at.c) - std::log1p(at.c); };
  const double limit = size(saddle) + most;
  double c = at_.c;
  for (int i = 0; i < contour_file::most_strides &&
                  period_ > contour_file::long_period * contour_file::period_for(-level(at_), at_.c, log_limit());
       ++i) {
    c *= contour_file::stride_left;
    const Saddle left{c, curve_.log_moment(c, direction_)};
    const double period = period_at(left);
    known_.push_back(left);
    if (!(left.k.curvature > 0 && period < period_ && size(left) < limit)) return;
    at_ = left;
    period_ = period;
  }
}

std::vector<Saddle> Contour::LinePlacement::rivals() const {
  std::vector<Saddle> result;
  std::copy_if(known_.begin(), known_.end(), std::back_inserter(result),
               [&](const Saddle& rival) { return rival.c > at_.c; });
  return result;
}

Poles poles_of(Kernel kernel) { return {kernel == Kernel::other_tail ? 0.0 : 1.0, kernel == Kernel::tail ? 0.0 : 1.0}; }

Contour::Contour(const Saddle& saddle, double t, double period) : c_(saddle.c), t_(t), period_(period), k_(saddle.k) {}

std::optional<Contour> Contour::for_t(const Curve& curve, Direction direction, Kernel kernel, double t, double start) {
  // The integrands of the two tails are equal on the real axis except for their poles; 1/z keeps the line away from 0.
  const Poles poles{1, kernel == Kernel::delta ? 1.0 : 0.0};
  return through(curve, direction, kernel, saddle_point(curve, direction, t, poles, start), t);
}

std::optional<Contour> Contour::for_value(const Curve& curve, Direction direction, Kernel kernel, double log_value,
                                          double start) {
  const SaddleOfValue found = saddle_of_value(curve, direction, log_value, poles_of(kernel), start);
  return through(curve, direction, kernel, found.saddle, std::max(0.0, found.t));
}

// The aliases are S = sum over k of exp(k c X) g(t + k X), X = 2 pi/h, where g is the value of the integral:
// 0 <= g(u) <= min(1, exp(K(c') - c' u)). Returns S as a multiple of exp(level).
double Contour::aliases(double t) const {
  const double level = k_.value - c_ * t;
  const double below = std::exp(-level) / std::expm1(c_ * period_);
  double above = contour_file::infinity;
  for (const Rival& rival : rivals_) {
    above = std::min(above, std::exp(rival.k - rival.c * t - level) / std::expm1((rival.c - c_) * period_));
  }
  return below + above;
}

std::optional<Contour> Contour::through(const Curve& curve, Direction direction, Kernel kernel, Saddle saddle,
                                        double t) {
  // There is no line where the loss does not vary, or varies so little that the line would lie beyond largest_c.
  const double spread = std::sqrt(saddle.k.curvature);
  if (!(spread > contour_file::from_pole / contour_file::largest_c)) return std::nullopt;
  if (const double nearest = contour_file::from_pole / spread; saddle.c < nearest) {
    saddle = {nearest, curve.log_moment(nearest, direction)};
  }
  const double log_value = contour_file::value_by_saddle(kernel, saddle, t);
  for (const auto& [share, patience] : contour_file::efforts) {
    LinePlacement place(curve, direction, t, saddle, log_value + std::log(0.3 * share));
    if (!place.finite()) return std::nullopt;
    // Further left there are fewer points, but their sum is smaller compared with its terms.
    place.improve(contour_file::most_lost);
    auto contour = on(curve, direction, kernel, place, patience);
    if (!contour) {
      place.improve(contour_file::infinity);
      contour = on(curve, direction, kernel, place, patience);
    }
    if (!contour) continue;
    contour->accuracy_ = share;
    return contour;
  }
  return std::nullopt;
}

std::optional<Contour> Contour::on(const Curve& curve, Direction direction, Kernel kernel, const LinePlacement& place,
                                   double patience) {
  Contour contour(place.saddle(), place.t(), 1.05 * place.period());  // a margin for other t
  for (const Saddle& rival : place.rivals()) contour.rivals_.push_back({rival.c, rival.k.value + rival.k.error});
  const double c = contour.c_, h = 2 * pi / contour.period_;
  const auto line = curve.line(c, direction);
  const double limit = std::exp(place.log_limit()), start = likely_end(kernel, c, h, contour.k_.curvature, limit);
  const auto end = find_line_end(*line, kernel, c, h, start, limit, patience);
  if (!end) return std::nullopt;
  contour.beyond_ = end->beyond;
  // exp(t) Pr_Q[L > t] need not fall with t: there the shift is included in the error of each point.
  if (kernel != Kernel::other_tail) contour.shift_error_ = line->shift_error();
  const auto points = static_cast<std::int64_t>(std::ceil(end->y / h));
  check_memory(static_cast<double>(points) * sizeof(Point), "the points of a contour");
  contour.points_.reserve(static_cast<std::size_t>(points));
  std::array<ComplexLogMoment, contour_file::points_in_a_row> row;
  for (std::int64_t j = 0; j < points;) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(contour_file::points_in_a_row, points - j));
    const double first = static_cast<double>(j) * h;
    stop_if_asked();
    line->log_phis(first, h, {row.data(), n});
    for (std::size_t k = 0; k < n; ++k, ++j) {
      contour.add_point(*line, kernel, first + static_cast<double>(k) * h, (j == 0 ? 0.5 : 1.0) * h / pi, row[k]);
    }
  }
  contour.settle(h);
  return contour;
}

// Adds up what does not depend on t.
void Contour::settle(double step) {
  step_ = step;
  for (const Point& point : points_) {
    error_ += point.error;
    size_ += point.size;
    size_times_y_ += point.size * point.y;
  }
  if (points_.size() < contour_file::many_points) return;
  terms_.reserve(points_.size());
  for (const Point& point : points_) terms_.push_back(std::polar(point.size, point.phase));
}

// Adds one point of the line: its term, and the error that K's error and rounding leave in it.
void Contour::add_point(const VerticalLine& line, Kernel kernel, double y, double weight, const ComplexLogMoment& phi) {
  Point point{.y = y, .size = weight * modulus_of_kernel(kernel, c_, y) * std::exp(phi.value.real())};
  if (std::isinf(phi.error)) {  // the phase is lost, so the whole term is error
    beyond_ += point.size;
    points_.push_back({.y = y});
    return;
  }
  point.phase = phi.value.imag() - y * t_ - argument_of_poles(kernel, c_, y);
  const double turned =
      std::abs(phi.value.imag()) + std::abs(y * t_) + std::abs(phi.value.real()) + contour_file::term_ulps;
  const double shifted = kernel == Kernel::other_tail ? y * line.shift_error() : 0;
  point.error = point.size * (std::expm1(phi.error + shifted) + 2 * unit_roundoff * turned);
  points_.push_back(point);
}

Interval Contour::without_shift(double t) const {
  const double off = t - t_;
  double sum = 0, roundings = 4;
  if (terms_.empty()) {
    // Near the pole the terms are large compared with their sum, so additions are done in extended precision.
    long double total = 0;
    for (const Point& point : points_) total += point.size * std::cos(point.phase - point.y * off);
    sum = static_cast<double>(total);
    roundings += std::ldexp(static_cast<double>(points_.size()), 54 - numerics::extended_digits);
  } else {
    sum = contour_file::turned_sum(terms_, step_, off).value.real();
    roundings += contour_file::turned_roundings;
  }
  const double alias = aliases(t);
  const double error =
      beyond_ + error_ + roundings * unit_roundoff * size_ + 4 * unit_roundoff * size_times_y_ * std::abs(off);
  const double level = k_.value - c_ * t;
  const double level_error = k_.error + 4 * unit_roundoff * (std::abs(k_.value) + std::abs(c_ * t) + 4);
  // All aliases are >= 0, so the sum is above the integral.
  const double lower = numerics::times_exp(sum - error - alias, level - level_error);
  const double upper = numerics::times_exp(sum + error, level + level_error);
  return {lower > 0 ? numerics::next_down(lower) : 0, upper < 1 ? numerics::next_up(upper) : 1};  // 0 and 1 for NaN
}

// The integrals fall with t, so a possible shift of the loss moves their bounds.
Interval Contour::at(double t) const {
  if (shift_error_ == 0) return without_shift(t);
  return {lower(t), upper(t)};
}

double Contour::lower(double t) const { return without_shift(t + shift_error_).lower; }
double Contour::upper(double t) const { return without_shift(t - shift_error_).upper; }

// Returns the logarithm and its slope of exp(K(c) - c t) times the sum of size cos(phase - y (t - t_)).
numerics::ValueSlope Contour::log_estimate(double t) const {
  const double off = t - t_;
  if (!terms_.empty()) {
    const contour_file::TurnedSum turned = contour_file::turned_sum(terms_, step_, off);
    const double sum = turned.value.real();
    return {k_.value - c_ * t + std::log(sum), step_ * turned.by_index.imag() / sum - c_};
  }
  double sum = 0, slope = 0;
  for (const Point& point : points_) {
    const double phase = point.phase - point.y * off;
    sum += point.size * std::cos(phase);
    slope += point.size * point.y * std::sin(phase);
  }
  return {k_.value - c_ * t + std::log(sum), slope / sum - c_};
}

std::optional<Interval> contour_integral(const Curve& curve, Direction direction, double t, Kernel kernel,
                                         double start) {
  const auto contour = Contour::for_t(curve, direction, kernel, t, start);
  if (!contour) return std::nullopt;
  const Interval found = contour->at(t);
  return found.upper - found.lower < contour_file::widest * found.upper ? std::optional(found) : std::nullopt;
}

}  // namespace renyi::loss
