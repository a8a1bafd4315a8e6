// From curves to Renyi DP and to (epsilon, delta), and back.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/analysis.h"
#include "renyi/bounded.h"
#include "renyi/extras/curve.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi {

struct RdpOptions {
  std::optional<Direction> direction{};  // nothing: the larger of the two
  // How sampled-Gaussian steps are evaluated; other steps have one way.
  SampledGaussianMethod method = SampledGaussianMethod::quadrature;
};

// The plan's divergence at each order.
std::vector<Bounded> rdp(const Analysis& analysis, std::span<const double> orders, const RdpOptions& options = {});

// How an order and its divergence become (epsilon, delta); docs/math/conversion.md.
enum class Conversion {
  tight,            // Canonne, Kamath, Steinke 2020, Proposition 12
  classical,        // Mironov 2017, Proposition 3
  pure,             // order infinity: the supremum of the loss
  total_variation,  // delta(0) <= sqrt(1 - exp(-D_1)), Bretagnolle and Huber
};
std::string_view to_string(Conversion conversion) noexcept;

// The orders of the first moments accountants.
std::span<const double> traditional_orders() noexcept;

struct ConversionOptions {
  Conversion conversion = Conversion::tight;  // tight or classical
  // Only these orders (each > 1, inf allowed); nothing: all real orders.
  std::optional<std::vector<double>> orders{};
};

struct EpsilonBound {
  double epsilon = 0;  // upper bound; may be infinite
  double order = 1;    // the order that gave it
  Conversion conversion = Conversion::tight;
  // The part of delta that pays for losses that are infinite, which no order can bound: what is left of delta went to
  // the order (docs/math/infinite-loss.md).
  double delta_apart = 0;
};

struct DeltaBound {
  double delta = 1;
  double order = 1;
  Conversion conversion = Conversion::tight;
  double delta_apart = 0;  // within delta
};

// The smallest epsilon the curve proves at `delta` in [0, 1].
EpsilonBound renyi_epsilon(const Curve& curve, double delta, const ConversionOptions& options = {});
EpsilonBound renyi_epsilon(const Analysis& analysis, double delta, const ConversionOptions& options = {});

// The smallest delta the curve proves at `epsilon` in [0, inf].
DeltaBound renyi_delta(const Curve& curve, double epsilon, const ConversionOptions& options = {});
DeltaBound renyi_delta(const Analysis& analysis, double epsilon, const ConversionOptions& options = {});

// The same with sampled-Gaussian steps evaluated by the method, over the orders that it serves; `integer` takes whole
// ones. Throws Unsupported where that is none: for the closed form, where its conditions are not met.
EpsilonBound renyi_epsilon(const Analysis& analysis, double delta, SampledGaussianMethod method,
                           const ConversionOptions& options = {});
DeltaBound renyi_delta(const Analysis& analysis, double epsilon, SampledGaussianMethod method,
                       const ConversionOptions& options = {});

}  // namespace renyi
