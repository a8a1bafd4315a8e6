#include "certify/exact/contour.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "certify/exact/decay.h"
#include "certify/mechanism/closed_form.h"
#include "certify/random_allocation/moment.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace contour_file {
namespace {

// Margins for an inaccurate estimate of delta, and for other epsilons nearby.
constexpr double margin = 3, longer = 1.03;
constexpr double largest_rival = 1e6;

// Returns ln of Chernoff's bound with the kernel's factor (Lemma K2), at epsilon.
double log_chernoff(const Steps& steps, Direction direction, double epsilon, double c) {
  return estimate_log_moment(steps, direction, c).value - c * epsilon + c * std::log(c) - (c + 1) * std::log1p(c);
}

// Finds the minimum of a function that first falls and then rises, on a logarithmic scale.
template <class F>
double where_least(const F& f, double from, double to) {
  constexpr double golden = 0.6180339887498949;
  double low = std::log(from);
  double high = std::log(to);
  double a = high - golden * (high - low);
  double b = low + golden * (high - low);
  double at_a = f(std::exp(a));
  double at_b = f(std::exp(b));
  for (int i = 0; i < 40; ++i) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = f(std::exp(a));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = f(std::exp(b));
    }
  }
  return std::exp(low);
}

// Returns the largest c at which the moments of all steps are certified.
double farthest_point(const Steps& steps, Direction direction) {
  const bool allocated = std::any_of(steps.begin(), steps.end(),
                                     [](const auto& step) { return allocated_gaussian(step.mechanism).has_value(); });
  if (!allocated) return largest_rival;
  return direction == Direction::remove ? largest_allocated_c : 1e4;
}

// Rounds to so few bits that sums and multiples are exact.
double short_number(double x) {
  int power = 0;
  const double mantissa = std::frexp(x, &power);
  return std::ldexp(std::round(std::ldexp(mantissa, 20)), power - 20);
}

}  // namespace
}  // namespace contour_file

// With X = 2 pi/h, the copies below delta/e^G require c X >= G, those above require (c'-c) X >= G + f(c'), f being
// Chernoff's exponent. Both hold with equality for c = G/X, X = (2G + f(c'))/c': so the best c' minimizes that X.
Line choose_line(const Steps& steps, Direction direction, const OperatingPoint& operating_point, double tolerance,
                 Route route) {
  const double gap = contour_file::margin - std::log(tolerance) - operating_point.log_delta;
  const auto chernoff = [&](double c) {
    return contour_file::log_chernoff(steps, direction, operating_point.epsilon, c);
  };
  const double farthest =
      std::clamp(1e3 * operating_point.saddle, 10.0, contour_file::farthest_point(steps, direction));
  const double rival = contour_file::where_least([&](double c) { return (2 * gap + chernoff(c)) / c; }, 1e-9, farthest);
  const double least = chernoff(rival);
  double c = rival * gap / (2 * gap + least);
  if (route == Route::second) c *= 0.87;
  const double period = contour_file::longer * std::max(gap / c, (gap + least) / (rival - c));
  Line line;
  line.c = contour_file::short_number(c);
  line.rival = contour_file::short_number(rival);
  line.spacing = contour_file::short_number(2 * std::numbers::pi / period);
  const Estimate k = estimate_log_moment(steps, direction, line.c);
  line.log_size = k.value - line.c * operating_point.epsilon - operating_point.log_delta;
  line.spread = std::sqrt(k.curvature);
  return line;
}

