// Edge cases of budgets, filters and their files: many distinct steps, huge counts, numbers that are none, and files
// that were edited.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/filter.h"
#include "renyi/rdp.h"
#include "support/field_of_error.h"
#include "support/random_inputs.h"

namespace renyi::filter_property_test {
namespace {

using test::field_of;
using test::RandomInputs;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(FilterProperty, BudgetsTakeNumbersOnly) {
  for (const double bad : {nan, infinity, -infinity, -1.0, -1e-300, 1e-200, 1e60}) {
    EXPECT_EQ(field_of([&] { Budget::pure(bad); }), "epsilon") << bad;
    EXPECT_EQ(field_of([&] { Budget::zcdp(bad); }), "rho") << bad;
    EXPECT_EQ(field_of([&] { Budget::tcdp(bad, 4); }), "rho") << bad;
    EXPECT_EQ(field_of([&] { Budget::gdp(bad); }), "mu") << bad;
    EXPECT_EQ(field_of([&] { Budget::approx(bad, 1e-5); }), "epsilon") << bad;
    EXPECT_EQ(field_of([&] { Budget::order(2, bad); }), "epsilon") << bad;
    EXPECT_EQ(field_of([&] { Budget::curve({{2, 1}, {4, bad}}); }), "limits[1].epsilon") << bad;
    EXPECT_EQ(field_of([&] { Budget::shares(bad, {{2, 1e-5}}); }), "epsilon") << bad;
  }
  for (const double bad : {nan, infinity, -infinity, -1e-5, 1.0, 2.0}) {
    EXPECT_EQ(field_of([&] { Budget::approx(1, bad); }), "delta") << bad;
    EXPECT_EQ(field_of([&] { Budget::shares(1, {{2, bad}}); }), "shares[0].delta") << bad;
    EXPECT_EQ(field_of([&] { Budget::pure(1).with_infinite_mass(bad); }), "infinite_mass") << bad;
  }
  EXPECT_EQ(field_of([&] { Budget::approx(1, 0); }), "delta");
  for (const double bad : {nan, -infinity, 1.0, 0.5, -2.0, 1e200}) {
    EXPECT_EQ(field_of([&] { Budget::order(bad, 1); }), "order") << bad;
    EXPECT_EQ(field_of([&] { Budget::tcdp(1, bad); }), "omega") << bad;
    EXPECT_EQ(field_of([&] { Budget::curve({{bad, 1}}); }), "limits[0].order") << bad;
    EXPECT_EQ(field_of([&] { Budget::shares(1, {{bad, 1e-5}}); }), "shares[0].order") << bad;
  }
  EXPECT_EQ(field_of([] { Budget::curve({}); }), "limits");
  EXPECT_EQ(field_of([] { Budget::curve({{2, 1}, {2, 3}}); }), "limits");
  EXPECT_EQ(field_of([] { Budget::shares(1, {}); }), "shares");
  EXPECT_EQ(field_of([] { Budget::shares(1, {{2, 0.5}, {3, 0.5}}); }), "shares");
}

// The members of a budget can be changed one by one; a filter takes only what the functions of Budget make.
TEST(FilterProperty, BudgetsWhoseNumbersDoNotBelongTogetherAreRefused) {
  Budget full = Budget::shares(3, {{6, 1e-5}, {64, 1e-5}});
  full.delta = 1e-5;
  EXPECT_EQ(field_of([&] { Filter{full}; }), "budget");
  EXPECT_EQ(field_of([&] { Filter(Budget::shares(3, {{6, 1e-6}, {64, 1e-6}}), {}, full); }), "budget");
  Budget curve = Budget::curve({{2, 1}, {4, 2}});
  curve.limits[1].epsilon = nan;
  EXPECT_EQ(field_of([&] { Filter{curve}; }), "limits[1].epsilon");
  curve.limits.clear();
  EXPECT_EQ(field_of([&] { Filter{curve}; }), "limits");
  curve.kind = BudgetKind::order;
  EXPECT_EQ(field_of([&] { Filter{curve}; }), "limits");
  Budget pure = Budget::pure(1);
  pure.epsilon = infinity;
  EXPECT_EQ(field_of([&] { Filter{pure}; }), "epsilon");
  pure = Budget::pure(1);
  pure.infinite_mass = -1;
  EXPECT_EQ(field_of([&] { Filter{pure}; }), "infinite_mass");
  pure = Budget::pure(1);
  pure.rho = nan;
  EXPECT_EQ(field_of([&] { Filter{pure}; }), "budget");
  Filter filter(Budget::shares(3, {{6, 1e-5}, {64, 1e-5}}));
  EXPECT_EQ(field_of([&] { filter.set_budget(full); }), "budget");
  EXPECT_EQ(filter.budget().delta, filter.cap().delta);
}

TEST(FilterProperty, ABudgetOfNothingAdmitsNothingThatCosts) {
  for (const Budget& budget : {Budget::pure(0), Budget::zcdp(0), Budget::tcdp(0, 5), Budget::gdp(0),
                               Budget::approx(0, 1e-5), Budget::order(2, 0), Budget::curve({{2, 0}, {8, 1}})}) {
    SCOPED_TRACE(std::string(to_string(budget.kind)));
    Filter filter(budget);
    for (const Mechanism& step :
         {Mechanism(PureDp{1e-90}), Mechanism(PureDp{1}), Mechanism(RandomizedResponse{0.51})}) {
      EXPECT_FALSE(filter.charge(step).runs) << test::describe(step);
    }
    EXPECT_TRUE(filter.charge(NoOp{}, most).runs);
    EXPECT_EQ(filter.headroom(NoOp{}), 0);
    EXPECT_EQ(read_filter(write_filter(filter)).history(), filter.history());
    EXPECT_EQ(epsilon(filter.guarantee(), 0.5 * (budget.delta == 0 ? 1 : budget.delta)).upper() > 0,
              budget.kind == BudgetKind::approx);
  }
}

TEST(FilterProperty, CountsUpToTheLargestAreSummedSafely) {
  const Mechanism tiny = Gaussian{.stddev = 1e12};
  for (const Budget& budget : {Budget::zcdp(1), Budget::gdp(1), Budget::order(3, 1), Budget::tcdp(1, 9),
                               Budget::curve({{2, 1}, {3, 2}}), Budget::shares(9, {{2, 0.1}, {5, 1e-3}})}) {
    SCOPED_TRACE(std::string(to_string(budget.kind)));
    Filter filter(budget);
    EXPECT_EQ(filter.headroom(tiny), most);
    EXPECT_TRUE(filter.charge(tiny, most - 1).runs);
    EXPECT_EQ(filter.headroom(tiny), 1);
    EXPECT_EQ(filter.headroom(NoOp{}), 1);
    const std::string before = write_filter(filter);
    EXPECT_EQ(field_of([&] { filter.may_run(tiny, 2); }), "count");
    EXPECT_EQ(field_of([&] { filter.charge(tiny, most); }), "count");
    EXPECT_EQ(field_of([&] { filter.charge(Plan().add(tiny).add(NoOp{})); }), "count");
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, -most}) {
      EXPECT_EQ(field_of([&] { filter.charge(tiny, bad); }), "count");
      EXPECT_EQ(field_of([&] { filter.may_run(Plan().add(tiny), bad); }), "count");
    }
    EXPECT_EQ(write_filter(filter), before);
    EXPECT_TRUE(filter.charge(tiny).runs);
    EXPECT_EQ(filter.headroom(tiny), 0);
    EXPECT_EQ(read_filter(write_filter(filter)).headroom(tiny), 0);
  }
  // Two kinds of steps whose divergences are no lines: their composed bound is asked for at every count.
  Filter filter(Budget::zcdp(1e30));
  EXPECT_TRUE(filter.charge(Laplace{1}, most / 4 * 3).runs);
  EXPECT_TRUE(filter.charge(RandomizedResponse{0.7, 3}, most / 16).runs);
  filter.set_budget(Budget::zcdp(1));
  EXPECT_EQ(field_of([&] { filter.may_run(Laplace{1}, most / 2); }), "count");
  EXPECT_FALSE(filter.may_run(Laplace{1}).runs);
}

