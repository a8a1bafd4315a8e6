#include "divergence/density/quadrature.h"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::divergence_detail {
namespace {

using Rule = boost::math::quadrature::gauss_kronrod<double, 21>;
using Embedded = boost::math::quadrature::gauss<double, 10>;

constexpr std::size_t most_pieces = 6000;
constexpr long double enough = 1e-14L;  // relative to the integral

struct Piece {
  double low = 0, high = 0;
  double value = 0;
  double gap = 0;    // between the two rules: far more than the error of the better one where f is smooth
  double noise = 0;  // what no refinement removes
  bool infinite = false;
};

// Nodes ascend from low to high; the rule stores the half that is >= 0, its centre first.
struct Node {
  double at = 0, weight = 0, embedded_weight = 0;
};
std::array<Node, 21> make_nodes() {
  const auto& x = Rule::abscissa();
  const auto& w = Rule::weights();
  const auto& g = Embedded::weights();
  std::array<Node, 21> nodes{};
  for (std::size_t i = 0; i < 11; ++i) {
    // Gauss's points are every second one of Kronrod's.
    const double embedded = i % 2 == 1 ? g[i / 2] : 0;
    nodes[10 - i] = {-x[i], w[i], embedded};
    nodes[10 + i] = {x[i], w[i], embedded};
  }
  return nodes;
}

Piece measure(const Integrand& f, double low, double high) {
  static const std::array<Node, 21> nodes = make_nodes();
  const double half = high / 2 - low / 2, centre = low / 2 + high / 2;
  Piece piece{low, high};
  double embedded = 0, variation = 0, size = 0, before = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Sample sample = f(centre + half * nodes[i].at);
    if (std::isinf(sample.value)) piece.infinite = true;
    piece.value += nodes[i].weight * sample.value;
    embedded += nodes[i].embedded_weight * sample.value;
    piece.noise += nodes[i].weight * sample.noise;
    size += nodes[i].weight * std::abs(sample.value);
    if (i > 0) variation += std::abs(sample.value - before);
    before = sample.value;
  }
  constexpr double u = numerics::unit_roundoff;
  piece.gap = half * std::abs(piece.value - embedded);
  piece.value *= half;
  // A node is off by rounding of its own size; the sum of what that does is at most the variation times it.
  const double node_rounding = 2 * u * std::max(std::abs(low), std::abs(high));
  piece.noise = half * (piece.noise + 24 * u * size) + node_rounding * variation;
  return piece;
}

// Nodes of a piece this short fall together: its value is a guess of the right size.
bool is_too_short(const Piece& piece) {
  const double least = 64 * numerics::unit_roundoff * std::max(std::abs(piece.low), std::abs(piece.high));
  return piece.high - piece.low <= least;
}

bool can_be_split(const Piece& piece) { return !is_too_short(piece) && piece.gap > piece.noise; }

bool is_better(const Piece& a, const Piece& b) { return a.gap < b.gap; }

}  // namespace

Integral integrate(const Integrand& f, const std::vector<double>& breaks) {
  std::vector<Piece> open, done;
  Integral total;
  long double open_gap = 0, value = 0;
  const auto keep = [&](Piece piece) {
    if (is_too_short(piece)) piece.noise += std::abs(piece.value);
    if (piece.infinite) total.infinite = true;
    value += piece.value;
    open_gap += piece.gap;
    (can_be_split(piece) ? open : done).push_back(piece);
    if (can_be_split(piece)) std::push_heap(open.begin(), open.end(), is_better);
  };
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) keep(measure(f, breaks[i], breaks[i + 1]));
  const std::size_t limit = open.size() + done.size() + most_pieces;
  while (!total.infinite && !open.empty() && open.front().gap > enough / 8 * std::abs(value) &&
         open_gap > enough * std::abs(value) && open.size() + done.size() < limit) {
    std::pop_heap(open.begin(), open.end(), is_better);
    const Piece worst = open.back();
    open.pop_back();
    value -= worst.value;
    open_gap -= worst.gap;
    const double middle = worst.low / 2 + worst.high / 2;
    keep(measure(f, worst.low, middle));
    keep(measure(f, middle, worst.high));
  }
  for (const auto* pieces : {&open, &done}) {
    for (const Piece& piece : *pieces) {
      total.value += piece.value;
      total.error += static_cast<long double>(piece.gap) + piece.noise;
    }
  }
  return total;
}

}  // namespace renyi::divergence_detail
