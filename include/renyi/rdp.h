// The Renyi divergences of a plan, and the bound on epsilon or delta that they prove.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// A published method to compute the divergence of the sampled Gaussian mechanism (renyi/papers/sampled_gaussian.h).
enum class SampledGaussianMethod;

// Options of `rdp`.
struct RdpOptions {
  std::optional<Direction> direction{};           // the direction; if not set, the larger of the two
  std::optional<SampledGaussianMethod> method{};  // for sampled Gaussian steps; quadrature if not set
};

// Computes the Renyi divergence of the plan at each of the orders, which are from 1 to largest_order (1e100), or
// infinite. The plan satisfies (order, upper())-RDP at each of them. Throws InvalidArgument if an order is out of
// range.
//
//     const std::vector<double> orders{2, 4.5, 64};
//     renyi::rdp(plan, orders)[0].upper();  // the plan satisfies (2, this)-RDP
//     renyi::rdp(plan, 2).upper();          // the same for one order
[[nodiscard]] std::vector<Bounded> rdp(const Analysis& analysis, std::span<const double> orders,
                                       const RdpOptions& options = {});
[[nodiscard]] Bounded rdp(const Analysis& analysis, double order, const RdpOptions& options = {});

// The theorem that converts the Renyi divergence of one order to (epsilon, delta); see docs/math/conversion.md.
enum class Conversion {
  tight,            // Canonne, Kamath, Steinke 2020, Proposition 12
  classical,        // Mironov 2017, Proposition 3
  pure,             // order infinity: the supremum of the privacy loss
  total_variation,  // delta(0) <= sqrt(1 - exp(-D_1)), Bretagnolle and Huber
};
// Returns "tight", "classical", "pure" or "total-variation".
[[nodiscard]] std::string_view to_string(Conversion conversion) noexcept;

// Options of the Renyi bound.
//
//     renyi::epsilon(plan, 1e-5, {.conversion = {.orders = std::vector<double>{2, 4, 8}}});
struct ConversionOptions {
  Conversion conversion = Conversion::tight;  // tight or classical
  // The only orders to try (each is above 1, and inf is allowed). If not set, all real orders are tried.
  std::optional<std::vector<double>> orders{};
};

// Returns the list of orders that the first implementations of the moments accountant used.
[[nodiscard]] std::span<const double> traditional_orders() noexcept;

// The upper bound on epsilon, or on delta, that the Renyi divergences prove.
struct RenyiBound {
  double upper = std::numeric_limits<double>::infinity();  // the upper bound; by default none is known
  double order = 1;                                        // the order at which the bound is smallest
  Conversion conversion = Conversion::tight;
  // The probability of an infinite privacy loss, which the divergence of no order above 1 bounds. It is a part of
  // delta; the bound above uses only the rest of delta (docs/math/infinite-loss.md).
  double infinite_mass = 0;
  std::optional<SampledGaussianMethod> method{};  // the method, if the options requested one
};

}  // namespace renyi
