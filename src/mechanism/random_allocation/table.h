// The density of x = ln R at equally spaced nodes, and the part of them that one order needs
// (docs/math/random-allocation.md, "One table for all orders").
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "mechanism/random_allocation/density.h"

namespace renyi::random_allocation {

// Nodes x = (first + i) step with ln of the density there; what lies outside is negligible.
struct Window {
  std::int64_t first = 0;
  double step = 0;
  std::vector<double> log_density{};

  double x(std::size_t i) const { return static_cast<double>(first + static_cast<std::int64_t>(i)) * step; }
};

// Fills itself as nodes are needed. Safe to use from several threads.
class Table {
 public:
  Table(double steps, double s);
  // Nodes for functions of x whose moments decay as those of R do with `smoothness` in place of s sqrt(steps).
  Table(double steps, double s, double smoothness);

  // Returns the nodes that moments of order `power` of R need, centred ones included; std::nullopt if they are too
  // many.
  std::optional<Window> window(double power) const;
  // Returns the nodes from where the density is negligible on the left up to x = `last`; std::nullopt if they are too
  // many.
  std::optional<Window> window_to(double last) const;

  double step() const { return step_; }

 private:
  double log_density(std::int64_t node) const;
  // Returns whether the terms between x and a little beyond the peak are negligible compared with exp(level).
  bool is_small_beyond(double x, double peak, double power, double level) const;

  double steps_;
  double s_;
  double step_;
  mutable std::mutex mutex_{};
  mutable Density density_;
  mutable std::vector<double> right_{};  // nodes 0, 1, 2, ...
  mutable std::vector<double> left_{};   // nodes -1, -2, ...
};

}  // namespace renyi::random_allocation
