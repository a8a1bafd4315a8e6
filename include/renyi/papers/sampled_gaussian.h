// The Renyi divergence of the sampled Gaussian mechanism by each published method, for comparison. By default,
// accounting uses Mechanism(SampledGaussian{...}).curve(), which is quadrature and supports every order.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"
#include "renyi/mechanism.h"

namespace renyi {

// The published methods (docs/math/sampled-gaussian.md). q is the sampling rate, s the noise multiplier, a the order.
enum class SampledGaussianMethod {
  quadrature,   // numerical integration: every order, both directions
  integer,      // the binomial sum: whole orders >= 2, direction remove
  series,       // Mironov, Talwar, Zhang 2019, section 3.3: orders > 1, direction remove
  closed_form,  // the bound 2 q^2 a / s^2 of their Theorem 11, under its conditions
};
// Returns the name of the method.
[[nodiscard]] std::string_view to_string(SampledGaussianMethod method) noexcept;
inline constexpr std::array all_sampled_gaussian_methods{SampledGaussianMethod::quadrature,
                                                         SampledGaussianMethod::integer, SampledGaussianMethod::series,
                                                         SampledGaussianMethod::closed_form};

// Computes the Renyi divergence of one step at `order` by the given method. Throws Unsupported if the method does not
// apply (for the closed form, the error names the condition that fails), and NotConverged if the method does not reach
// its accuracy.
//
//     const renyi::SampledGaussian step{.sampling_rate = 0.01, .noise_multiplier = 1.1};
//     renyi::sampled_gaussian_divergence(step, 8, renyi::Direction::remove, renyi::SampledGaussianMethod::series);
[[nodiscard]] Bounded sampled_gaussian_divergence(const SampledGaussian& mechanism, double order, Direction direction,
                                                  SampledGaussianMethod method);

// Returns the first condition of Theorem 11 that fails at this order, as text with its numbers, or an empty text if all
// conditions hold.
[[nodiscard]] std::string closed_form_obstacle(const SampledGaussian& mechanism, double order);

// Theorem 11 applies to the orders in (1, order] and to no others.
struct ClosedFormEnd {
  double order = 1;       // 1 if it applies to no order; infinite if it applies to all
  std::string condition;  // the first condition that fails above this order
};
// Returns the orders to which Theorem 11 applies.
[[nodiscard]] ClosedFormEnd closed_form_end(const SampledGaussian& mechanism);

}  // namespace renyi
