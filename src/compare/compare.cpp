#include "renyi/compare.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "compare/largest_count.h"
#include "compare/theorem.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using compare_detail::Asked;
using compare_detail::Outcome;
using compare_detail::Theorem;
using compare_detail::Workload;

constexpr std::string_view exact_name = "exact";

// A new theorem is one row here and one file.
constexpr std::array<Theorem, 9> theorems{{
    {"basic", "Dwork et al. 2006", compare_detail::basic},
    {"advanced", "Dwork, Rothblum, Vadhan 2010, Theorem III.3", compare_detail::advanced},
    {"renyi-event", "Mironov 2017, Proposition 4", compare_detail::event_form},
    {"renyi-corollary", "Mironov 2017, Corollary 1", compare_detail::event_corollary},
    {"renyi-lemma", "Mironov 2017, Lemma 1: 2 a eps^2", compare_detail::lemma_curve},
    {"renyi-pure", "largest curve of a pure epsilon", compare_detail::pure_curve},
    {"renyi-plan", "the plan's own curve", compare_detail::plan_curve},
    {"optimal", "Kairouz, Oh, Viswanath 2015, Theorem 3.3", compare_detail::optimal, compare_detail::optimal_fits,
     compare_detail::optimal_most_runs},
    {exact_name, "the law of the privacy loss itself", compare_detail::exact, nullptr,
     std::numeric_limits<double>::infinity(), compare_detail::exact_count},
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

TheoremAnswer answer_of(const Theorem& theorem, const Asked& asked, const CompareOptions& options) {
  Outcome outcome = theorem.apply(asked);
  TheoremAnswer answer{.name = theorem.name,
                       .source = theorem.source,
                       .epsilon = outcome.epsilon,
                       .event_probability = outcome.probability,
                       .obstacle = std::move(outcome.obstacle),
                       .note = std::move(outcome.note)};
  if (options.epsilon && answer.epsilon) answer.largest_count = largest_count(theorem, asked, *options.epsilon);
  return answer;
}

// A theorem that is tight meets the exact cost, but for rounding: then that is named.
bool wins_ties(const TheoremAnswer& answer) { return answer.name == exact_name && answer.note.empty(); }

bool is_better(const TheoremAnswer& answer, const Comparison& than) {
  if (!answer.epsilon || std::isinf(*answer.epsilon)) return false;
  if (!than.best) return true;
  const double best = *than.theorems[*than.best].epsilon;
  return wins_ties(answer) ? *answer.epsilon <= (1 + 1e-9) * best : *answer.epsilon < best;
}

// Unlimited is more than any count, and an exact count more than none.
double rank(const LargestCount& count) { return count.unlimited ? HUGE_VAL : static_cast<double>(count.count); }

// Of equal counts that of least epsilon.
bool counts_better(const TheoremAnswer& answer, const Comparison& than) {
  if (!answer.largest_count || rank(*answer.largest_count) == 0) return false;
  if (!than.best_for_count) return true;
  const TheoremAnswer& best = than.theorems[*than.best_for_count];
  const double here = rank(*answer.largest_count), there = rank(*best.largest_count);
  return here > there || (here == there && (wins_ties(answer) || *answer.epsilon < *best.epsilon));
}

}  // namespace

Comparison compare(const Plan& plan, double delta, const CompareOptions& options) {
  check(delta, options);
  const Workload workload(plan);
  const Asked asked{.workload = workload, .delta = delta, .event = options.event.value_or(delta)};
  Comparison result;
  for (const Theorem& theorem : theorems) {
    if (theorem.name == exact_name && !options.exact) continue;
    TheoremAnswer answer = answer_of(theorem, asked, options);
    if (is_better(answer, result)) result.best = result.theorems.size();
    if (counts_better(answer, result)) result.best_for_count = result.theorems.size();
    result.theorems.push_back(std::move(answer));
  }
  return result;
}

}  // namespace renyi
