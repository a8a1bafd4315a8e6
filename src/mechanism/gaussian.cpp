// Gaussian mechanism: D_a = a/(2 m^2) with m = stddev / l2_sensitivity
// (docs/math/closed-form-curves.md, "Gaussian").
#include "mechanism/gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace mechanism {

namespace gaussian_file {
namespace {
constexpr double gaussian_ulps = 8;  // for the division, square, product and sum

// K(c+iy) - K(c) = rate (i y (2c+1) - y^2).
class GaussianLine final : public VerticalLine {
 public:
  GaussianLine(double rate, double c) : rate_(rate), c_(c) {}

  ComplexLogMoment log_phi(double y) const override {
    const std::complex<double> value(-rate_ * y * y, rate_ * y * (2 * c_ + 1));
    return {value, gaussian_ulps * numerics::unit_roundoff * std::abs(value)};
  }
  double decay_beyond(double y) const override {
    return -rate_ * y * y * (1 - gaussian_ulps * numerics::unit_roundoff);
  }
  double cost(double) const override { return 1; }

 private:
  double rate_;
  double c_;
};

}  // namespace
}  // namespace gaussian_file

GaussianCurve::GaussianCurve(const NormalShift& noise, Knowledge knowledge)
    : noise_(noise), rate_(0.5 / (noise.stddev / noise.shift) / (noise.stddev / noise.shift)), knowledge_(knowledge) {}

Growth GaussianCurve::growth() const { return {0, with_relative_error(rate_, gaussian_file::gaussian_ulps).upper()}; }

LogMoment GaussianCurve::at(double z) const {
  return with_relative_error(rate_ * z * (z + 1), rate_ * (2 * z + 1), 2 * rate_, gaussian_file::gaussian_ulps);
}

ComplexLogMoment GaussianCurve::at(std::complex<double> z) const {
  const std::complex<double> value = rate_ * z * (z + 1.0);
  return {value, gaussian_file::gaussian_ulps * numerics::unit_roundoff * std::abs(value)};
}

Bounded GaussianCurve::supremum() const { return {std::numeric_limits<double>::infinity(), 0}; }

std::unique_ptr<const VerticalLine> GaussianCurve::line_at(double c, Direction) const {
  return std::make_unique<gaussian_file::GaussianLine>(rate_, c);
}

// K(a-1) = -rate a (1-a).
Bounded GaussianCurve::chernoff_of(double a) const {
  return with_relative_error(rate_ * a * (1 - a), gaussian_file::gaussian_ulps);
}

// The loss is normal: mean rate, variance 2 rate.
Cumulants GaussianCurve::cumulants_of() const {
  const double error = gaussian_file::gaussian_ulps * numerics::unit_roundoff * rate_;
  return {.mean = rate_, .mean_error = error, .variance = 2 * rate_, .variance_error = 2 * error};
}

namespace gaussian_file {
namespace {

// Gaussian noise of standard deviation `stddev` on a query with L2 sensitivity `l2_sensitivity`.
struct Gaussian {
  double stddev = 1;
  double l2_sensitivity = 1;

  static constexpr std::string_view kind = "gaussian";
  static constexpr std::string_view summary = "Gaussian noise on a query of bounded L2 sensitivity";
  static std::span<const Parameter> parameters();
  static std::span<const Alias> aliases();  // noise_multiplier
  static constexpr auto fields = std::tuple{&Gaussian::stddev, &Gaussian::l2_sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<Gaussian> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Gaussian&) const = default;
};

std::span<const Parameter> Gaussian::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "stddev",
       .meaning = "standard deviation of the noise",
       .lowest = 1e-50,
       .highest = 1e50,
       .effect = Effect::lowers_cost},
      {.name = "l2_sensitivity",
       .meaning = "how far one record moves the query in L2 norm",
       .lowest = 1e-50,
       .highest = 1e50,
       .fallback = 1.0,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::span<const Alias> Gaussian::aliases() {
  static constexpr std::array<Alias, 1> table{{{"noise_multiplier", "stddev", "l2_sensitivity"}}};
  return table;
}

std::shared_ptr<const Curve> Gaussian::curve() const {
  return std::make_shared<GaussianCurve>(NormalShift{l2_sensitivity, stddev});
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<Gaussian> Gaussian::for_group(double size) const { return Gaussian{stddev, grown(l2_sensitivity, size)}; }

Notes Gaussian::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, where some pair of neighbours is as far apart as the sensitivity",
          .bound = "",
          .references = {reference::mironov2017, reference::balle_wang2018}};
}

}  // namespace
}  // namespace gaussian_file

Mechanism gaussian_step(double stddev, double l2_sensitivity) {
  return made(gaussian_file::Gaussian{stddev, l2_sensitivity});
}

Mechanism rounded_gaussian(double noise_multiplier, double sensitivity, double share) {
  const Parameter& range = gaussian_file::Gaussian::parameters()[1];
  const double most = std::max(range.lowest, sensitivity), least = numerics::next_down(most * (1 - share));
  Mechanism rounded_up = gaussian_step(noise_multiplier, most);
  if (share == 0 || !range.allows(least)) return rounded_up;
  return rounded_up.with_optimistic(gaussian_step(noise_multiplier, least));
}

Mechanism gaussian_with_sensitivity(double noise_multiplier, const SquaredSensitivity& squared) {
  const double least = gaussian_file::Gaussian::parameters()[1].lowest;
  const double sensitivity = std::max(least, numerics::sqrt_up(squared.upper));
  if (!squared.attained) {
    const auto step = gaussian_dp_step(numerics::quotient_up(sensitivity, noise_multiplier));
    if (step) return *step;
  }
  const bool exact = squared.rounding == 0 && std::fma(sensitivity, sensitivity, -squared.upper) == 0;
  return rounded_gaussian(noise_multiplier, sensitivity, exact ? 0 : squared.rounding + 4 * numerics::unit_roundoff);
}

}  // namespace mechanism

Mechanism table::gaussian() { return mechanism::made(mechanism::gaussian_file::Gaussian{}); }

}  // namespace renyi
