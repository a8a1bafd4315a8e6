// The rule by which a curve continues between its points (docs/format/figure.md), and its evaluation.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace renyi::api::figure {

enum class Rule {
  linear,              // straight in x and y
  linear_in_exp_x,     // in exp(x) and y
  linear_in_exp_y,     // in x and exp(y)
  linear_in_log_x,     // in ln x and y
  linear_in_log_y,     // in x and ln y
  log_log,             // in ln x and ln y
  log_log_complement,  // in ln(1-x) and ln(1-y)
  log_moment,          // in x and (x-1) y
  next,                // the value of the next point, at once
  previous,            // the value of the previous point, until the next one
};
inline constexpr std::array all_rules{Rule::linear,
                                      Rule::linear_in_exp_x,
                                      Rule::linear_in_exp_y,
                                      Rule::linear_in_log_x,
                                      Rule::linear_in_log_y,
                                      Rule::log_log,
                                      Rule::log_log_complement,
                                      Rule::log_moment,
                                      Rule::next,
                                      Rule::previous};
// Returns the name in documents, such as "linear-in-exp-x".
std::string_view to_string(Rule rule) noexcept;

inline bool is_step(Rule rule) { return rule == Rule::next || rule == Rule::previous; }

struct Point {
  double x = 0;
  double y = 0;
};

// Points with ascending x; y may be infinite, and NaN if it is unknown.
struct Curve {
  std::vector<double> x{};
  std::vector<double> y{};
  Rule rule = Rule::linear;

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
  bool empty() const { return x.empty(); }
  std::size_t size() const { return x.size(); }
  Point point(std::size_t i) const { return {x[i], y[i]}; }
};

// Returns the value of the rule at x from the points a and b, where a.x <= x <= b.x.
double value_between(Rule rule, Point a, Point b, double x);
// Returns the value of the curve; NaN outside of its points. Where it jumps, `up` selects the larger value.
double value_at(const Curve& curve, double x, bool up = true);

// Returns the value at x of the curve through a and b that is straight in the coordinates of the rule, also outside of
// [a.x, b.x]. The rule is no step.
double extended(Rule rule, Point a, Point b, double x);

}  // namespace renyi::api::figure
