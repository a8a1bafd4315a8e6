#include "mechanism/points_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double line_ulps = 24;  // of a point, a slope, a product and a sum

// order - 1, rounded down: D never falls with the order, so that its bound holds there too.
double z_below(double order) {
  const double z = order - 1;
  return static_cast<long double>(z) > static_cast<long double>(order) - 1 ? numerics::next_down(z) : z;
}

double slope_between(double z0, double k0, double z1, double k1) { return (k1 - k0) / (z1 - z0); }

}  // namespace

// K is convex with K(0) = 0, and its slope is at most D_inf (van Erven, Harremoes 2014, Theorems 3 and 11): it lies on
// or below every chord between bounds, and below every line of slope D_inf from one of them to the right.
PointsCurve::PointsCurve(const std::vector<OrderPoint>& points) : most_(infinity), last_order_(infinity) {
  std::vector<Vertex> all;
  for (const OrderPoint& point : points) {
    if (std::isinf(point.order)) {
      most_ = std::min(most_, point.divergence);
    } else {
      const double z = z_below(point.order);
      all.push_back({z, numerics::next_up(z * point.divergence)});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Vertex& a, const Vertex& b) { return std::tie(a.z, a.k) < std::tie(b.z, b.k); });
  for (const Vertex& vertex : all) {
    if (vertex.z > vertices_.back().z) add(vertex);
  }
  if (std::isinf(most_)) {
    last_order_ = vertices_.back().z + 1;
    if (z_below(last_order_) > vertices_.back().z) last_order_ = numerics::next_down(last_order_);
    return;
  }
  const auto rises_faster = [this](const Vertex& a, const Vertex& b) {
    return slope_between(a.z, a.k, b.z, b.k) >= most_;
  };
  while (vertices_.size() > 1 && rises_faster(vertices_[vertices_.size() - 2], vertices_.back())) vertices_.pop_back();
}

// Monotone chain: a vertex above the chord of its neighbours says nothing.
void PointsCurve::add(const Vertex& vertex) {
  while (vertices_.size() > 1) {
    const Vertex &a = vertices_[vertices_.size() - 2], &b = vertices_.back();
    if (slope_between(a.z, a.k, b.z, b.k) < slope_between(b.z, b.k, vertex.z, vertex.k)) break;
    vertices_.pop_back();
  }
  vertices_.push_back(vertex);
}

PointsCurve::Line PointsCurve::segment_at(double z) const {
  const auto above = std::upper_bound(vertices_.begin(), vertices_.end(), z,
                                      [](double at, const Vertex& vertex) { return at < vertex.z; });
  if (above == vertices_.end() && std::isfinite(most_)) return {vertices_.back(), most_};
  const auto to = above == vertices_.end() ? above - 1 : above;
  const auto from = to - 1;
  return {*from, slope_between(from->z, from->k, to->z, to->k)};
}

LogMoment PointsCurve::at(double z) const {
  const Line line = segment_at(z);
  return with_relative_error(line.from.k + line.slope * (z - line.from.z), line.slope, 0, line_ulps);
}

ComplexLogMoment PointsCurve::at(std::complex<double>) const {
  throw Unsupported("z", "the step is known by its divergences at real orders only", "use real orders");
}

// K(z)/z never falls, so that it is largest at the end.
Growth PointsCurve::growth() const {
  const double up = 1 + 2 * line_ulps * numerics::unit_roundoff;
  return {std::isfinite(most_) ? most_ : vertices_.back().k / vertices_.back().z * up, 0};
}

}  // namespace renyi::mechanism