TEST(FilterProperty, ManyDistinctStepsAreSummedAndKept) {
  constexpr int steps = 100'000;
  Filter filter(Budget::zcdp(1));
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double rho = 1e-6 + 1e-13 * i;
    if (!filter.charge(Zcdp{rho}).runs) FAIL() << i;
    sum += rho;
  }
  EXPECT_EQ(filter.history().merged().size(), static_cast<std::size_t>(steps));
  const Balance balance = filter.remaining()[0];
  EXPECT_GE(balance.spent, sum * (1 - 1e-12));
  EXPECT_LE(balance.spent, sum * (1 + 1e-9));
  EXPECT_EQ(filter.headroom(Zcdp{0.01}), static_cast<std::int64_t>((1 - sum) / 0.01));
}

Filter charged_filter() {
  Filter filter(Budget::zcdp(0.5).with_infinite_mass(1e-5), {}, Budget::zcdp(0.75).with_infinite_mass(1e-5));
  filter.charge(Gaussian{.stddev = 4}, 3);
  filter.charge(Laplace{.scale = 20}, 7);
  filter.charge(ApproxDp{0.1, 1e-6}, 2);
  return filter;
}

// Every character of a file that is replaced by another one: the file is refused by a typed error, or nothing that it
// says has changed.
TEST(FilterProperty, EveryEditedCharacterIsNoticed) {
  const Filter filter = charged_filter();
  const std::string text = write_filter(filter);
  EXPECT_EQ(write_filter(read_filter(text)), text);
  std::size_t noticed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char other : {'0', '9', '.', 'e', '"', ' ', '}', ','}) {
      std::string edited = text;
      if (edited[i] == other) continue;
      edited[i] = other;
      try {
        EXPECT_EQ(write_filter(read_filter(edited)), text) << edited;
      } catch (const InvalidArgument&) {
        ++noticed;
      }
    }
    EXPECT_THROW(read_filter(text.substr(0, i)), InvalidArgument);
  }
  EXPECT_GE(noticed, 6 * text.size());
}

