#include "convert/noise.h"

#include <fmt/format.h>

#include "numerics/directed.h"

namespace renyi::convert {
namespace {

double sensitivity(Neighbors neighbors) { return neighbors == Neighbors::replace_one ? 2 : 1; }

}  // namespace

double read_parameter(const json::Field& value, std::string_view name, const Parameter& parameter) {
  const bool allowed = value.value().is_number() && parameter.allows(value.number());
  if (!allowed) value.refuse(fmt::format("as {}: {}", name, parameter.allowed()));
  return value.number();
}

double read_noise(const json::Field& value, std::string_view name, const Parameter& parameter) {
  Parameter with_zero = parameter;
  with_zero.zero_allowed = true;
  return read_parameter(value, name, with_zero);
}

std::optional<Mechanism> gaussian_of(double noise, Neighbors neighbors) {
  if (noise == 0) return std::nullopt;
  return Gaussian{noise, sensitivity(neighbors)};
}

std::optional<Mechanism> laplace_of(double noise, Neighbors neighbors) {
  if (noise == 0) return std::nullopt;
  return Laplace{noise, sensitivity(neighbors)};
}

// The queries f_i / (s_i C_i) side by side have unit noise, and a record moves them by at most
// sqrt(sum 1/s_i^2) (docs/format/convert.md).
double joint_noise_below(std::span<const Part> gaussians) {
  double squares = 0;
  for (const Part& part : gaussians) {
    const double noise = part.mechanism->get_if<Gaussian>()->stddev;
    if (gaussians.size() == 1 && part.count == 1) return noise;
    const double inverse = numerics::quotient_up(1, noise);
    const double square = numerics::product_up(inverse, inverse);
    squares = numerics::sum_up(squares, numerics::product_up(numerics::count_up(part.count), square));
  }
  return numerics::quotient_down(1, numerics::sqrt_up(squares));
}

}  // namespace renyi::convert
