// The nodes of the (10, 21) Gauss-Kronrod rule, and the polynomial through values at them.
#pragma once

#include <array>

namespace renyi::divergence_detail {

struct Node {
  double at = 0, weight = 0, embedded_weight = 0;  // the embedded rule is Gauss's
  double barycentric = 0;
};
constexpr std::size_t node_count = 21;

// Returns the nodes in ascending order on (-1, 1).
const std::array<Node, node_count>& kronrod_nodes();
// Every weight of the rule is below this.
constexpr double largest_weight = 0.15;

// Returns the value of the polynomial at t, which must not be a node.
double interpolated(const std::array<double, node_count>& values, double t);

}  // namespace renyi::divergence_detail
