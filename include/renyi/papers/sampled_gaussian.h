// The Sampled Gaussian Mechanism by each published method, for comparison.
// Accounting uses SampledGaussian::curve() (quadrature), which serves every order.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"
#include "renyi/mechanism.h"

namespace renyi {

// docs/math/sampled-gaussian.md
enum class SampledGaussianMethod {
  quadrature,   // every order, both directions
  integer,      // whole orders >= 2, direction remove: the binomial sum
  series,       // orders > 1, direction remove: Mironov, Talwar, Zhang 2019, section 3.3
  closed_form,  // the bound 2 q^2 a / s^2 of their Theorem 11, under its conditions
};
std::string_view to_string(SampledGaussianMethod method) noexcept;
inline constexpr std::array all_sampled_gaussian_methods{SampledGaussianMethod::quadrature,
                                                         SampledGaussianMethod::integer, SampledGaussianMethod::series,
                                                         SampledGaussianMethod::closed_form};

// Renyi divergence of one step at `order` by the method. Throws Unsupported when
// the method does not apply (closed form: names the condition that fails) and
// NotConverged when it does not reach its accuracy.
Bounded sampled_gaussian_divergence(const SampledGaussian& mechanism, double order, Direction direction,
                                    SampledGaussianMethod method);

// Theorem 11's conditions at this order: the first that fails, in words with
// numbers, or an empty string when all hold.
std::string closed_form_obstacle(const SampledGaussian& mechanism, double order);

// Theorem 11 serves the orders in (1, order] and no others.
struct ClosedFormEnd {
  double order = 1;       // 1: it serves none; infinite: it serves all
  std::string condition;  // the first condition that fails above it
};
ClosedFormEnd closed_form_end(const SampledGaussian& mechanism);

}  // namespace renyi