namespace contour_file {
namespace {

constexpr long guard_bits = 24;
// Bounds of |phi| and estimates of work are rough, so that few bits suffice.
constexpr long decay_bits = 64;

// Chooses the precision so that count times the error of one moment is below exp(-digits).
long bits_for(const CountedMechanism& step, double digits) {
  return static_cast<long>(std::ceil((digits + std::log(static_cast<double>(step.count))) / std::numbers::ln2)) + 8;
}

// Exponents such as y epsilon and K lose the bits of their integer part.
long working_bits(const Steps& steps, double digits) {
  long most = 64;
  for (const CountedMechanism& step : steps) most = std::max(most, bits_for(step, digits));
  return most + 2 * guard_bits;
}

// Computes E[exp(zL)] of one step at z = c + i j h.
std::vector<Complex> moments(const CountedMechanism& step, Direction direction, const Ball& c, const Ball& spacing,
                             long points, double digits) {
  if (const auto epoch = allocated_gaussian(step.mechanism))
    return allocated_moments(*epoch, direction, c, spacing, points, bits_for(step, digits));
  if (!has_closed_moment(step.mechanism)) {
    const SampledGaussian sampled = *step.mechanism.get_if<SampledGaussian>();
    const bool remove = direction == Direction::remove;
    return trapezoid_moments(sampled, remove ? 1 + c : -c, remove ? spacing : -spacing, points, bits_for(step, digits));
  }
  std::vector<Complex> result;
  for (long j = 0; j < points; ++j) {
    stop_if_asked();
    const Ball y = spacing * Ball(static_cast<std::int64_t>(j));
    result.push_back(moment(step.mechanism, direction, Complex(c, y)));
  }
  return result;
}

struct Sum {
  Complex log_phi;    // the sum over the steps whose phase is known
  Ball log_modulus;   // an upper bound on ln|phi| of the others
  bool known = true;  // there are no others
};

// count is an integer, so any branch of the logarithm is valid.
void add(Sum& sum, const Complex& ratio, const Ball& count) {
  const Complex log_phi = log(ratio);
  if (log_phi.real().is_finite() && log_phi.imaginary().is_finite()) {
    sum.log_phi += Complex(count) * log_phi;
    return;
  }
  sum.known = false;
  sum.log_modulus += count * log(abs(ratio).upper());
}

// A delta far below Chernoff's bound on the line needs as many bits as it has digits, and arithmetic on long numbers is
// slow.
double slowness(long bits) {
  constexpr double usual_bits = 512;
  const double length = std::max(1.0, static_cast<double>(bits) / usual_bits);
  return length * length;
}

}  // namespace
}  // namespace contour_file

LineMoments moments_on_line(const Steps& steps, Direction direction, const Line& line, long points, double digits) {
  LineMoments result;
  result.bits = contour_file::working_bits(steps, digits);
  const Precision working(result.bits);
  const Ball c = line.c;
  const Ball spacing = line.spacing;
  std::vector<contour_file::Sum> sums(static_cast<std::size_t>(points));
  for (const CountedMechanism& step : steps) {
    const std::vector<Complex> row = contour_file::moments(step, direction, c, spacing, points, digits);
    const Ball whole = row.front().real();
    result.log_moment += Ball(step.count) * log(whole);
    for (std::size_t j = 1; j < row.size(); ++j) contour_file::add(sums[j], row[j] / Complex(whole), Ball(step.count));
  }
  for (std::size_t j = 0; j < sums.size(); ++j) {
    stop_if_asked();
    if (sums[j].known) {
      result.phi.push_back(exp(sums[j].log_phi));
      continue;
    }
    const Ball y = spacing * Ball(static_cast<std::int64_t>(j));
    const Ball kernel = sqrt((square(c) + square(y)) * (square(c + 1) + square(y)));
    result.lost += exp(sums[j].log_modulus + sums[j].log_phi.real()) / kernel;
    result.phi.emplace_back();
  }
  return result;
}

Ball log_moment_at(const Steps& steps, Direction direction, double c, double digits) {
  const Precision working(contour_file::working_bits(steps, digits));
  Ball total(0);
  for (const CountedMechanism& step : steps) {
    total += Ball(step.count) * log(contour_file::moments(step, direction, c, 0, 1, digits).front().real());
  }
  return total;
}

