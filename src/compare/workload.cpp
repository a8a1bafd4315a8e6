// The plan as (epsilon, delta)-DP steps, and the properties of the plan that keep a theorem from applying.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/theorem.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/rdp.h"

namespace renyi::compare_detail {

using numerics::count_up;
using numerics::product_up;
using numerics::sum_up;

namespace workload_file {
namespace {

double runs_up(const Part& part, std::int64_t repetitions) {
  return product_up(count_up(part.runs.count), count_up(repetitions));
}

// The largest share with runs * share <= delta, or the double below it.
double even_share(double delta, double runs) {
  const double share = delta / runs;
  return product_up(runs, share) <= delta ? share : std::max(0.0, numerics::next_down(share));
}

// Returns the delta of one run: the delta that it must have, and its share.
double own_delta(const Part& part, double share) {
  if (part.infinite_mass == 0 || share == 0) return std::max(part.infinite_mass, share);
  return std::max(part.infinite_mass, numerics::next_down(part.infinite_mass + share));
}

double infinite_mass(const Curve& curve) {
  const double remove = curve.infinite_mass(Direction::remove).upper();
  return std::min(1.0, std::max(remove, curve.infinite_mass(Direction::add).upper()));
}

// Returns the largest finite loss if both directions are the same, so that the finite part is not shifted.
std::optional<double> finite_epsilon(const Curve& curve) {
  const auto finite = curve.finite_part();
  if (!finite || !curve.is_symmetric()) return {};
  const double most = finite->worst_max_loss().upper();
  return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

// Returns the privacy profile of one run, or null if there is none.
std::shared_ptr<const PrivacyProfile> exact_figures(const Mechanism& mechanism, std::shared_ptr<const Curve> curve) {
  try {
    return std::make_shared<const PrivacyProfile>(std::vector<CountedMechanism>{{mechanism, 1}}, std::move(curve));
  } catch (const Unsupported&) {
    return nullptr;
  }
}

bool is_gaussian(const CountedMechanism& m) {
  return m.mechanism.kind() == Gaussian::kind || m.mechanism.kind() == SampledGaussian::kind;
}

bool all_gaussian(const std::vector<CountedMechanism>& steps) {
  return !steps.empty() && std::all_of(steps.begin(), steps.end(), is_gaussian);
}

// `kind` is the name of the step in the plan; what is analysed instead of it may have another one.
Part part_of(const CountedMechanism& m, std::string_view kind) {
  auto curve = m.mechanism.curve();
  Part part{.runs = {curve, m.count},
            .pure_epsilon = curve->worst_max_loss().upper(),
            .kind = kind,
            .infinite_mass = infinite_mass(*curve),
            .finite_epsilon = finite_epsilon(*curve)};
  if (part.has_free_delta()) part.exact = exact_figures(m.mechanism, std::move(curve));
  return part;
}

}  // namespace
}  // namespace workload_file

bool Part::has_free_delta() const noexcept { return std::isinf(pure_epsilon) && !finite_epsilon; }

double Part::epsilon_at(double delta) const {
  return exact ? exact->epsilon(delta).worst.upper : renyi_epsilon(*runs.curve, delta).upper;
}

double Part::delta_at(double epsilon) const {
  return exact ? exact->delta(epsilon).worst.upper : renyi_delta(*runs.curve, epsilon).upper;
}

double total_of(const DpSteps& steps, double DpStep::*number) {
  constexpr double most = 0x1p62;  // larger counts are no longer exact integers
  std::vector<numerics::CountedQuotient> terms;
  double sum = 0;
  for (const DpStep& step : steps) {
    sum = sum_up(sum, product_up(step.count, step.*number));
    if (step.count >= 1 && step.count < most) {
      terms.push_back({{step.*number, 1}, static_cast<std::int64_t>(step.count)});
    }
  }
  if (terms.size() != steps.size() || !std::isfinite(sum)) return sum;
  return numerics::decimal_sum(terms).value_or(sum);
}

double delta_of(const DpSteps& steps) { return total_of(steps, &DpStep::delta); }

Workload::Workload(const Plan& plan) : plan_(plan) {
  const std::vector<CountedMechanism> steps = plan.analysed();
  const std::vector<CountedMechanism> in_plan = plan.merged();  // one for each of the analysed steps
  is_training_run_ = workload_file::all_gaussian(steps);
  is_gaussian_run_ = workload_file::all_gaussian(in_plan);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    parts_.push_back(workload_file::part_of(steps[i], in_plan[i].mechanism.kind()));
    if (std::isinf(parts_.back().pure_epsilon) && impure_kind_.empty()) impure_kind_ = parts_.back().kind;
  }
}

bool Workload::is_free() const noexcept {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.pure_epsilon == 0; });
}

