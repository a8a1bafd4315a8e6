// delta(epsilon) = (1/pi) integral over y > 0 of Re exp(K(z) - z epsilon)/(z (z+1)), z = c + iy, by the trapezoidal
// rule: its aliases, its truncation and its rounding are all proven (docs/math/certified-contour.md).
#include "certify/exact/contour.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "certify/exact/truncation.h"

namespace renyi::certify {
namespace {

constexpr double most_points = 2e5;  // with the usual work
// Bounds of |phi| are rough.
constexpr long decay_bits = 64;
constexpr double stride = 1.15;
constexpr int most_strides = 120;

struct End {
  long points = 0;  // besides the one on the real axis
  Ball beyond;      // relative to exp(K(c) - c epsilon)
};

// The first end of the line whose rest is proven to be below exp(-digits), if the work up to there is within the
// budget.
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
  // The weight h/pi and the kernel; half of it on the real axis.
  void add_point(const Complex& phi, std::int64_t j) {
    const Ball y = spacing_ * Ball(j);
    const Complex z(c_, y);
    const Ball weight = spacing_ / (Ball::pi() * (j == 0 ? 2 : 1));
    points_.push_back(phi * Complex(weight) / (z * Complex(c_ + 1, y)));
  }

  Ball rule(const Ball& epsilon) const {
    Ball sum(0);
    for (std::size_t j = 0; j < points_.size(); ++j) {
      const Ball angle = spacing_ * Ball(static_cast<std::int64_t>(j)) * epsilon;
      sum += points_[j].real() * cos(angle) + points_[j].imaginary() * sin(angle);
    }
    return sum;
  }

  // Lemmas K2 and K3, with X = 2 pi/h.
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

std::unique_ptr<Law> contour_law(const Steps& steps, Direction direction, const Place& place, double tolerance,
                                 Route route) {
  return contour_law_within(usual_work, steps, direction, place, tolerance, route);
}

std::unique_ptr<Law> contour_law_within(double most_work, const Steps& steps, Direction direction, const Place& place,
                                        double tolerance, Route route) {
  const double share = tolerance / 8;
  const Line line = choose_line(steps, direction, place, share, route);
  if (!(line.c > 0 && line.rival > line.c && line.spacing > 0 && line.spread > 0)) return nullptr;
  const double digits = line.log_size - std::log(share);
  const auto end = find_end(steps, direction, line, digits, most_work);
  if (!end) return nullptr;
  const LineMoments moments = moments_on_line(steps, direction, line, end->points + 1, digits);
  return contour_law_on(line, moments, log_moment_at(steps, direction, line.rival, digits), end->beyond);
}

std::unique_ptr<Law> contour_law_on(const Line& line, const LineMoments& moments, const Ball& log_rival,
                                    const Ball& beyond) {
  return std::make_unique<ContourLaw>(line, moments, log_rival, beyond);
}

}  // namespace renyi::certify
