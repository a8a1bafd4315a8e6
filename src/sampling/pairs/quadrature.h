// Integrals over the panels of a cover: the (10, 21) Gauss-Kronrod rule, panels halved until both rules agree
// (docs/math/sampled-pairs.md, "Error estimate").
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "divergence/density/kronrod.h"
#include "numerics/rounding.h"
#include "sampling/pairs/cover.h"

namespace renyi::sampling {

// Several integrands at one point. `size` is at least the modulus of each, up to its own scale: errors are counted
// beside it. `noise` is the rounding error of size.
template <std::size_t n>
struct Terms {
  std::array<double, n> value{};
  std::array<double, n> size{};
  double noise = 0;  // relative, of every size
};

template <std::size_t n>
struct Integrals {
  std::array<double, n> value{};
  std::array<double, n> size{};
  std::array<double, n> error{};  // absolute
};

namespace detail {

constexpr int most_rounds = 12;
constexpr std::size_t most_quadratures = 1 << 16;

template <std::size_t n>
struct PanelIntegrals {
  Panel panel{};
  Integrals<n> sum{};
  std::array<double, n> from_rule{};  // part of the error
};

template <std::size_t n, class Integrand>
PanelIntegrals<n> integrate_panel(const MonotonePair& pair, const Panel& panel, const Integrand& integrand) {
  const double middle = 0.5 * (panel.left + panel.right), half = 0.5 * (panel.right - panel.left);
  PanelIntegrals<n> result{panel};
  std::array<double, n> embedded{};
  for (const auto& node : divergence_detail::kronrod_nodes()) {
    const Terms<n> terms = integrand(pair.at(middle + half * node.at));
    const double weight = half * node.weight, embedded_weight = half * node.embedded_weight;
    for (std::size_t i = 0; i < n; ++i) {
      result.sum.value[i] += weight * terms.value[i];
      result.sum.size[i] += weight * terms.size[i];
      result.sum.error[i] += weight * terms.size[i] * (terms.noise + 32 * numerics::unit_roundoff);
      embedded[i] += embedded_weight * terms.value[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    // The rule of 21 points is off by less than the power 3/2 of what the one of 10 is (Piessens et al. 1983,
    // QUADPACK).
    const double apart = std::abs(result.sum.value[i] - embedded[i]), size = result.sum.size[i];
    const double share = size > 0 ? 200 * apart / size : 0;
    result.from_rule[i] = std::min(apart, size * share * std::sqrt(share));
    result.sum.error[i] += result.from_rule[i];
  }
  return result;
}

}  // namespace detail

// At most this share of an integral lies outside its cover.
constexpr double left_out = 1e-15;

// `tolerance`: of each integral beside its size.
template <std::size_t n, class Integrand>
Integrals<n> integrate(const MonotonePair& pair, const std::vector<Panel>& panels, const Integrand& integrand,
                       double tolerance) {
  std::vector<detail::PanelIntegrals<n>> parts;
  parts.reserve(panels.size());
  for (const Panel& panel : panels) parts.push_back(detail::integrate_panel<n>(pair, panel, integrand));
  Integrals<n> total;
  for (int round = 0;; ++round) {
    total = {};
    for (const auto& part : parts) {
      for (std::size_t i = 0; i < n; ++i) {
        total.value[i] += part.sum.value[i];
        total.size[i] += part.sum.size[i];
        total.error[i] += part.sum.error[i];
      }
    }
    const std::size_t count = parts.size();
    const double share = tolerance / static_cast<double>(count);
    if (round == detail::most_rounds || count > detail::most_quadratures) break;
    for (std::size_t k = 0; k < count; ++k) {
      const auto part = parts[k];
      const auto too_far = [&](std::size_t i) {
        const double rounding = part.sum.error[i] - part.from_rule[i];
        return part.from_rule[i] > share * total.size[i] && part.from_rule[i] > rounding;
      };
      bool split = false;
      for (std::size_t i = 0; i < n; ++i) split = split || too_far(i);
      const double middle = 0.5 * (part.panel.left + part.panel.right);
      if (!split || !(middle > part.panel.left && middle < part.panel.right)) continue;
      parts[k] = detail::integrate_panel<n>(pair, {part.panel.left, middle}, integrand);
      parts.push_back(detail::integrate_panel<n>(pair, {middle, part.panel.right}, integrand));
    }
    if (parts.size() == count) break;
  }
  // Additions, and what the cover leaves out.
  const double rest = static_cast<double>(parts.size()) * numerics::unit_roundoff + left_out;
  for (std::size_t i = 0; i < n; ++i) total.error[i] += rest * total.size[i];
  return total;
}

}  // namespace renyi::sampling