TEST(FilterProperty, EditedValuesAreNoticed) {
  const auto document = nlohmann::ordered_json::parse(write_filter(charged_filter()));
  const auto refused = [&](const auto& edit) {
    auto edited = document;
    edit(edited);
    return field_of([&] { read_filter(edited.dump()); });
  };
  EXPECT_EQ(field_of([&] { read_filter(document.dump()); }), "none");
  EXPECT_EQ(refused([](auto& file) { file["budget"]["rho"] = 0.7; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["cap"]["rho"] = 7; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["budget"]["infinite_mass"] = 1e-6; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["steps"].erase(0); }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["steps"][0]["count"] = 2; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["neighbors"] = "replace-one"; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file.erase("checksum"); }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["checksum"] = 3; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["checksum"] = "crc64:0000000000000000"; }), "checksum");
  EXPECT_EQ(refused([](auto& file) { file["renyi-filter"] = 2; }), "renyi-filter");
  EXPECT_EQ(refused([](auto& file) { file["more"] = 2; }), "more");
  EXPECT_THROW(read_filter(""), InvalidArgument);
  EXPECT_THROW(read_filter("[]"), InvalidArgument);
  EXPECT_THROW(read_filter(R"({"renyi-filter": 1})"), InvalidArgument);
}

// Any mechanism with any parameters, at any budget: an answer or a typed error, and what was charged is within.
TEST(FilterProperty, AnyStepGetsAnAnswerOrATypedError) {
  int answers = 0;
  test::for_random_cases(0.05, [&](RandomInputs& random) {
    const double x = random.log_uniform(1e-3, 1e3), mass = random.chance(0.5) ? 0 : random.log_uniform(1e-9, 0.1);
    const std::vector<Budget> budgets{Budget::pure(x),
                                      Budget::zcdp(x),
                                      Budget::tcdp(x, 7),
                                      Budget::gdp(x),
                                      Budget::approx(x, 1e-5),
                                      Budget::order(3, x),
                                      Budget::curve({{2, x}, {infinity, 10 * x}}),
                                      Budget::shares(x, {{2, 1e-3}, {20, 1e-5}})};
    Filter filter(budgets[random.below(budgets.size())].with_infinite_mass(mass));
    for (int i = 0; i < 4; ++i) {
      const Mechanism step = random.mechanism();
      SCOPED_TRACE(test::describe(step));
      const std::string before = write_filter(filter);
      bool runs = false;
      try {
        runs = filter.charge(step, random.count()).runs;
        ++answers;
      } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.path(), "count");  // more than 2^63-1 steps in all
      } catch (const Unsupported&) {
      } catch (const NotConverged&) {
      }
      if (!runs) {
        EXPECT_EQ(write_filter(filter), before);
      }
      for (const Balance& balance : filter.remaining()) {
        EXPECT_FALSE(std::isnan(balance.spent) || std::isnan(balance.left));
        EXPECT_GE(balance.left, 0);
        if (filter.budget().kind != BudgetKind::shares) {
          EXPECT_TRUE(balance.within) << balance.name;
        }
      }
      if (runs) {
        EXPECT_EQ(write_filter(read_filter(write_filter(filter))), write_filter(filter));
      }
    }
  });
  EXPECT_GT(answers, 0);
}

}  // namespace
}  // namespace renyi::filter_property_test