bool Workload::has_free_delta() const noexcept {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.has_free_delta(); });
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

// The delta that steps must have comes first; the rest is shared evenly by those that can use it.
double Workload::share_of(double delta, std::int64_t repetitions) const {
  double sharing = 0, infinite_mass = 0, terms = 0;
  for (const Part& part : parts_) {
    const double runs = workload_file::runs_up(part, repetitions);
    infinite_mass = sum_up(infinite_mass, product_up(runs, part.infinite_mass));
    if (part.has_free_delta()) sharing = sum_up(sharing, runs);
    if (part.has_free_delta() || part.infinite_mass > 0) ++terms;
  }
  if (sharing == 0 || infinite_mass >= delta) return 0;
  // A sum of several terms, each rounded up, must not exceed delta.
  const double rounding = infinite_mass == 0 && terms == 1 ? 0 : 8 * terms * numerics::unit_roundoff * delta;
  const double left = (delta - infinite_mass) - rounding;
  return left > 0 ? workload_file::even_share(left, sharing) : 0;
}

template <class Choose>
DpSteps Workload::shared_out(std::int64_t repetitions, double delta, const Choose& choose) const {
  const double share = share_of(delta, repetitions);
  DpSteps result;
  for (const Part& part : parts_) {
    stop_if_overdue();
    const double runs = workload_file::runs_up(part, repetitions);
    if (part.has_free_delta()) {
      result.push_back(choose(part, workload_file::own_delta(part, share)));
      result.back().count = runs;
    } else if (part.finite_epsilon) {
      result.push_back({*part.finite_epsilon, part.infinite_mass, runs});
    } else {
      result.push_back({part.pure_epsilon, 0, runs});
    }
  }
  return result;
}

DpSteps Workload::sharing(std::int64_t repetitions, double delta) const {
  return shared_out(repetitions, delta,
                    [](const Part& part, double own) { return DpStep{.epsilon = part.epsilon_at(own), .delta = own}; });
}

DpSteps Workload::sharing_by_renyi(std::int64_t repetitions, double delta) const {
  return shared_out(repetitions, delta, [](const Part& part, double own) {
    const double epsilon = renyi_epsilon(*part.runs.curve, own).upper;
    return DpStep{.epsilon = epsilon, .delta = std::isinf(epsilon) ? own : std::min(own, part.delta_at(epsilon))};
  });
}

DpSteps Workload::raised(const DpSteps& steps, double factor) const {
  DpSteps result = steps;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i].has_free_delta() || std::isinf(steps[i].epsilon)) continue;
    stop_if_overdue();
    result[i].epsilon = factor * steps[i].epsilon;
    result[i].delta = std::min(steps[i].delta, parts_[i].delta_at(result[i].epsilon));
  }
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

std::vector<mechanism::CountedCurve> Workload::curves(std::int64_t repetitions) const {
  std::vector<mechanism::CountedCurve> result;
  for (const Part& part : parts_) result.push_back({part.runs.curve, part.runs.count * repetitions});
  return result;
}

std::string impure_obstacle(const Workload& workload) {
  if (workload.is_pure()) return {};
  return fmt::format("needs pure epsilons, and {} has none", workload.impure_kind());
}

std::string no_delta_obstacle(const TheoremInput& input) {
  if (input.delta > 0 || input.workload.is_pure()) return {};
  return fmt::format("needs delta > 0: {} has no pure epsilon", input.workload.impure_kind());
}

}  // namespace renyi::compare_detail
