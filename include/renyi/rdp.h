// The Renyi divergences of a plan, and the bound on epsilon or delta that they prove.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// One of the published ways to evaluate a sampled Gaussian (renyi/papers/sampled_gaussian.h).
enum class SampledGaussianMethod;

struct RdpOptions {
  std::optional<Direction> direction{};           // nothing: the larger of the two
  std::optional<SampledGaussianMethod> method{};  // how sampled-Gaussian steps are evaluated; nothing: by quadrature
};

// The plan satisfies (order, upper)-RDP at each of these orders, which are from 1 to largest_order, or infinite.
//
//     const std::vector<double> orders{2, 4.5, 64};
//     renyi::rdp(plan, orders)[0].upper();  // the plan is (2, that)-RDP
[[nodiscard]] std::vector<Bounded> rdp(const Analysis& analysis, std::span<const double> orders,
                                       const RdpOptions& options = {});

// How an order and its divergence become (epsilon, delta); docs/math/conversion.md.
enum class Conversion {
  tight,            // Canonne, Kamath, Steinke 2020, Proposition 12
  classical,        // Mironov 2017, Proposition 3
  pure,             // order infinity: the supremum of the loss
  total_variation,  // delta(0) <= sqrt(1 - exp(-D_1)), Bretagnolle and Huber
};
[[nodiscard]] std::string_view to_string(Conversion conversion) noexcept;

struct ConversionOptions {
  Conversion conversion = Conversion::tight;  // tight or classical
  // Only these orders are tried (each is above 1, and inf is allowed); nothing: all real orders.
  std::optional<std::vector<double>> orders{};
};

// The orders of the first moments accountants.
[[nodiscard]] std::span<const double> traditional_orders() noexcept;

// What the Renyi divergences prove of an epsilon, or of a delta, whichever was asked for.
struct RenyiBound {
  double upper = 0;  // an upper bound; it may be infinite
  double order = 1;  // the order that gave it
  Conversion conversion = Conversion::tight;
  // The probability of an infinite loss, which no order can bound. It is part of delta, and only the rest of delta is
  // left to the order (docs/math/infinite-loss.md).
  double infinite_mass = 0;
  std::optional<SampledGaussianMethod> method{};  // where one was asked for by name
};

}  // namespace renyi
