// Which kind of filter lets most steps run, beside the same steps fixed in advance.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "filter/design_form.h"
#include "filter/design_workload.h"
#include "filter/largest_count.h"
#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/filter_design.h"
#include "renyi/limits.h"

namespace renyi {

namespace design_file {
namespace {

using filter::SizedBudgets;
using filter::Workload;

void check(double epsilon, double delta, const FilterDesignOptions& options, const Workload& workload) {
  constexpr double least = 1e-6, most = 1e6, least_delta = 1e-300;
  if (!(epsilon >= least && epsilon <= most)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), fmt::format("a number in [{}, {}]", least, most));
  }
  if (delta != 0 && !(delta >= least_delta && delta < 1)) {
    throw InvalidArgument("delta", fmt::format("{}", delta), fmt::format("0, or a number in [{}, 1)", least_delta));
  }
  constexpr std::size_t most_counts = 1000;
  if (options.counts.size() > most_counts) {
    throw InvalidArgument("counts", fmt::format("{} counts", options.counts.size()), "at most 1000 counts");
  }
  for (std::size_t i = 0; i < options.counts.size(); ++i) {
    if (options.counts[i] >= 1 && options.counts[i] <= workload.most()) continue;
    throw InvalidArgument(fmt::format("counts[{}]", i), fmt::format("{}", options.counts[i]),
                          fmt::format("a whole number from 1 to {}", workload.most()));
  }
}

// These kinds promise nothing without a delta.
bool needs_delta(BudgetKind kind) { return kind != BudgetKind::pure; }
class Designer {
 public:
  Designer(const Workload& workload, double epsilon, double delta, const std::vector<std::int64_t>& counts)
      : workload_(workload), epsilon_(epsilon), delta_(delta), counts_(counts) {}

  // The count by Renyi says for how many repetitions orders are chosen.
  KindDesign of(BudgetKind kind, std::int64_t renyi_count) const {
    KindDesign design{.kind = kind};
    if (needs_delta(kind) && delta_ == 0) {
      design.obstacle = "needs a delta above 0";
      return design;
    }
    try {
      stop_if_overdue();
      fill(design, std::max<std::int64_t>(renyi_count, 1));
    } catch (const Unsupported& error) {
      design = {.kind = kind, .obstacle = error.why()};
    } catch (const LimitReached& error) {
      design = {.kind = kind, .obstacle = error.why()};
    } catch (const InvalidArgument& error) {
      // The question was checked, so that it is a number of the budget itself that no budget may have.
      design = {.kind = kind, .obstacle = fmt::format("its budget cannot be stated: {}", error.what())};
    }
    return design;
  }

 private:
  // Whether the orders are chosen anew for each count. For tCDP of several steps that would take too long.
  bool has_own_orders(BudgetKind kind) const {
    if (kind == BudgetKind::tcdp) return workload_.counts_steps();
    return kind == BudgetKind::order || kind == BudgetKind::curve || kind == BudgetKind::shares;
  }

  SizedBudgets budgets(BudgetKind kind, std::int64_t count) const {
    return {workload_, filter::form_of(kind, workload_, count, delta_), delta_};
  }

  void fill(KindDesign& design, std::int64_t anchor) const {
    SizedBudgets for_target = budgets(design.kind, anchor);
    const std::int64_t expected = workload_.expected();
    SizedBudgets for_expected = budgets(design.kind, expected);
    design.epsilon = for_expected.epsilon_for(expected);
    for (const std::int64_t count : counts_) {
      stop_if_overdue();
      design.epsilons.push_back(has_own_orders(design.kind) ? budgets(design.kind, count).epsilon_for(count)
                                                            : for_expected.epsilon_for(count));
    }
    design.budget =
        design.kind == BudgetKind::curve ? whole_curve(for_target, anchor) : for_target.largest_within(epsilon_);
    if (design.budget) design.count = for_target.admitted_by(*design.budget);
    if (design.count > 0) return;
    design.budget.reset();
    design.obstacle = one_needs(for_target.epsilon_for(1));
  }

  // Why not even one repetition is admitted.
  std::string one_needs(double epsilon) const {
    const char* noun = workload_.counts_steps() ? "step" : "run of the workload";
    if (std::isinf(epsilon)) return fmt::format("no finite epsilon is known for one {} at this delta", noun);
    return fmt::format("one {} alone needs epsilon {:.5g}", noun, epsilon);
  }

