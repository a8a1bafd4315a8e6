#include "compare/workload.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/directed.h"
#include "renyi/account.h"

namespace renyi::compare_detail {

namespace {

using numerics::count_up;
using numerics::product_up;
using numerics::sum_up;

double runs_up(const Part& part, std::int64_t repetitions) {
  return product_up(count_up(part.runs.count), count_up(repetitions));
}

// runs * share <= delta.
double even_share(double delta, double runs) { return std::max(0.0, numerics::next_down(delta / runs)); }

}  // namespace

Workload::Workload(const Plan& plan) : plan_(plan) {
  for (const CountedMechanism& m : plan.analysed()) {
    const auto curve = m.mechanism.curve();
    const double pure = curve->worst_max_loss().upper();
    if (std::isinf(pure) && impure_kind_.empty()) impure_kind_ = m.mechanism.kind();
    parts_.push_back({{curve, m.count}, pure, m.mechanism.kind()});
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

std::vector<DpStep> Workload::steps(std::int64_t repetitions, double delta) const {
  double impure_runs = 0;
  for (const Part& part : parts_) {
    if (std::isinf(part.pure_epsilon)) impure_runs = sum_up(impure_runs, runs_up(part, repetitions));
  }
  const double share = impure_runs > 0 ? even_share(delta, impure_runs) : 0;
  std::vector<DpStep> result;
  for (const Part& part : parts_) {
    const double runs = runs_up(part, repetitions);
    if (std::isinf(part.pure_epsilon)) {
      result.push_back({renyi_epsilon(*part.runs.curve, share).epsilon, share, runs});
    } else {
      result.push_back({part.pure_epsilon, 0, runs});
    }
  }
  return result;
}

double Workload::sum_of_squares(std::int64_t repetitions) const {
  double sum = 0;
  for (const Part& part : parts_) {
    const double square = product_up(part.pure_epsilon, part.pure_epsilon);
    sum = sum_up(sum, product_up(runs_up(part, repetitions), square));
  }
  return sum;
}

std::vector<plan::CountedCurve> Workload::curves(std::int64_t repetitions) const {
  std::vector<plan::CountedCurve> result;
  for (const Part& part : parts_) result.push_back({part.runs.curve, part.runs.count * repetitions});
  return result;
}

}  // namespace renyi::compare_detail
