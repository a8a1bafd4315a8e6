// Laws of filters over every mechanism and every kind of budget. A filter that is fed a fixed plan admits it if and
// only if the plan's bound of the same kind is within the budget.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "relate/divergence_growth.h"
#include "renyi/error.h"
#include "renyi/extras/relate.h"
#include "renyi/filter.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::filter_laws_test {
namespace {

constexpr double approx_delta = 1e-6, omega = 8, share_order = 5, share_delta = 1e-6;
const std::vector<double> curve_orders{1.5, 4, 32};

double mass_of(const Curve& curve) {
  return std::max(curve.infinite_mass(Direction::remove).upper(), curve.infinite_mass(Direction::add).upper());
}

std::shared_ptr<const Curve> finite_part(const std::shared_ptr<const Curve>& curve) {
  const auto finite = curve->finite_part();
  return finite ? finite : curve;
}

// The steps of a plan one by one, without their infinite losses.
struct Part {
  std::shared_ptr<const Curve> curve;
  double count = 1;
};
std::vector<Part> parts_of(const Plan& plan) {
  std::vector<Part> parts;
  for (const CountedMechanism& step : plan.analysed()) {
    parts.push_back({finite_part(step.mechanism.curve()), static_cast<double>(step.count)});
  }
  return parts;
}

Interval interval(const Bounded& bounded) { return {bounded.lower(), bounded.upper()}; }

Interval pure_cost(const Plan& plan) {
  if (const auto pure = to_pure(plan); pure.found) return pure.found->epsilon;
  return interval(finite_part(Analysis(plan).curve())->worst_max_loss());
}

// The definition: the sum of the squares of the largest losses.
Interval approx_cost(const Plan& plan) {
  Interval squares{0, 0};
  for (const Part& part : parts_of(plan)) {
    const Bounded most = part.curve->worst_max_loss();
    squares.lower += part.count * most.lower() * most.lower();
    squares.upper += part.count * most.upper() * most.upper();
  }
  const auto epsilon = [](double s) { return std::sqrt(2 * std::log(1 / approx_delta) * s) + s / 2; };
  return {epsilon(squares.lower) * (1 - 1e-14), epsilon(squares.upper) * (1 + 1e-14)};
}

Interval gdp_cost(const Plan& plan) {
  if (const auto gdp = to_gdp(plan); gdp.found) return gdp.found->mu;
  Interval squares{0, 0};
  for (const Part& part : parts_of(plan)) {
    const auto mu = relate::gdp_mu(*part.curve);
    if (!mu) return {0, test::infinity};
    squares.upper += part.count * mu->upper * mu->upper;
  }
  return {0, std::sqrt(squares.upper) * (1 + 1e-14)};
}

// The smallest interval for zCDP and tCDP; plans with infinite losses have one without these.
Interval concentrated_cost(const Plan& plan, std::optional<double> last) {
  if (!last) {
    if (const auto zcdp = to_zcdp(plan); zcdp.found) return zcdp.found->rho;
  } else if (const auto tcdp = to_tcdp(plan, *last); tcdp.found) {
    return tcdp.found->rho;
  }
  const auto curve = finite_part(Analysis(plan).curve());
  if (curve->last_order() < last.value_or(test::infinity)) return {0, test::infinity};
  return relate::smallest_rho(*curve, last.value_or(test::infinity));
}

double share_price() {
  const double a = share_order;
  return -std::log(share_delta) / (a - 1) - std::log(a / (a - 1)) - std::log(a) / (a - 1);
}

Interval divergence_cost(const Plan& plan, double order) {
  return interval(rdp(*finite_part(Analysis(plan).curve()), order));
}

Interval cost_of(const Plan& plan, BudgetKind kind) {
  switch (kind) {
    case BudgetKind::pure: return pure_cost(plan);
    case BudgetKind::zcdp: return concentrated_cost(plan, {});
    case BudgetKind::tcdp: return concentrated_cost(plan, omega);
    case BudgetKind::gdp: return gdp_cost(plan);
    case BudgetKind::approx: return approx_cost(plan);
    case BudgetKind::order: return divergence_cost(plan, 4);
    case BudgetKind::curve: return divergence_cost(plan, curve_orders[1]);
    case BudgetKind::shares: break;
  }
  const Interval divergence = divergence_cost(plan, share_order);
  const double size = share_price() + divergence.upper;
  return {divergence.lower + share_price() - 1e-14 * size, divergence.upper + share_price() + 1e-14 * size};
}

// The budget of this kind whose number is `limit`. The other orders of a curve keep what the plan needs.
Budget budget_of(BudgetKind kind, double limit, const Plan& plan, double mass) {
  const auto make = [&]() -> Budget {
    switch (kind) {
      case BudgetKind::pure: return Budget::pure(limit);
      case BudgetKind::zcdp: return Budget::zcdp(limit);
      case BudgetKind::tcdp: return Budget::tcdp(limit, omega);
      case BudgetKind::gdp: return Budget::gdp(limit);
      case BudgetKind::approx: return Budget::approx(limit, approx_delta);
      case BudgetKind::order: return Budget::order(4, limit);
      case BudgetKind::curve: {
        Budget budget = Budget::curve_of(plan, curve_orders);
        for (OrderLimit& other : budget.limits) other.epsilon *= 1 + 1e-12;
        budget.limits[1].epsilon = limit;
        return budget;
      }
      case BudgetKind::shares: break;
    }
    return Budget::shares(limit, {{share_order, share_delta}});
  };
  return make().with_infinite_mass(mass);
}

// The mass of the whole plan, with room for rounding in other orders.
double mass_of(const Plan& plan) { return mass_of(*compose(plan)) * (1 + 1e-12); }

// Whether steps that are charged one by one are all admitted.
bool admits_one_by_one(Filter filter, const std::vector<CountedMechanism>& steps) {
  return std::all_of(steps.begin(), steps.end(), [&](const CountedMechanism& step) {
    for (std::int64_t i = 0; i < step.count; ++i) {
      if (!filter.charge(step.mechanism).runs) return false;
    }
    return true;
  });
}

void expect_admitted(const Budget& budget, const Plan& plan) {
  const Filter filter(budget);
  EXPECT_TRUE(filter.may_run(plan).runs) << filter.may_run(plan).reason;
  EXPECT_TRUE(filter.may_run(plan.merged().front().mechanism).runs);
  auto steps = plan.merged();
  EXPECT_TRUE(admits_one_by_one(filter, steps));
  std::reverse(steps.begin(), steps.end());
  EXPECT_TRUE(admits_one_by_one(filter, steps));
}

void expect_refused(const Budget& budget, const Plan& plan) {
  const Filter filter(budget);
  EXPECT_FALSE(filter.may_run(plan).runs);
  auto steps = plan.merged();
  EXPECT_FALSE(admits_one_by_one(filter, steps));
  std::reverse(steps.begin(), steps.end());
  EXPECT_FALSE(admits_one_by_one(filter, steps));
}

// A filter with room for everything of this kind.
Filter unlimited(BudgetKind kind, double mass) { return Filter(budget_of(kind, 1e20, Plan().add(PureDp{1e40}), mass)); }

// Returns whether the plan has a cost of the kind, which must agree with the filter.
bool has_cost(const Plan& plan, BudgetKind kind, double mass) {
  const Filter before = unlimited(kind, mass);
  Filter filter = before;
  try {
    filter.charge(plan);
    return true;
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "step");
    EXPECT_TRUE(filter.history().steps().empty());
    EXPECT_EQ(write_filter(filter), write_filter(before));
    return false;
  }
}