double work(const Steps& steps, Direction direction, const Line& line, double points, double digits) {
  const double slow = contour_file::slowness(contour_file::working_bits(steps, digits));
  double total = 0;
  for (const CountedMechanism& step : steps) {
    if (has_closed_moment(step.mechanism)) {
      total += 10 * slow * points;
      continue;
    }
    if (const auto epoch = allocated_gaussian(step.mechanism)) {
      const Precision rough(contour_file::decay_bits);
      total += allocated_work(*epoch, direction, line.c, line.spacing, points, contour_file::bits_for(step, digits));
      continue;
    }
    const Ball c = line.c;
    const Ball exponent = direction == Direction::remove ? 1 + c : -c;
    const SampledGaussian sampled = *step.mechanism.get_if<SampledGaussian>();
    const double nodes = trapezoid_node_count(sampled, exponent, Ball(points) * Ball(line.spacing),
                                              contour_file::bits_for(step, digits));
    // Setting up a node costs as much as some fifty points; long lines need more bits.
    total += slow * nodes * (50 + points * (1 + std::sqrt(points) / 200));
  }
  return total;
}

namespace contour_file {
namespace {

constexpr double most_points = 2e5;  // at the usual work
constexpr double stride = 1.15;
constexpr int most_strides = 120;

struct End {
  long points = 0;  // in addition to the one on the real axis
  Ball beyond;      // relative to exp(K(c) - c epsilon)
};

// Finds the first endpoint of the line beyond which the remainder is proven to be below exp(-digits), if the work up to
// there is within the budget.
std::optional<End> find_end(const Steps& steps, Direction direction, const Line& line, double digits,
                            double most_work) {
  const Precision rough(decay_bits);
  const Truncation truncation(steps, direction, line.c);
  const Ball limit = exp(Ball(-digits));
  double y = std::max(line.spacing, 0.9 * std::sqrt(std::max(1.0, 2 * digits)) / line.spread);
  for (int i = 0; i < most_strides; ++i) {
    const double points = std::ceil(y / line.spacing);
    if (!(points < most_points * most_work / usual_work) || work(steps, direction, line, points, digits) > most_work)
      return std::nullopt;
    const LeftOut rest = truncation.beyond(Ball(line.spacing) * Ball(points), line.spacing, limit);
    if (rest.stuck == 0) return End{static_cast<long>(points), rest.bound};
    y = std::max(stride * y, rest.stuck);
  }
  return std::nullopt;
}

// delta(epsilon) = (1/pi) integral over y > 0 of Re exp(K(z) - z epsilon)/(z (z+1)), z = c + iy, by the trapezoidal
// rule: its aliases, its truncation and its rounding are all proven (docs/math/certified-contour.md).
class ContourLaw final : public Law {
 public:
  ContourLaw(const Line& line, const LineMoments& moments, Ball log_rival, Ball beyond)
      : bits_(moments.bits),
        c_(line.c),
        rival_(line.rival),
        spacing_(line.spacing),
        log_moment_(moments.log_moment),
        log_rival_(std::move(log_rival)),
        beyond_(std::move(beyond)) {
    const Precision working(bits_);
    beyond_ += moments.lost * spacing_ / Ball::pi();
    for (std::size_t j = 0; j < moments.phi.size(); ++j) add_point(moments.phi[j], static_cast<std::int64_t>(j));
  }

  Ball delta(const Ball& epsilon) const override {
    const Precision working(bits_);
    const Ball size = exp(log_moment_ - c_ * epsilon);
    const Ball sum = size * rule(epsilon);
    const Ball cut = size * beyond_;
    // Lemma K1: the rule gives delta and its copies, all of them >= 0.
    const Ball low = (sum - cut - copies(epsilon)).lower();
    const Ball high = (sum + cut).upper();
    if (!low.is_finite() || !high.is_finite()) return Ball::hull(0, 1);
    return Ball::hull(max(low, Ball(0)), min(max(high, Ball(0)), Ball(1)));
  }

  std::string method() const override { return "contour integral"; }
  std::int64_t precision() const override { return bits_; }