  // The curve of as many repetitions as meet the target.
  std::optional<Budget> whole_curve(SizedBudgets& budgets, std::int64_t anchor) const {
    std::int64_t count = anchor;
    if (!(budgets.epsilon_for(count) <= epsilon_)) {
      count = filter::largest_count(anchor - 1, [&](std::int64_t n) { return budgets.epsilon_for(n) <= epsilon_; });
    }
    return count > 0 ? budgets.smallest_for(count) : std::nullopt;
  }

  const Workload& workload_;
  double epsilon_;
  double delta_;
  const std::vector<std::int64_t>& counts_;
};

FixedDesign fixed_by_renyi(const Workload& workload, double epsilon, double delta,
                           const std::vector<std::int64_t>& counts) {
  FixedDesign fixed;
  fixed.epsilon = workload.renyi(workload.expected(), delta).upper;
  fixed.count = filter::largest_count(
      workload.most(), [&](std::int64_t count) { return workload.renyi(count, delta).upper <= epsilon; });
  for (const std::int64_t count : counts) fixed.epsilons.push_back(workload.renyi(count, delta).upper);
  return fixed;
}

FixedDesign fixed_exactly(const Workload& workload, double epsilon, double delta,
                          const std::vector<std::int64_t>& counts) {
  FixedDesign fixed;
  const Cost expected = renyi::epsilon(workload.repeated(workload.expected()), delta, {.renyi = false});
  if (!expected.is_exact()) {
    fixed.obstacle = expected.exact ? "no engine computes it for this workload" : expected.unavailable();
    return fixed;
  }
  fixed.epsilon = expected.upper();
  // Narrower intervals from the lattice would take many times as long, and change a count by less than one in a
  // thousand.
  const ExactOptions quick{.tolerance = std::clamp(3e-4 * epsilon, 1e-6, 1e-3)};
  for (const std::int64_t count : counts) {
    const CostOptions options{.renyi = false, .exactness = quick};
    const Cost cost = renyi::epsilon(workload.repeated(count), delta, options);
    if (!cost.exact) return {.obstacle = cost.unavailable()};
    fixed.epsilons.push_back(cost.upper());
  }
  try {
    fixed.count = calibrate(workload.repeated(workload.expected()), {.path = {0}, .parameter = "count"},
                            {.epsilon = epsilon, .delta = delta}, {.by = Accounting::exact, .exact = quick})
                      .count;
  } catch (const Unsupported&) {
    fixed.count = 0;  // one repetition exceeds the target
  } catch (const LimitReached& error) {
    return {.obstacle = error.why()};
  }
  return fixed;
}

// Simple guarantees first, then what admits most other steps: a filter by one order admits whatever one by tCDP up to
// that order admits, or one by a curve that contains it.
constexpr std::array preferred{BudgetKind::pure, BudgetKind::zcdp,   BudgetKind::gdp,    BudgetKind::order,
                               BudgetKind::tcdp, BudgetKind::approx, BudgetKind::shares, BudgetKind::curve};

std::optional<std::size_t> best_of(const std::vector<KindDesign>& kinds) {
  std::optional<std::size_t> best;
  for (const BudgetKind kind : preferred) {
    const auto index = static_cast<std::size_t>(
        std::find_if(kinds.begin(), kinds.end(), [=](const KindDesign& design) { return design.kind == kind; }) -
        kinds.begin());
    if (kinds[index].count > (best ? kinds[*best].count : 0)) best = index;
  }
  return best;
}

}  // namespace
}  // namespace design_file

FilterDesign design_filter(const Plan& plan, double epsilon, double delta, const FilterDesignOptions& options) {
  const filter::Workload workload(plan);
  design_file::check(epsilon, delta, options, workload);
  FilterDesign design{.epsilon = epsilon,
                      .delta = delta,
                      .counts_steps = workload.counts_steps(),
                      .expected = workload.expected(),
                      .counts = options.counts};
  design.exact = design_file::fixed_exactly(workload, epsilon, delta, options.counts);
  design.renyi = design_file::fixed_by_renyi(workload, epsilon, delta, options.counts);
  const design_file::Designer designer(workload, epsilon, delta, options.counts);
  for (const BudgetKind kind : all_budget_kinds) {
    design.kinds.push_back(designer.of(kind, design.renyi.count.value_or(1)));
  }
  design.best = design_file::best_of(design.kinds);
  return design;
}

}  // namespace renyi