// Sums of the same steps may be rounded in another order, or by other formulas.
constexpr double rounding = 1e-12;

// The filter decides by the bound of the plan itself, to the last digit.
bool bounds_are_the_same(BudgetKind kind, const Plan& plan) {
  if (kind == BudgetKind::order || kind == BudgetKind::curve) return true;
  return kind == BudgetKind::pure && relate::steps_with_loss(plan).size() == plan.merged().size();
}

int expect_law(const Plan& plan, BudgetKind kind) {
  const double mass = mass_of(plan);
  if (!(mass < 1) || !has_cost(plan, kind, mass)) return 0;
  const Interval cost = cost_of(plan, kind);
  EXPECT_TRUE(std::isfinite(cost.upper));
  if (!std::isfinite(cost.upper) || (cost.upper > 0 && cost.upper < 1e-90) || cost.upper > 1e20) return 0;
  expect_admitted(budget_of(kind, cost.upper * (1 + rounding), plan, mass), plan);
  if (bounds_are_the_same(kind, plan)) {
    EXPECT_TRUE(Filter(budget_of(kind, cost.upper, plan, mass)).may_run(plan).runs);
  }
  if (cost.lower > 1e-90) expect_refused(budget_of(kind, cost.lower * (1 - 1e-6), plan, mass), plan);
  if (mass > 0) expect_refused(budget_of(kind, cost.upper, plan, mass * (1 - 1e-6)), plan);
  return 1;
}