 private:
  // Adds a point with the weight h/pi and the kernel; the point on the real axis has half the weight.
  void add_point(const Complex& phi, std::int64_t j) {
    const Ball y = spacing_ * Ball(j);
    const Complex z(c_, y);
    const Ball weight = spacing_ / (Ball::pi() * (j == 0 ? 2 : 1));
    points_.push_back(phi * Complex(weight) / (z * Complex(c_ + 1, y)));
  }

  Ball rule(const Ball& epsilon) const {
    Ball sum(0);
    for (std::size_t j = 0; j < points_.size(); ++j) {
      stop_if_asked();
      const Ball angle = spacing_ * Ball(static_cast<std::int64_t>(j)) * epsilon;
      sum += points_[j].real() * cos(angle) + points_[j].imaginary() * sin(angle);
    }
    return sum;
  }

  // Applies Lemmas K2 and K3, with X = 2 pi/h.
  Ball copies(const Ball& epsilon) const {
    const Ball period = 2 * Ball::pi() / spacing_;
    const Ball factor = rival_ * log(rival_) - (rival_ + 1) * log(rival_ + 1);
    const Ball above = exp(log_rival_ - rival_ * epsilon + factor) / expm1((rival_ - c_) * period);
    return 1 / expm1(c_ * period) + above;
  }

  long bits_;
  Ball c_, rival_, spacing_;
  Ball log_moment_, log_rival_;  // K(c), K(c')
  Ball beyond_;
  std::vector<Complex> points_;
};

}  // namespace
}  // namespace contour_file

std::unique_ptr<Law> contour_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point,
                                 double tolerance, Route route) {
  return contour_law_within(usual_work, steps, direction, operating_point, tolerance, route);
}

std::unique_ptr<Law> contour_law_within(double most_work, const Steps& steps, Direction direction,
                                        const OperatingPoint& operating_point, double tolerance, Route route) {
  const double share = tolerance / 8;
  const Line line = choose_line(steps, direction, operating_point, share, route);
  if (!(line.c > 0 && line.rival > line.c && line.spacing > 0 && line.spread > 0)) return nullptr;
  const double digits = line.log_size - std::log(share);
  const auto end = contour_file::find_end(steps, direction, line, digits, most_work);
  if (!end) return nullptr;
  const LineMoments moments = moments_on_line(steps, direction, line, end->points + 1, digits);
  return contour_law_on(line, moments, log_moment_at(steps, direction, line.rival, digits), end->beyond);
}

std::unique_ptr<Law> contour_law_on(const Line& line, const LineMoments& moments, const Ball& log_rival,
                                    const Ball& beyond) {
  return std::make_unique<contour_file::ContourLaw>(line, moments, log_rival, beyond);
}

namespace contour_file {
namespace {

// Moments have an accuracy of exp(-chernoff_digits), whatever the counts.
constexpr double chernoff_digits = 40;
// Farther out a moment takes too long; any c gives a bound.
constexpr double largest_c = 1e5;

class ChernoffLaw final : public Law {
 public:
  ChernoffLaw(Ball c, Ball log_moment) : c_(std::move(c)), log_moment_(std::move(log_moment)) {}

  // Applies Lemma K2.
  Ball delta(const Ball& epsilon) const override {
    const Ball factor = c_ * log(c_) - (c_ + 1) * log(c_ + 1);
    const Ball bound = exp(log_moment_ - c_ * epsilon + factor).upper();
    return bound.is_finite() ? Ball::hull(0, min(bound, Ball(1))) : Ball::hull(0, 1);
  }

  std::string method() const override { return "Chernoff bound"; }

 private:
  Ball c_;
  Ball log_moment_;
};

}  // namespace
}  // namespace contour_file

std::unique_ptr<Law> chernoff_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point) {
  const double c =
      std::min({operating_point.saddle, contour_file::largest_c, contour_file::farthest_point(steps, direction)});
  return std::make_unique<contour_file::ChernoffLaw>(c,
                                                     log_moment_at(steps, direction, c, contour_file::chernoff_digits));
}

}  // namespace renyi::certify
