#include "mechanism/random_allocation/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/curve.h"
#include "mechanism/random_allocation/line.h"
#include "mechanism/random_allocation/moments.h"
#include "mechanism/replacement_steps.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi::random_allocation {

using numerics::unit_roundoff;

namespace curve_file {
namespace {

double power_of(double z, Direction direction) { return direction == Direction::remove ? z + 1 : -z; }

// A moment between two bounds.
LogMoment between(double lower, double upper, double slope, double slope_error, double curvature) {
  return {.value = 0.5 * (lower + upper),
          .error = 0.5 * (upper - lower) + 16 * unit_roundoff * upper,
          .slope = slope,
          .slope_error = slope_error,
          .curvature = curvature};
}

// A line beyond the table: nothing but its decay is known, so that engines refuse it.
class UnknownLine final : public VerticalLine {
 public:
  explicit UnknownLine(double smoothness) : smoothness_(smoothness) {}
  ComplexLogMoment log_phi(double y) const override {
    return {{decay_beyond(y), 0}, std::numeric_limits<double>::infinity()};
  }
  double decay_beyond(double y) const override { return -0.49 * (y / smoothness_) * (y / smoothness_); }
  double cost(double) const override { return 1e12; }

 private:
  double smoothness_;
};

}  // namespace
}  // namespace curve_file

RandomAllocationCurve::RandomAllocationCurve(double steps, double noise_multiplier)
    : steps_(steps), s_(noise_multiplier), table_(steps, noise_multiplier) {}

// D_a <= a/(2 s^2), the divergence of one Gaussian step (joint convexity).
Growth RandomAllocationCurve::growth() const { return {0, 0.5 / (s_ * s_) * (1 + 8 * unit_roundoff)}; }

Bounded RandomAllocationCurve::max_loss_at(Direction) const { return {std::numeric_limits<double>::infinity(), 0}; }

// docs/math/random-allocation.md, "Bounds for all orders".
LogMoment RandomAllocationCurve::far_out(double z, Direction direction) const {
  const double rate = 0.5 / (s_ * s_);
  if (direction == Direction::remove) {
    const double upper = rate * z * (z + 1), log_t = std::log(steps_);
    return curve_file::between(std::max(0.0, upper - z * log_t), upper, rate * (2 * z + 1) - 0.5 * log_t,
                               0.5 * log_t + rate, 2 * rate);
  }
  const double lower = rate * z * z / steps_;
  return curve_file::between(lower, lower + rate * z, 2 * rate * z / steps_ + 0.5 * rate, rate, 2 * rate / steps_);
}

LogMoment RandomAllocationCurve::real_at(double z, Direction direction) const {
  if (const auto known = memory_.find(z, direction)) return *known;
  const LogMoment k = summed(z, direction);
  memory_.keep(z, direction, k);
  return k;
}

LogMoment RandomAllocationCurve::summed(double z, Direction direction) const {
  const auto window = table_.window(curve_file::power_of(z, direction));
  if (!window) return far_out(z, direction);
  const LogMoment k = moment_of(*window, z, direction, s_);
  return std::isfinite(k.value) && std::isfinite(k.error) ? k : far_out(z, direction);
}

std::unique_ptr<const VerticalLine> RandomAllocationCurve::line_at(double c, Direction direction) const {
  const auto window = table_.window(curve_file::power_of(c, direction));
  const double smoothness = s_ * std::sqrt(steps_);
  if (!window) return std::make_unique<curve_file::UnknownLine>(smoothness);
  return std::make_unique<Line>(*window, c, direction, real_at(c, direction), smoothness, density_error(*window, s_));
}

ComplexLogMoment RandomAllocationCurve::complex_at(std::complex<double> z, Direction direction) const {
  const LogMoment base = real_at(z.real(), direction);
  const ComplexLogMoment phi = line_at(z.real(), direction)->log_phi(std::abs(z.imag()));
  if (!std::isfinite(phi.error)) {
    throw Unsupported("z", fmt::format("at imaginary part {} the moment is lost in rounding", z.imag()),
                      "use a smaller imaginary part");
  }
  const std::complex<double> off = z.imag() < 0 ? std::conj(phi.value) : phi.value;
  return {base.value + off, base.error + phi.error + std::abs(z.imag()) * base.slope_error};
}

Bounded RandomAllocationCurve::chernoff_at(double a, Direction direction) const {
  const auto window = table_.window(1);
  if (!window) throw NotConverged("random allocation: the density of the privacy loss");
  return chernoff_of(*window, a, direction, s_);
}

Cumulants RandomAllocationCurve::cumulants_at(Direction direction) const {
  const auto window = table_.window(1);
  if (!window) throw NotConverged("random allocation: the density of the privacy loss");
  const LogMoment at_zero = real_at(0, direction);
  return cumulants_of(*window, {at_zero.slope, at_zero.slope_error}, direction, s_);
}

}  // namespace renyi::random_allocation

namespace renyi::mechanism {

std::optional<Mechanism> random_allocation_step(std::string name, double steps, double noise_multiplier) {
  using namespace random_allocation;
  if (!(steps >= 2 && steps <= most_steps && noise_multiplier >= least_noise && noise_multiplier <= most_noise))
    return std::nullopt;
  return CustomMechanism(std::move(name), std::make_shared<RandomAllocationCurve>(steps, noise_multiplier));
}

}  // namespace renyi::mechanism