std::string name(const testing::TestParamInfo<BudgetKind>& kind) { return std::string(to_string(kind.param)); }
class FilterLaws : public testing::TestWithParam<BudgetKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, FilterLaws, testing::ValuesIn(all_budget_kinds), name);

TEST_P(FilterLaws, AFixedPlanIsAdmittedIfItsBoundIsWithinTheBudget) {
  int plans = 0;
  const auto settings = test::everyday_settings();
  for (const Mechanism& m : settings) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] { plans += expect_law(Plan().add(m, 3), GetParam()); });
  }
  EXPECT_GE(plans, 15);
}

TEST_P(FilterLaws, SoAreMixedPlans) {
  int plans = 0;
  auto settings = test::everyday_settings();
  std::erase_if(settings, [](const Mechanism& m) {
    const double mass = mass_of(Plan().add(m));
    return !(mass < 1) || !has_cost(Plan().add(m), GetParam(), mass);
  });
  const std::size_t n = settings.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Mechanism &a = settings[i], &b = settings[(i + 5) % n], &c = settings[(i + 9) % n];
    SCOPED_TRACE(test::describe(a) + " " + test::describe(b) + " " + test::describe(c));
    test::expect_no_throw([&] {
      plans += expect_law(Plan().add(a, 2).add(b, 1), GetParam());
      plans += expect_law(Plan().add(a, 1).add(b, 2).add(c, 1), GetParam());
    });
  }
  EXPECT_GE(plans, 20);
}

// The budget is that of ten such steps.
TEST_P(FilterLaws, HeadroomIsTheLastCountThatRuns) {
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const Plan plan = Plan().add(m, 10);
      const double mass = mass_of(plan);
      if (!(mass < 1) || !has_cost(plan, GetParam(), mass)) return;
      const double limit = cost_of(plan, GetParam()).upper * (1 + rounding);
      if (limit > 1e20 || limit < 1e-90) return;
      Filter filter(budget_of(GetParam(), limit, plan, mass));
      std::int64_t before = filter.headroom(m);
      EXPECT_GE(before, 10);
      for (int i = 0; i < 2; ++i) {
        const std::int64_t h = filter.headroom(m);
        EXPECT_LE(h, before);
        EXPECT_TRUE(filter.may_run(m, h).runs);
        if (h < std::numeric_limits<std::int64_t>::max() - 4) {
          EXPECT_FALSE(filter.may_run(m, h + 1).runs);
        }
        filter.charge(m, 4);
        before = h - 4;
        EXPECT_EQ(filter.headroom(m), before);
      }
    });
  }
}

