// A step known by its Renyi divergence at some orders: the table that other tools keep (docs/math/infinite-loss.md,
// "Points").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/points_curve.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_divergence = 1e50;

struct RdpPoints {
  Rows points{{2, 0.1}, {8, 0.45}, {32, 2}};

  static constexpr std::string_view kind = "rdp-points";
  static constexpr std::string_view summary = "any step whose Renyi divergence is bounded at some orders";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static std::span<const TableParameter> tables();
  static constexpr auto table_fields = std::tuple{&RdpPoints::points};
  static Notes notes();
  void check() const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const RdpPoints&) const = default;
};

std::span<const TableParameter> RdpPoints::tables() {
  static constexpr std::array<Parameter, 2> columns{{
      {.name = "order", .meaning = "order above 1, or inf", .lowest = 1, .highest = infinity, .lowest_allowed = false},
      {.name = "rdp", .meaning = "bound on the divergence there, or inf", .lowest = 0, .highest = infinity},
  }};
  static constexpr std::array<TableParameter, 1> all{{
      {.name = "points", .meaning = "rows [order, rdp], upper bounds in any order", .columns = columns},
  }};
  return all;
}

bool says_something(const std::vector<double>& row) { return std::isfinite(row[1]); }

// A divergence of 0 at one order means that both laws are one, and every order has 0: beside others that are not, it
// is a number that was rounded down.
void RdpPoints::check() const {
  const auto is_zero = [](const std::vector<double>& row) { return row[1] == 0; };
  const bool nothing = std::all_of(points.begin(), points.end(), is_zero);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string row = fmt::format("points[{}]", i);
    if (std::isfinite(points[i][0]) && points[i][0] > largest_order) {
      throw InvalidArgument(row + "[0]", fmt::format("{}", points[i][0]),
                            fmt::format("orders in (1, {}], or inf", largest_order));
    }
    if (says_something(points[i]) && points[i][1] > largest_divergence) {
      throw InvalidArgument(row + "[1]", fmt::format("{}", points[i][1]),
                            fmt::format("a number up to {}, or inf", largest_divergence));
    }
    if (is_zero(points[i]) && !nothing) {
      throw InvalidArgument(row + "[1]", "0", "a bound above 0, rounded up: 0 at one order would mean 0 at all");
    }
  }
  if (std::none_of(points.begin(), points.end(), says_something)) {
    throw InvalidArgument("points", "no finite bound", "at least one");
  }
}

std::shared_ptr<const Curve> RdpPoints::curve() const {
  std::vector<mechanism::OrderPoint> known;
  for (const auto& row : points) {
    if (says_something(row)) known.push_back({row[0], row[1]});
  }
  if (known.front().divergence == 0) return std::make_shared<mechanism::ZeroCurve>();
  return std::make_shared<mechanism::PointsCurve>(known);
}

Notes RdpPoints::notes() {
  return {.relation = "the one its table is stated for",
          .exact = "nothing",
          .bound =
              "Renyi divergences: the table, chords of the log-moments between its orders, nothing beyond the "
              "last; no exact figures",
          .references = {reference::mironov2017}};
}

}  // namespace

Mechanism table::rdp_points() { return RdpPoints{}; }

}  // namespace renyi
