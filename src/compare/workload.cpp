// The plan as (epsilon, delta)-DP steps, and what of it keeps a theorem from applying.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/theorem.h"
#include "numerics/rounding.h"
#include "renyi/account.h"

namespace renyi::compare_detail {

using numerics::count_up;
using numerics::product_up;
using numerics::sum_up;

namespace workload_file {
namespace {

double runs_up(const Part& part, std::int64_t repetitions) {
  return product_up(count_up(part.runs.count), count_up(repetitions));
}

// runs * share <= delta.
double even_share(double delta, double runs) { return std::max(0.0, numerics::next_down(delta / runs)); }

double infinite_mass(const Curve& curve) {
  const double remove = curve.infinite_mass(Direction::remove).upper();
  return std::min(1.0, std::max(remove, curve.infinite_mass(Direction::add).upper()));
}

// Where both directions are the same, so that the finite part is not shifted.
std::optional<double> finite_epsilon(const Curve& curve) {
  const auto finite = curve.finite_part();
  if (!finite || !curve.is_symmetric()) return {};
  const double most = finite->worst_max_loss().upper();
  return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

}  // namespace
}  // namespace workload_file

Workload::Workload(const Plan& plan) : plan_(plan) {
  for (const CountedMechanism& m : plan.analysed()) {
    const auto curve = m.mechanism.curve();
    const double pure = curve->worst_max_loss().upper();
    if (std::isinf(pure) && impure_kind_.empty()) impure_kind_ = m.mechanism.kind();
    parts_.push_back({{curve, m.count},
                      pure,
                      m.mechanism.kind(),
                      workload_file::infinite_mass(*curve),
                      workload_file::finite_epsilon(*curve)});
  }
}

bool Workload::is_free() const noexcept {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.pure_epsilon == 0; });
}

std::int64_t Workload::most_repetitions() const noexcept {
  std::int64_t most = 1;
  for (const Part& part : parts_) most = std::max(most, part.runs.count);
  return std::numeric_limits<std::int64_t>::max() / most;
}

double Workload::runs_that_cost() const noexcept {
  double runs = 0;
  for (const Part& part : parts_) {
    if (part.pure_epsilon > 0) runs = sum_up(runs, count_up(part.runs.count));
  }
  return runs;
}

// What steps cannot do without comes first; what is left is shared evenly by those that can use it.
Workload::Shares Workload::shares_of(double delta, std::int64_t repetitions) const {
  double sharing = 0, apart = 0;
  for (const Part& part : parts_) {
    const double runs = workload_file::runs_up(part, repetitions);
    apart = sum_up(apart, product_up(runs, part.infinite_mass));
    if (std::isinf(part.pure_epsilon) && !part.finite_epsilon) sharing = sum_up(sharing, runs);
  }
  if (apart > delta) return {.enough = false};
  const double left = apart == 0 ? delta : std::max(0.0, numerics::next_down(delta - apart));
  return {.each = sharing > 0 ? workload_file::even_share(left, sharing) : 0};
}

DpStep Workload::step_of(const Part& part, const Shares& shares, double runs) {
  if (!std::isinf(part.pure_epsilon)) return {part.pure_epsilon, 0, runs};
  if (!shares.enough) return {std::numeric_limits<double>::infinity(), part.infinite_mass, runs};
  if (part.finite_epsilon) return {*part.finite_epsilon, part.infinite_mass, runs};
  const double sum = part.infinite_mass + shares.each;
  const double own = std::max(part.infinite_mass, part.infinite_mass == 0 ? sum : numerics::next_down(sum));
  return {renyi_epsilon(*part.runs.curve, own).epsilon, own, runs};
}

std::vector<DpStep> Workload::steps(std::int64_t repetitions, double delta) const {
  const Shares shares = shares_of(delta, repetitions);
  std::vector<DpStep> result;
  for (const Part& part : parts_) result.push_back(step_of(part, shares, workload_file::runs_up(part, repetitions)));
  return result;
}

double Workload::sum_of_squares(std::int64_t repetitions) const {
  double sum = 0;
  for (const Part& part : parts_) {
    const double square = product_up(part.pure_epsilon, part.pure_epsilon);
    sum = sum_up(sum, product_up(workload_file::runs_up(part, repetitions), square));
  }
  return sum;
}

std::vector<plan::CountedCurve> Workload::curves(std::int64_t repetitions) const {
  std::vector<plan::CountedCurve> result;
  for (const Part& part : parts_) result.push_back({part.runs.curve, part.runs.count * repetitions});
  return result;
}

std::string impure_obstacle(const Workload& workload) {
  if (workload.is_pure()) return {};
  return fmt::format("needs pure epsilons, and {} has none", workload.impure_kind());
}

std::string no_delta_obstacle(const Asked& asked) {
  if (asked.delta > 0 || asked.workload.is_pure()) return {};
  return fmt::format("needs delta > 0: {} has no pure epsilon", asked.workload.impure_kind());
}

}  // namespace renyi::compare_detail
