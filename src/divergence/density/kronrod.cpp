#include "divergence/density/kronrod.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace renyi::divergence_detail {
namespace kronrod_file {
namespace {

using Rule = boost::math::quadrature::gauss_kronrod<double, 21>;
using Embedded = boost::math::quadrature::gauss<double, 10>;

// The rule stores only the nodes that are >= 0, the centre first.
std::array<Node, node_count> make_nodes() {
  const auto& x = Rule::abscissa();
  const auto& w = Rule::weights();
  const auto& g = Embedded::weights();
  std::array<Node, node_count> nodes{};
  for (std::size_t i = 0; i < 11; ++i) {
    // Gauss's points are every second one of Kronrod's.
    const double embedded = i % 2 == 1 ? g[i / 2] : 0;
    nodes[10 - i] = {-x[i], w[i], embedded};
    nodes[10 + i] = {x[i], w[i], embedded};
  }
  for (Node& node : nodes) {
    double product = 1;
    for (const Node& other : nodes) product *= &other == &node ? 1 : 2 * (node.at - other.at);
    node.barycentric = 1 / product;
  }
  return nodes;
}

}  // namespace
}  // namespace kronrod_file

const std::array<Node, node_count>& kronrod_nodes() {
  static const std::array<Node, node_count> nodes = kronrod_file::make_nodes();
  return nodes;
}

double interpolated(const std::array<double, node_count>& values, double t) {
  const auto& nodes = kronrod_nodes();
  double above = 0, below = 0;
  for (std::size_t i = 0; i < node_count; ++i) {
    const double share = nodes[i].barycentric / (t - nodes[i].at);
    above += share * values[i];
    below += share;
  }
  return above / below;
}

}  // namespace renyi::divergence_detail
