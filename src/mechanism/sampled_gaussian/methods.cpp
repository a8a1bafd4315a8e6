#include "mechanism/sampled_gaussian/methods.h"

#include <fmt/format.h>

#include "renyi/error.h"
#include "renyi/sampled_gaussian.h"

namespace renyi {

namespace {

Bounded by_quadrature(const SampledGaussian& mechanism, double order, Direction direction) {
  return divergence(*mechanism.curve(), order, direction);
}

void require_remove(Direction direction, SampledGaussianMethod method) {
  if (direction == Direction::remove) return;
  throw Unsupported("direction", fmt::format("the {} method covers direction remove only", to_string(method)),
                    "use method quadrature, which covers both");
}

}  // namespace

std::string_view to_string(SampledGaussianMethod method) noexcept {
  switch (method) {
    case SampledGaussianMethod::quadrature: return "quadrature";
    case SampledGaussianMethod::integer: return "integer";
    case SampledGaussianMethod::series: return "series";
    case SampledGaussianMethod::closed_form: return "closed-form";
  }
  return "unknown";
}

Bounded sampled_gaussian_divergence(const SampledGaussian& mechanism, double order, Direction direction,
                                    SampledGaussianMethod method) {
  const Mechanism checked = mechanism;  // throws on parameters out of range
  check_order(order);
  if (method == SampledGaussianMethod::quadrature) return by_quadrature(mechanism, order, direction);
  require_remove(direction, method);
  if (method == SampledGaussianMethod::closed_form) return sampled_gaussian::by_closed_form(mechanism, order);
  // Without sampling, or without a sample, there is nothing to sum.
  if (mechanism.sampling_rate == 0 || mechanism.sampling_rate == 1) return by_quadrature(mechanism, order, direction);
  return method == SampledGaussianMethod::integer ? sampled_gaussian::by_integer_sum(mechanism, order)
                                                  : sampled_gaussian::by_series(mechanism, order);
}

}  // namespace renyi
