// Every theorem's answer for one plan, side by side, and which of them is best.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compare/integer_search.h"
#include "compare/theorem.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/papers/composition_theorems.h"

namespace renyi {

using compare_detail::Theorem;
using compare_detail::TheoremInput;
using compare_detail::Workload;

namespace compare_file {
namespace {

using compare_detail::Outcome;

constexpr std::string_view exact_name = "exact";

// A new theorem is one entry here and one function of theorem.h.
constexpr double any_runs = std::numeric_limits<double>::infinity();
constexpr std::array<Theorem, 13> theorems{{
    {"basic", "Dwork et al. 2006", compare_detail::basic},
    {"advanced", "Dwork, Rothblum, Vadhan 2010, Theorem III.3", compare_detail::advanced},
    {"renyi-event", "Mironov 2017, Proposition 4", compare_detail::event_form},
    {"renyi-corollary", "Mironov 2017, Corollary 1", compare_detail::event_corollary},
    {"renyi-lemma", "Mironov 2017, Lemma 1: 2 a eps^2", compare_detail::lemma_curve},
    {"renyi-pure", "largest curve of a pure epsilon", compare_detail::pure_curve},
    {"renyi-plan", "the plan's own curve", compare_detail::plan_curve},
    {"optimal", "Kairouz, Oh, Viswanath 2015, Theorem 3.3", compare_detail::optimal, compare_detail::optimal_most_runs},
    {.name = "opacus-rdp",
     .source = "Opacus 1.6, RDPAccountant: orders 1.1 to 63",
     .apply = compare_detail::opacus_orders,
     .for_training_runs = true},
    {.name = "dp-accounting-rdp",
     .source = "dp-accounting 0.6, RdpAccountant: orders 1.1 to 1024",
     .apply = compare_detail::dp_accounting_orders,
     .for_training_runs = true},
    {.name = "gdp-clt",
     .source = "Bu, Dong, Long, Su 2020, central limit theorem",
     .apply = compare_detail::central_limit,
     .for_training_runs = true},
    {"prv", "Gopi, Lee, Wutschitz 2021, with the errors that Opacus allows", compare_detail::prv, any_runs,
     compare_detail::prv_count, true, true},
    {exact_name, "the law of the privacy loss itself", compare_detail::exact, any_runs, compare_detail::exact_count,
     false, true},
}};

void check(double delta, const CompareOptions& options) {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  if (options.epsilon && !(*options.epsilon >= 0)) {
    throw InvalidArgument("epsilon", fmt::format("{}", *options.epsilon), "a number of at least 0, or inf");
  }
  if (options.event && !(*options.event > 0 && *options.event <= 1)) {
    throw InvalidArgument("event", fmt::format("{}", *options.event), "a number in (0, 1]");
  }
}

std::int64_t most_repetitions(const Theorem& theorem, const Workload& workload) {
  const std::int64_t most = workload.most_repetitions();
  const double summed = std::floor(theorem.most_runs / workload.runs_that_cost());
  return summed < static_cast<double>(most) ? static_cast<std::int64_t>(summed) : most;
}

// Returns how often the whole plan may run within a budget by one theorem, where `once` is the epsilon of one run. Each
// theorem's epsilon is non-decreasing in the number of repetitions, and a condition that fails stays failed
// (docs/math/composition-theorems.md, "Largest count"): the counts that fit are 1 to some largest one.
LargestCount largest_count(const Theorem& theorem, const TheoremInput& input, double once, double budget) {
  if (input.workload.is_free()) return {.unlimited = true};
  if (theorem.count != nullptr) return theorem.count(input, budget);
  if (!(once <= budget)) return {};
  const auto excess = [&](std::int64_t repetitions) {
    TheoremInput repeated = input;
    repeated.repetitions = repetitions;
    const auto epsilon = theorem.apply(repeated).epsilon;
    return epsilon ? compare_detail::log_excess(*epsilon, budget) : std::numeric_limits<double>::infinity();
  };
  const std::int64_t most = most_repetitions(theorem, input.workload);
  if (std::isinf(budget) && excess(most) <= 0) return {.count = most, .at_least = true};
  const std::int64_t count =
      compare_detail::largest_within_power_law(compare_detail::log_excess(once, budget), most, excess);
  return {.count = count, .at_least = count == most};
}

std::optional<DeltaSplit> split_of(const Outcome& outcome, const Workload& workload) {
  if (!outcome.split || std::isinf(outcome.split->composed.epsilon)) return std::nullopt;
  DeltaSplit split{.slack = outcome.split->composed.slack};
  for (std::size_t i = 0; i < workload.parts().size(); ++i) {
    const compare_detail::DpStep& step = outcome.split->steps[i];
    const std::int64_t count = workload.parts()[i].runs.count;
    split.steps.push_back({step.epsilon, step.delta, count});
    split.spent = numerics::sum_up(split.spent, numerics::product_up(step.delta, static_cast<double>(count)));
  }
  return split;
}

// The accountants of training libraries know no other sampling and no other relation.
Outcome outcome_of(const Theorem& theorem, const TheoremInput& input) {
  if (theorem.for_training_runs && !input.workload.is_training_run()) {
    return Outcome::failing(
        "needs Gaussian noise on all records, or on Poisson samples with one record added or removed");
  }
  return theorem.apply(input);
}

TheoremAnswer answer_of(const Theorem& theorem, const TheoremInput& input, const CompareOptions& options) {
  Outcome outcome = outcome_of(theorem, input);
  TheoremAnswer answer{.name = theorem.name,
                       .source = theorem.source,
                       .epsilon = outcome.epsilon,
                       .epsilon_estimate = outcome.estimate,
                       .event_probability = outcome.probability,
                       .obstacle = std::move(outcome.obstacle),
                       .note = std::move(outcome.note),
                       .split = split_of(outcome, input.workload)};
  if (options.epsilon && answer.epsilon) {
    answer.largest_count = largest_count(theorem, input, *answer.epsilon, *options.epsilon);
  }
  return answer;
}

// A tight theorem equals the exact cost except for rounding: then the exact cost is named as the best.
bool wins_ties(const TheoremAnswer& answer) { return answer.name == exact_name && answer.note.empty(); }

bool is_better(const TheoremAnswer& answer, const Comparison& than) {
  if (!answer.epsilon || std::isinf(*answer.epsilon)) return false;
  if (!than.best) return true;
  const double best = *than.theorems[*than.best].epsilon;
  return wins_ties(answer) ? *answer.epsilon <= (1 + 1e-9) * best : *answer.epsilon < best;
}

// An unlimited count ranks above any other, and a count of 0 below all.
double rank(const LargestCount& count) { return count.unlimited ? HUGE_VAL : static_cast<double>(count.count); }

// Among equal counts, the answer with the smallest epsilon is better.
bool counts_better(const TheoremAnswer& answer, const Comparison& than) {
  if (!answer.largest_count || rank(*answer.largest_count) == 0) return false;
  if (!than.best_for_count) return true;
  const TheoremAnswer& best = than.theorems[*than.best_for_count];
  const double here = rank(*answer.largest_count), there = rank(*best.largest_count);
  return here > there || (here == there && (wins_ties(answer) || *answer.epsilon < *best.epsilon));
}

}  // namespace
}  // namespace compare_file

Comparison compare(const Plan& plan, double delta, const CompareOptions& options) {
  compare_file::check(delta, options);
  const Workload workload(plan);
  const TheoremInput input{.workload = workload, .delta = delta, .event = options.event.value_or(delta)};
  Comparison result{.theorems = {}, .event = input.event};
  for (const Theorem& theorem : compare_file::theorems) {
    if (theorem.needs_exact && !options.exact) continue;
    if (theorem.for_training_runs && !workload.is_gaussian_run()) continue;
    TheoremAnswer answer = compare_file::answer_of(theorem, input, options);
    if (compare_file::is_better(answer, result)) result.best = result.theorems.size();
    if (compare_file::counts_better(answer, result)) result.best_for_count = result.theorems.size();
    result.theorems.push_back(std::move(answer));
  }
  return result;
}

}  // namespace renyi
