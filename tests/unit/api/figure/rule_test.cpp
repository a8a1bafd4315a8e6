// The rules, beside the formulas of docs/format/figure.md in the coordinates in which they are straight.
#include "api/figure/rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace renyi::api::figure::rule_test {
namespace {

struct Coordinates {
  Rule rule;
  double (*u)(double x);
  double (*v)(double x, double y);
};

const Coordinates all[] = {
    {Rule::linear, [](double x) { return x; }, [](double, double y) { return y; }},
    {Rule::linear_in_exp_x, [](double x) { return std::exp(x); }, [](double, double y) { return y; }},
    {Rule::linear_in_exp_y, [](double x) { return x; }, [](double, double y) { return std::exp(y); }},
    {Rule::linear_in_log_x, [](double x) { return std::log(x); }, [](double, double y) { return y; }},
    {Rule::linear_in_log_y, [](double x) { return x; }, [](double, double y) { return std::log(y); }},
    {Rule::log_log, [](double x) { return std::log(x); }, [](double, double y) { return std::log(y); }},
    {Rule::log_log_complement, [](double x) { return std::log1p(-x); },
     [](double, double y) { return std::log1p(-y); }},
    {Rule::log_moment, [](double x) { return x; }, [](double x, double y) { return (x - 1) * y; }},
};

TEST(Rules, AreStraightInTheirCoordinates) {
  for (const Coordinates& one : all) {
    const bool moments = one.rule == Rule::log_moment;
    const Point a{moments ? 1.5 : 0.1, 0.25}, b{moments ? 4 : 0.9, 0.75};
    for (const double part : {0.1, 0.5, 0.9}) {
      const double x = a.x + part * (b.x - a.x), y = value_between(one.rule, a, b, x);
      const double w = (one.u(x) - one.u(a.x)) / (one.u(b.x) - one.u(a.x));
      const double straight = (1 - w) * one.v(a.x, a.y) + w * one.v(b.x, b.y);
      EXPECT_NEAR(one.v(x, y), straight, 1e-14) << to_string(one.rule);
      EXPECT_NEAR(extended(one.rule, a, b, x), y, 1e-14) << to_string(one.rule);
    }
    EXPECT_EQ(value_between(one.rule, a, b, a.x), a.y);
    EXPECT_EQ(value_between(one.rule, a, b, b.x), b.y);
  }
}

TEST(Rules, KeepTheirDigitsFarFromOne) {
  // The value next to the smaller end is not lost in the rounding of the larger one.
  EXPECT_NEAR(value_between(Rule::linear_in_exp_x, {0, 1}, {40, 1e-30}, 40 - 1e-12) / 1e-12, 1, 1e-2);
  EXPECT_NEAR(value_between(Rule::linear_in_exp_x, {0, 1}, {5000, 0}, 4999), 1 - std::exp(-1), 1e-15);
  EXPECT_NEAR(value_between(Rule::linear_in_exp_y, {0, 5000}, {1, 0}, 0.5), 5000 - std::log(2.0), 1e-12);
}

TEST(Rules, OfStepsAndOfJumps) {
  EXPECT_EQ(value_between(Rule::next, {0, 1}, {2, 3}, 1), 3);
  EXPECT_EQ(value_between(Rule::previous, {0, 1}, {2, 3}, 1), 1);
  const Curve jump{{0, 1, 1, 2}, {5, 4, 2, 1}};
  EXPECT_EQ(value_at(jump, 1, true), 4);
  EXPECT_EQ(value_at(jump, 1, false), 2);
  EXPECT_EQ(value_at(jump, 0.5), 4.5);
  EXPECT_TRUE(std::isnan(value_at(jump, 2.5)));
  EXPECT_TRUE(std::isnan(value_at(jump, -0.5)));
}

TEST(Rules, AreInfiniteBesideInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value_between(Rule::linear, {0, 1}, {2, inf}, 1), inf);
  EXPECT_EQ(value_between(Rule::next, {0, inf}, {2, 3}, 1), 3);
  EXPECT_TRUE(std::isnan(value_between(Rule::linear, {0, 1}, {2, std::nan("")}, 1)));
}

}  // namespace
}  // namespace renyi::api::figure::rule_test
