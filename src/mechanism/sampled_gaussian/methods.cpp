#include "mechanism/sampled_gaussian/methods.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/sampled_gaussian.h"

namespace renyi {

namespace {

struct NamedMethod {
  SampledGaussianMethod method;
  std::string_view name;
};
constexpr std::array<NamedMethod, 4> method_names{{
    {SampledGaussianMethod::quadrature, "quadrature"},
    {SampledGaussianMethod::integer, "integer"},
    {SampledGaussianMethod::series, "series"},
    {SampledGaussianMethod::closed_form, "closed-form"},
}};

Bounded by_quadrature(const SampledGaussian& mechanism, double order, Direction direction) {
  const auto curve = mechanism.curve();
  if (std::isinf(order)) return curve->max_loss(direction);
  const double z = order - 1;
  const LogMoment k = curve->log_moment(z, direction);
  if (z == 0) return {k.slope, k.slope_error};
  return {k.value / z, k.error / z + 2 * numerics::unit_roundoff * (k.value / z)};
}

void require_remove(Direction direction, SampledGaussianMethod method) {
  if (direction == Direction::remove) return;
  throw Unsupported("direction", fmt::format("the {} method covers direction remove only", to_string(method)),
                    "use method quadrature, which covers both");
}

}  // namespace

std::string_view to_string(SampledGaussianMethod method) noexcept {
  for (const auto& row : method_names) {
    if (row.method == method) return row.name;
  }
  return "unknown";
}

std::optional<SampledGaussianMethod> sampled_gaussian_method_from(std::string_view text) noexcept {
  for (const auto& row : method_names) {
    if (row.name == text) return row.method;
  }
  return std::nullopt;
}

Bounded sampled_gaussian_divergence(const SampledGaussian& mechanism, double order, Direction direction,
                                    SampledGaussianMethod method) {
  const Mechanism checked = mechanism;  // throws on parameters out of range
  if (!(order >= 1)) throw InvalidArgument("order", fmt::format("{}", order), "a number of at least 1, or inf");
  if (method == SampledGaussianMethod::quadrature) return by_quadrature(mechanism, order, direction);
  require_remove(direction, method);
  if (method == SampledGaussianMethod::closed_form) return sampled_gaussian::by_closed_form(mechanism, order);
  // Without sampling, or without a sample, there is nothing to sum.
  if (mechanism.sampling_rate == 0 || mechanism.sampling_rate == 1) return by_quadrature(mechanism, order, direction);
  return method == SampledGaussianMethod::integer ? sampled_gaussian::by_integer_sum(mechanism, order)
                                                  : sampled_gaussian::by_series(mechanism, order);
}

}  // namespace renyi
