// The lines of Rényi orders: the bound by the divergence of one order is a straight line in suitable coordinates, and
// an upper bound everywhere (docs/math/figures.md, "Rényi bounds").
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "api/figure/figure.h"
#include "api/figure/lines.h"
#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api::figure {

// The orders of some Rényi bounds with the divergences of the plan there, rounded up.
struct Orders {
  struct Order {
    double order = 2;  // finite, above 1
    double divergence = 0;
    Conversion conversion = Conversion::tight;
  };
  std::vector<Order> orders{};
  std::optional<double> largest_loss{};      // if there is one
  std::optional<double> first_divergence{};  // that of order 1, if the total variation may be used
};

// Asks for Rényi bounds at these abscissae.
using AskBounds = std::function<std::vector<RenyiBound>(const std::vector<double>&)>;
// Returns the bound by these orders between two abscissae.
using DrawOrders = std::function<Curve(const Orders&)>;

// Returns the least of the lines of the orders that are best at the given abscissae, and at the corners of this polygon
// as long as it is further above the bound there than allowed. Returns std::nullopt if the bounds are no lines: if the
// loss may be infinite, or a method was asked for.
std::optional<Curve> renyi_polygon(const Analysis& analysis, const CostOptions& options,
                                   const std::vector<double>& start, const Axis& y, double tolerance,
                                   const AskBounds& ask, const DrawOrders& draw);

// Epsilon against delta and delta against epsilon, with all that holds beside the lines: the bounds on delta by 1 and
// on epsilon by 0, the largest loss, and the total variation.
Curve renyi_delta_curve(const Orders& orders, double from, double to);
Curve renyi_epsilon_curve(const Orders& orders, double from, double to);
// Epsilon at this delta against the number of times that the plan is run.
Curve renyi_step_curve(const Orders& orders, double delta, double from, double to);

}  // namespace renyi::api::figure