// The same steps, however they are divided and ordered, get the same answers about the next one.
TEST_P(FilterLaws, DivisionAndOrderOfChargesDoNotMatter) {
  const auto settings = test::everyday_settings();
  for (std::size_t i = 0; i + 1 < settings.size(); ++i) {
    const Mechanism &a = settings[i], &b = settings[i + 1];
    SCOPED_TRACE(test::describe(a) + " " + test::describe(b));
    test::expect_no_throw([&] {
      const Plan plan = Plan().add(a, 4).add(b, 3);
      const double mass = mass_of(plan);
      if (!(mass < 1) || !has_cost(plan, GetParam(), mass)) return;
      const double limit = cost_of(plan, GetParam()).upper * (1 + rounding);
      if (limit > 1e20 || limit < 1e-90) return;
      const Filter empty(budget_of(GetParam(), limit, plan, mass));
      Filter whole = empty, single = empty, mixed = empty, as_plan = empty;
      EXPECT_TRUE(whole.charge(a, 3).runs && whole.charge(b, 2).runs);
      for (int k = 0; k < 2; ++k) EXPECT_TRUE(single.charge(b).runs);
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(single.charge(a).runs);
      EXPECT_TRUE(mixed.charge(a).runs && mixed.charge(b).runs && mixed.charge(NoOp{}, 1'000'000).runs);
      EXPECT_TRUE(mixed.charge(a, 2).runs && mixed.charge(b).runs);
      EXPECT_TRUE(as_plan.charge(Plan().add(Plan().add(b, 2).add(a, 3))).runs);
      const Filter restored = read_filter(write_filter(mixed));
      for (const Plan& next : {Plan().add(a), Plan().add(b), Plan().add(a).add(b), Plan().add(a).add(b, 2),
                               Plan().add(a, 2).add(b), Plan().add(b, 40)}) {
        const bool runs = whole.may_run(next).runs;
        for (const Filter& other : {single, mixed, as_plan, restored}) EXPECT_EQ(other.may_run(next).runs, runs);
      }
    });
  }
}

TEST_P(FilterLaws, FilesKeepFiltersAtTheirVeryLimit) {
  for (const Mechanism& m : test::everyday_settings()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const Plan plan = Plan().add(m, 7);
      const double mass = mass_of(plan);
      if (!(mass < 1) || !has_cost(plan, GetParam(), mass)) return;
      const double limit = cost_of(plan, GetParam()).upper * (1 + rounding);
      if (limit > 1e20 || (limit < 1e-90 && limit > 0)) return;
      Filter filter(budget_of(GetParam(), limit, plan, mass));
      for (int i = 0; i < 7; ++i) EXPECT_TRUE(filter.charge(m).runs);
      const std::string text = write_filter(filter);
      const Filter restored = read_filter(text);
      EXPECT_EQ(write_filter(restored), text);
      EXPECT_EQ(restored.budget(), filter.budget());
      EXPECT_EQ(restored.headroom(m), filter.headroom(m));
      // Lowered beneath what is spent it still reads, and admits nothing that costs.
      const double lower = GetParam() == BudgetKind::shares ? limit - 1e-3 * (limit - share_price()) : limit / 2;
      filter.set_budget(budget_of(GetParam(), lower, plan, mass));
      EXPECT_EQ(read_filter(write_filter(filter)).headroom(m), filter.headroom(m));
      if (cost_of(plan, BudgetKind::order).lower > 1e-9) {
        EXPECT_EQ(filter.headroom(m), 0);
      }
    });
  }
}

TEST_P(FilterLaws, NothingCostsNothing) {
  const Plan none = Plan().add(PureDp{0});
  const double limit = GetParam() == BudgetKind::shares ? share_price() + 0.1 : 0;
  for (const Mechanism& m : {Mechanism(NoOp{}), Mechanism(PureDp{0}), Mechanism(SampledGaussian{0, 1})}) {
    const Filter filter(budget_of(GetParam(), limit, none, 0));
    EXPECT_EQ(filter.headroom(m), std::numeric_limits<std::int64_t>::max()) << test::describe(m);
  }
}

}  // namespace
}  // namespace renyi::filter_laws_test
