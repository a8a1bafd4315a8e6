#include "mechanism/random_allocation/cut_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/random_allocation/line.h"
#include "mechanism/random_allocation/moments.h"
#include "mechanism/random_allocation/rare_losses.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::random_allocation {

namespace cut_curve_file {
namespace {

// The width of the cut, over 1/(s sqrt(t)): wider cuts leave more of the tail, narrower ones need more nodes.
constexpr double width = 0.6;
// Terms below exp(-negligible) of the largest are left out.
constexpr double negligible = 45;
// The cut is moved right in steps of its width times this, at most so many times.
constexpr double stride = 0.25;
constexpr int most_strides = 200;

// Returns ln Pr[Z > u].
double log_normal_tail(double u) {
  if (u < 30) return std::log(0.5 * std::erfc(u / std::numbers::sqrt2));
  return -0.5 * u * u - std::log(u * std::sqrt(2 * std::numbers::pi)) + std::log1p(-1 / (u * u));
}

}  // namespace
}  // namespace cut_curve_file

CutCurve::CutCurve(std::shared_ptr<const Curve> whole, double steps, double s)
    : whole_(std::move(whole)),
      steps_(steps),
      s_(s),
      width_(cut_curve_file::width / (s * std::sqrt(steps))),
      smoothness_(std::sqrt(s * s * steps + 1 / (width_ * width_))),
      table_(steps, s, smoothness_) {}

std::shared_ptr<const CutCurve> CutCurve::without(std::shared_ptr<const Curve> whole, double steps, double s,
                                                  double most) {
  auto curve = std::make_shared<CutCurve>(std::move(whole), steps, s);
  if (!curve->cut(most)) return nullptr;
  return curve;
}

// Half of the mass may lie beyond the last node; the other half is what w takes before it.
bool CutCurve::cut(double most) {
  const double last = rarely_exceeded(steps_, s_, 0.5 * most);
  const auto nodes = table_.window_to(last + 1.01 * table_.step());
  if (!nodes) return false;
  const std::size_t n = nodes->log_density.size();
  centre_ = last;
  for (int i = 0; i < cut_curve_file::most_strides; ++i, centre_ += cut_curve_file::stride * width_) {
    double taken = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double x = nodes->x(j), off = (centre_ - x) / width_;
      taken += std::exp(nodes->log_density[j] + x) * 0.5 * std::erfc(off / std::numbers::sqrt2);
    }
    taken *= nodes->step;
    if (!(taken <= 0.49 * most)) continue;
    lost_ = numerics::next_up(0.5 * most + 1.0001 * taken);
    return true;
  }
  return false;
}

double CutCurve::log_weight(double x) const { return cut_curve_file::log_normal_tail((x - centre_) / width_); }

std::optional<Window> CutCurve::window(double z) const {
  // Right of the centre, w exp(zx) falls once x - centre > z width^2, by more than exp(-u^2/2) at u widths further.
  const double power = z + 1;
  const double reach = power * width_ + std::sqrt(power * power * width_ * width_ + 2 * cut_curve_file::negligible);
  auto window = table_.window_to(centre_ + reach * width_);
  if (!window) return std::nullopt;
  for (std::size_t i = 0; i < window->log_density.size(); ++i) window->log_density[i] += log_weight(window->x(i));
  return window;
}

Bounded CutCurve::max_loss_at(Direction) const { return {std::numeric_limits<double>::infinity(), 0}; }

LogMoment CutCurve::real_at(double z, Direction direction) const {
  if (direction == Direction::add) return whole_->log_moment(z, direction);
  if (const auto known = memory_.find(z, direction)) return *known;
  LogMoment k;
  if (const auto nodes = window(z)) {
    k = moment_of(*nodes, z, direction, s_);
    k.error += defect(z);
    k.slope_error += 2 * lost_ + std::abs(k.slope) * defect(z);
  }
  if (!(std::isfinite(k.value) && std::isfinite(k.error))) {
    // Between 0, up to the mass that is missing, and the moment of the whole curve.
    const LogMoment all = whole_->log_moment(z, direction);
    const double upper = all.value + all.error;
    k = {.value = 0.5 * upper,
         .error = 0.5 * upper + 2 * lost_,
         .slope = all.slope,
         .slope_error = all.slope + all.slope_error,
         .curvature = all.curvature};
  }
  memory_.keep(z, direction, k);
  return k;
}

std::unique_ptr<const VerticalLine> CutCurve::line_at(double c, Direction direction) const {
  if (direction == Direction::add) return whole_->line(c, direction);
  const auto nodes = window(c);
  if (!nodes) throw NotConverged("random allocation: the nodes of a vertical line");
  return std::make_unique<Line>(*nodes, c, direction, real_at(c, direction), smoothness_,
                                density_error(*nodes, s_) + 2 * defect(c));
}

ComplexLogMoment CutCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (direction == Direction::add) return whole_->log_moment(z, direction);
  const LogMoment base = real_at(z.real(), direction);
  const ComplexLogMoment phi = line_at(z.real(), direction)->log_phi(std::abs(z.imag()));
  if (!std::isfinite(phi.error)) {
    throw Unsupported("z", fmt::format("at imaginary part {} the moment is lost in rounding", z.imag()),
                      "use a smaller imaginary part");
  }
  const std::complex<double> off = z.imag() < 0 ? std::conj(phi.value) : phi.value;
  return {base.value + off, base.error + phi.error + std::abs(z.imag()) * base.slope_error};
}

}  // namespace renyi::random_allocation
