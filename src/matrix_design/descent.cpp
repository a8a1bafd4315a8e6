#include "matrix_design/descent.h"

#include <cmath>
#include <cstddef>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace renyi::matrix_design {

namespace descent_file {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Vector sum(const Vector& a, double factor, const Vector& b) {
  Vector result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += factor * b[i];
  return result;
}

// A step that was made, and how the gradient changed on it.
struct Change {
  Vector step;
  Vector of_gradient;
  double product = 0;  // step times change of the gradient, above 0
};

constexpr std::size_t remembered = 12;

// The gradient times an approximation of the inverse matrix of second derivatives (Nocedal, Wright 2006, Algorithm
// 7.4).
Vector direction_of(const std::deque<Change>& changes, const Vector& gradient) {
  Vector q = gradient;
  std::vector<double> factors(changes.size());
  for (std::size_t i = changes.size(); i-- > 0;) {
    factors[i] = dot(changes[i].step, q) / changes[i].product;
    q = sum(q, -factors[i], changes[i].of_gradient);
  }
  if (!changes.empty()) {
    const Change& last = changes.back();
    const double scale = last.product / dot(last.of_gradient, last.of_gradient);
    for (double& x : q) x *= scale;
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    q = sum(q, factors[i] - dot(changes[i].of_gradient, q) / changes[i].product, changes[i].step);
  }
  for (double& x : q) x = -x;
  return q;
}

struct Point {
  Vector at;
  ValueAndGradient found;
};

// Halves the step until the value falls by a share of what the slope promises (Armijo).
std::optional<Point> next_point(const SmoothFunction& function, const Point& from, const Vector& direction,
                                double length) {
  constexpr double share = 1e-4;
  constexpr int halvings = 30;
  const double slope = dot(direction, from.found.gradient);
  if (!(slope < 0)) return std::nullopt;
  for (int i = 0; i < halvings; ++i, length /= 2) {
    Vector at = sum(from.at, length, direction);
    ValueAndGradient found = function(at);
    if (std::isfinite(found.value) && found.value <= from.found.value + share * length * slope) {
      return Point{std::move(at), std::move(found)};
    }
  }
  return std::nullopt;
}

}  // namespace
}  // namespace descent_file

std::vector<double> descend(const SmoothFunction& function, const std::vector<double>& start,
                            const DescentOptions& options) {
  using namespace descent_file;
  Point here{start, function(start)};
  std::deque<Change> changes;
  for (int i = 0; i < options.steps; ++i) {
    const Vector& gradient = here.found.gradient;
    const double size = std::sqrt(dot(gradient, gradient));
    // Nothing is known about the length of the first step but that it should be a small part of the point.
    const double length = changes.empty() ? 0.1 * std::sqrt(dot(here.at, here.at)) / size : 1;
    auto next = next_point(function, here, direction_of(changes, gradient), length);
    if (!next) break;
    Change change{sum(next->at, -1, here.at), sum(next->found.gradient, -1, gradient)};
    change.product = dot(change.step, change.of_gradient);
    if (change.product > 0) changes.push_back(std::move(change));
    if (changes.size() > remembered) changes.pop_front();
    const double gain = here.found.value - next->found.value;
    here = *std::move(next);
    if (gain < options.least_gain) break;
  }
  return here.at;
}

}  // namespace renyi::matrix_design
