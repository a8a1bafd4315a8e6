// The Renyi bound with sampled Gaussians evaluated by a method that the caller chooses, at the orders that the method
// supports. Each sampled Gaussian is replaced by a step that guarantees what the method proves and no more
// (docs/math/conversion.md, "By a method").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"
#include "renyi/rdp.h"

namespace renyi {

namespace sampled_gaussian_by_method_file {
namespace {

using Run = std::vector<CountedMechanism>;
using Method = SampledGaussianMethod;

template <class Replace>
Run replaced(Run steps, const Replace& replace) {
  for (CountedMechanism& step : steps) {
    if (const auto sampled = step.mechanism.get_if<SampledGaussian>()) step.mechanism = replace(*sampled);
  }
  return steps;
}

// D_a <= 2 (q/s)^2 a at the orders up to the last supported one: truncated concentrated DP.
Mechanism by_closed_form(const SampledGaussian& step) {
  if (step.sampling_rate == 0) return Tcdp{.rho = 0, .omega = largest_order};
  const double end = closed_form_end(step).order;
  if (!(end > 1)) {
    throw Unsupported("method",
                      fmt::format("the conditions of Theorem 11, the closed form, are met at no order: {}",
                                  closed_form_obstacle(step, std::nextafter(1.0, 2.0))),
                      "use method quadrature, which has no conditions");
  }
  constexpr double up = 1 + 8 * numerics::unit_roundoff, least = 1e-100;
  const double ratio = step.sampling_rate / step.noise_multiplier;
  return Tcdp{.rho = std::max(least, 2 * ratio * ratio * up), .omega = std::min(end, largest_order)};
}

// The steps of the plan as the method bounds them, and the orders to evaluate.
struct MethodSteps {
  Run steps;
  ConversionOptions options;
};

MethodSteps closed_form_steps(const Run& steps, const ConversionOptions& options) {
  MethodSteps method_steps{replaced(steps, by_closed_form), options};
  const double last = compose(method_steps.steps)->last_order();
  if (options.orders && std::none_of(options.orders->begin(), options.orders->end(),
                                     [&](double order) { return order <= last && std::isfinite(order); })) {
    throw Unsupported("orders",
                      fmt::format("the conditions of Theorem 11, the closed form, are met at none of these orders: the "
                                  "last is {}",
                                  last),
                      "use smaller orders, or method quadrature");
  }
  return method_steps;
}

// Returns a step that guarantees what the method proves about a sampled Gaussian at the orders.
Mechanism by_points(const SampledGaussian& step, const std::vector<double>& orders, Method method) {
  Rows rows;
  for (const double order : orders) {
    rows.push_back({order, sampled_gaussian_divergence(step, order, Direction::remove, method).upper()});
  }
  return Rdp{.points = std::move(rows)};
}

// Returns the orders at which the method supports every step. If there are none, throws the exception that the method
// throws for the first order.
std::vector<double> supported_orders(const Run& steps, const std::vector<double>& orders, Method method) {
  std::vector<double> result;
  for (const double order : orders) {
    try {
      replaced(steps, [&](const SampledGaussian& step) { return by_points(step, {order}, method); });
      result.push_back(order);
    } catch (const Unsupported&) {
      if (order == orders.back() && result.empty()) throw;
    } catch (const NotConverged&) {
      if (order == orders.back() && result.empty()) throw;
    }
  }
  return result;
}

// The sums compute the same curve as the quadrature, so that its best order is theirs too. Among whole orders the best
// is one of its two neighbours, because the bound falls to the best order and rises from there.
std::vector<double> orders_beside(double best, Method method) {
  constexpr double last_whole = 1e6;
  const double order = best > 1 ? std::min(best, last_whole) : 2;  // order 1: total variation, which any order bounds
  if (method == Method::series) return {order};
  const double below = std::max(2.0, std::floor(order)), above = std::max(2.0, std::ceil(order));
  return below == above ? std::vector{below} : std::vector{below, above};
}

MethodSteps pointwise_steps(const Run& steps, double best, Method method, const ConversionOptions& options) {
  MethodSteps method_steps{steps, options};
  method_steps.options.orders = supported_orders(steps, options.orders.value_or(orders_beside(best, method)), method);
  method_steps.steps = replaced(
      steps, [&](const SampledGaussian& step) { return by_points(step, *method_steps.options.orders, method); });
  return method_steps;
}

RenyiBound by_method(const Analysis& analysis, double at, Method method, const ConversionOptions& options,
                     RenyiBound (*ask)(const Curve&, double, const ConversionOptions&)) {
  const Run& steps = analysis.steps();
  if (method == Method::closed_form) {
    const MethodSteps method_steps = closed_form_steps(steps, options);
    return ask(*compose(method_steps.steps), at, method_steps.options);
  }
  const RenyiBound usual = ask(*analysis.curve(), at, options);
  // The largest loss does not depend on an order.
  if (method == Method::quadrature || usual.conversion == Conversion::pure) return usual;
  const MethodSteps method_steps = pointwise_steps(steps, usual.order, method, options);
  return ask(*compose(method_steps.steps), at, method_steps.options);
}

}  // namespace
}  // namespace sampled_gaussian_by_method_file

RenyiBound renyi_epsilon(const Analysis& analysis, double delta, SampledGaussianMethod method,
                         const ConversionOptions& options) {
  return sampled_gaussian_by_method_file::by_method(analysis, delta, method, options, renyi_epsilon);
}

RenyiBound renyi_delta(const Analysis& analysis, double epsilon, SampledGaussianMethod method,
                       const ConversionOptions& options) {
  return sampled_gaussian_by_method_file::by_method(analysis, epsilon, method, options, renyi_delta);
}

}  // namespace renyi
