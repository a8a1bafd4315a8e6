// (order, epsilon)-RDP at one order or at several: a step for which only its Renyi divergence at these orders is known,
// as in the tables that other tools store (docs/math/infinite-loss.md, "Points").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

namespace mechanism_rdp_file {
namespace {

// D_order <= divergence.
struct OrderPoint {
  double order = 2;  // above 1; may be infinite
  double divergence = 0;
};

// The curve of a step for which only such bounds are known.
class PointsCurve final : public SymmetricCurve {
 public:
  // At least one point, all divergences positive and finite.
  explicit PointsCurve(const std::vector<OrderPoint>& points);

  double last_order() const override { return last_order_; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // A bound on K at z = order - 1.
  struct Vertex {
    double z = 0;
    double k = 0;
  };
  struct Line {
    Vertex from;
    double slope = 0;
  };

  void add(const Vertex& vertex);
  Line segment_at(double z) const;
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {most_, 0}; }

  std::vector<Vertex> vertices_{{}};  // vertices of the lower convex hull, from (0, 0) on
  double most_;                       // the divergence of order infinity
  double last_order_;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double line_ulps = 24;  // for a point, a slope, a product and a sum

// Returns order - 1, rounded down: D never falls with the order, so that its bound holds there too.
double z_below(double order) {
  const double z = order - 1;
  return static_cast<long double>(z) > static_cast<long double>(order) - 1 ? numerics::next_down(z) : z;
}

double slope_between(double z0, double k0, double z1, double k1) { return (k1 - k0) / (z1 - z0); }

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

// Monotone chain: a vertex above the chord of its neighbours adds no information.
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

// K(z)/z never falls, so that it is largest at the last order.
Growth PointsCurve::growth() const {
  const double up = 1 + 2 * line_ulps * numerics::unit_roundoff;
  return {std::isfinite(most_) ? most_ : vertices_.back().k / vertices_.back().z * up, 0};
}

constexpr double largest_divergence = 1e50;

// (order, epsilon)-RDP: one point, any number of them, or both.
struct Rdp {
  double order = 10;
  double epsilon = 0.1;
  Rows points{};

  static constexpr std::string_view kind = "rdp";
  static constexpr std::string_view summary =
      "any step of (order, epsilon)-Renyi differential privacy, at one order or several";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Rdp::order, &Rdp::epsilon};
  static std::span<const TableParameter> tables();
  static constexpr auto table_fields = std::tuple{&Rdp::points};
  static Notes notes();
  void check() const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Rdp&) const = default;

 private:
  bool has_point() const { return std::isfinite(order) && std::isfinite(epsilon); }
  std::vector<OrderPoint> known() const;
};

std::span<const Parameter> Rdp::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "order",
       .meaning = "order above 1; left out where all orders are in points",
       .lowest = 1,
       .highest = largest_order,
       .lowest_allowed = false,
       .fallback = infinity,
       .effect = Effect::lowers_cost},
      {.name = "epsilon",
       .meaning = "bound on the Renyi divergence of that order",
       .lowest = 1e-100,
       .highest = largest_divergence,
       .zero_allowed = true,
       .fallback = infinity,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::span<const TableParameter> Rdp::tables() {
  static constexpr std::array<Parameter, 2> columns{{
      {.name = "order", .meaning = "order above 1, or inf", .lowest = 1, .highest = infinity, .lowest_allowed = false},
      {.name = "epsilon", .meaning = "bound on the divergence there, or inf", .lowest = 0, .highest = infinity},
  }};
  static constexpr std::array<TableParameter, 1> all{{
      {.name = "points",
       .meaning = "rows [order, epsilon], upper bounds in any order",
       .columns = columns,
       .may_be_empty = true},
  }};
  return all;
}

bool says_something(const std::vector<double>& row) { return std::isfinite(row[1]); }
bool is_zero(const std::vector<double>& row) { return row[1] == 0; }

void check_row(const std::vector<double>& row, const std::string& place) {
  if (std::isfinite(row[0]) && row[0] > largest_order) {
    throw InvalidArgument(place + "[0]", fmt::format("{}", row[0]),
                          fmt::format("orders in (1, {}], or inf", largest_order));
  }
  if (says_something(row) && row[1] > largest_divergence) {
    throw InvalidArgument(place + "[1]", fmt::format("{}", row[1]),
                          fmt::format("a number up to {}, or inf", largest_divergence));
  }
}

// A divergence of 0 at one order means that both distributions are the same, so that it is 0 at every order. If other
// orders have a positive divergence, the 0 is a number that was rounded down.
void Rdp::check() const {
  if (std::isfinite(order) != std::isfinite(epsilon) || (!has_point() && points.empty())) {
    const bool lacks_order = std::isinf(order);
    throw InvalidArgument(lacks_order ? "order" : "epsilon", "nothing",
                          lacks_order
                              ? fmt::format("a number in (1, {}]; of order inf the step is pure-dp", largest_order)
                              : parameters()[1].allowed());
  }
  constexpr std::string_view above_zero = "a bound above 0, rounded up: 0 at one order would mean 0 at all";
  const bool nothing = std::all_of(points.begin(), points.end(), is_zero) && (!has_point() || epsilon == 0);
  if (epsilon == 0 && !nothing) throw InvalidArgument("epsilon", "0", std::string(above_zero));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string place = fmt::format("points[{}]", i);
    check_row(points[i], place);
    if (is_zero(points[i]) && !nothing) throw InvalidArgument(place + "[1]", "0", std::string(above_zero));
  }
  if (known().empty()) throw InvalidArgument("points", "no finite bound", "at least one");
}

std::vector<OrderPoint> Rdp::known() const {
  std::vector<OrderPoint> all;
  if (has_point()) all.push_back({order, epsilon});
  for (const auto& row : points) {
    if (says_something(row)) all.push_back({row[0], row[1]});
  }
  return all;
}

std::shared_ptr<const Curve> Rdp::curve() const {
  const std::vector<OrderPoint> all = known();
  if (all.front().divergence == 0) return std::make_shared<ZeroCurve>();
  return std::make_shared<PointsCurve>(all);
}

Notes Rdp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound =
              "Renyi divergences: the points, chords of the log-moments between their orders, the first point below "
              "it, nothing beyond the last; no exact figures",
          .references = {reference::mironov2017}};
}

}  // namespace
}  // namespace mechanism_rdp_file

}  // namespace renyi::mechanism

namespace renyi {

Mechanism table::rdp() { return mechanism::made(mechanism::mechanism_rdp_file::Rdp{}); }

}  // namespace renyi
