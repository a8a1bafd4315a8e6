// The Renyi divergences of a plan, by any of the methods for sampled Gaussians, and the closed form for sampled
// Gaussians compared with the exact curve.
#include "renyi/rdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/papers/closed_form.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi {

namespace rdp_file {
namespace {

// One direction of a plan with sampled Gaussians evaluated by the chosen method, which supports direction remove only.
// Remove is the larger one at every order (docs/math/sampled-gaussian.md), so it bounds the other where both are
// requested.
Bounded sum_by_method(const std::vector<CountedMechanism>& mechanisms, double order, Direction direction,
                      const RdpOptions& options) {
  Bounded total;
  for (const CountedMechanism& m : mechanisms) {
    const auto n = static_cast<double>(m.count);
    const auto sampled = m.mechanism.get_if<SampledGaussian>();
    const Bounded one = !sampled ? divergence(*m.mechanism.curve(), order, direction)
                                 : sampled_gaussian_divergence(
                                       *sampled, order, options.direction.value_or(Direction::remove), *options.method);
    if (one.value == 0 && one.error == 0) continue;
    total.value += n * one.value;
    total.error += n * one.error + 4 * numerics::unit_roundoff * n * one.value;
  }
  if (std::isinf(total.value)) total.error = 0;
  return total;
}

Bounded by_method(const std::vector<CountedMechanism>& mechanisms, double order, const RdpOptions& options) {
  if (options.direction) return sum_by_method(mechanisms, order, *options.direction, options);
  const Bounded remove = sum_by_method(mechanisms, order, Direction::remove, options);
  const Bounded add = sum_by_method(mechanisms, order, Direction::add, options);
  return add.upper() > remove.upper() ? add : remove;
}

}  // namespace
}  // namespace rdp_file

std::vector<Bounded> rdp(const Analysis& analysis, std::span<const double> orders, const RdpOptions& options) {
  std::for_each(orders.begin(), orders.end(), check_order);
  std::vector<Bounded> result;
  result.reserve(orders.size());
  if (options.method && options.method != SampledGaussianMethod::quadrature) {
    for (const double order : orders) result.push_back(rdp_file::by_method(analysis.steps(), order, options));
    return result;
  }
  const Curve& curve = *analysis.curve();
  for (const double order : orders) {
    result.push_back(options.direction ? divergence(curve, order, *options.direction) : rdp(curve, order));
  }
  return result;
}

Bounded rdp(const Analysis& analysis, double order, const RdpOptions& options) {
  return rdp(analysis, std::span(&order, 1), options).front();
}

namespace rdp_file {
namespace {

// The approximate number of rows of the grid: few enough to read.
constexpr int grid_rows = 16;
// The range of the grid if the conditions hold at all orders, or at none.
constexpr double usual_reach = 32;

std::vector<ClosedFormStep> sampled_steps(const std::vector<CountedMechanism>& mechanisms) {
  std::vector<ClosedFormStep> steps;
  for (const CountedMechanism& m : mechanisms) {
    const auto sampled = m.mechanism.get_if<SampledGaussian>();
    if (!sampled) {
      throw Unsupported("steps",
                        fmt::format("the closed form is that of sampled-gaussian steps only, and the plan has {}",
                                    m.mechanism.kind()),
                        "leave that step out, or ask for the exact curve alone");
    }
    steps.push_back({*sampled, m.count, closed_form_end(*sampled)});
  }
  return steps;
}

// The orders 1.25, 1.5, then 2, 3, 4, 6, 8, 12, ... to beyond the last order at which a condition holds, thinned if
// that is large.
std::vector<double> grid(const std::vector<ClosedFormStep>& steps) {
  double reach = 1;
  for (const ClosedFormStep& step : steps) {
    if (std::isfinite(step.end.order)) reach = std::max(reach, step.end.order);
  }
  reach = reach > 1 ? 2 * reach : usual_reach;
  std::vector<double> all{1.25, 1.5};
  for (double power = 2; all.back() < reach; power *= 2) {
    all.push_back(power);
    if (power < reach) all.push_back(1.5 * power);
  }
  const std::size_t stride = (all.size() + grid_rows - 1) / grid_rows;
  std::vector<double> orders;
  for (std::size_t i = (all.size() - 1) % stride; i < all.size(); i += stride) orders.push_back(all[i]);
  return orders;
}

std::string obstacle_at(const std::vector<ClosedFormStep>& steps, double order) {
  for (const ClosedFormStep& step : steps) {
    if (auto obstacle = closed_form_obstacle(step.step, order); !obstacle.empty()) return obstacle;
  }
  return {};
}

std::optional<double> ratio(const Bounded& closed_form, const Bounded& exact) {
  if (!(exact.value > 0) || !(closed_form.value > 0)) return std::nullopt;
  return closed_form.value / exact.value;
}

}  // namespace
}  // namespace rdp_file

ClosedFormComparison compare_closed_form(const Analysis& analysis, std::span<const double> orders) {
  ClosedFormComparison result{.rows = {}, .steps = rdp_file::sampled_steps(analysis.steps())};
  const std::vector<double> chosen =
      orders.empty() ? rdp_file::grid(result.steps) : std::vector<double>(orders.begin(), orders.end());
  const auto exact = rdp(analysis, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    ClosedFormRow row{
        .order = chosen[i], .exact = exact[i], .obstacle = rdp_file::obstacle_at(result.steps, chosen[i])};
    if (row.obstacle.empty()) {
      row.closed_form = rdp(analysis, chosen[i], {.method = SampledGaussianMethod::closed_form});
      row.ratio_estimate = rdp_file::ratio(*row.closed_form, row.exact);
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace renyi
