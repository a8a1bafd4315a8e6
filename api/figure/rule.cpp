// Evaluates the rules. Between two points every formula is a sum of terms of one sign, so that no digits are lost.
#include "api/figure/rule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace renyi::api::figure {
namespace rule_file {
namespace {

constexpr std::array<std::string_view, all_rules.size()> names{"linear",
                                                               "linear-in-exp-x",
                                                               "linear-in-exp-y",
                                                               "linear-in-log-x",
                                                               "linear-in-log-y",
                                                               "log-log",
                                                               "log-log-complement",
                                                               "log-moment",
                                                               "next",
                                                               "previous"};

// How far x is on the way from x0 (0) to x1 (1), in the coordinate of the rule.
double along(Rule rule, double x, double x0, double x1) {
  switch (rule) {
    case Rule::linear_in_exp_x:
      return x1 > x0 ? std::exp(x - x1) * std::expm1(x0 - x) / std::expm1(x0 - x1)
                     : std::expm1(x - x0) / std::expm1(x1 - x0);
    case Rule::linear_in_log_x:
    case Rule::log_log: return std::log(x / x0) / std::log(x1 / x0);
    case Rule::log_log_complement: return (std::log1p(-x) - std::log1p(-x0)) / (std::log1p(-x1) - std::log1p(-x0));
    default: return (x - x0) / (x1 - x0);
  }
}

// A weight of 0 takes no part, also not of an infinite value.
double mixed(double u, double a, double w, double b) { return (u == 0 ? 0 : u * a) + (w == 0 ? 0 : w * b); }

double with_weights(Rule rule, Point a, Point b, double x, double u, double w) {
  switch (rule) {
    case Rule::linear_in_exp_y: {
      const double most = std::max(a.y, b.y);
      return most + std::log(mixed(u, std::exp(a.y - most), w, std::exp(b.y - most)));
    }
    case Rule::linear_in_log_y:
    case Rule::log_log: return std::exp(mixed(u, std::log(a.y), w, std::log(b.y)));
    case Rule::log_log_complement: return -std::expm1(mixed(u, std::log1p(-a.y), w, std::log1p(-b.y)));
    case Rule::log_moment: return x > 1 ? mixed(u, (a.x - 1) * a.y, w, (b.x - 1) * b.y) / (x - 1) : b.y;
    default: return mixed(u, a.y, w, b.y);
  }
}

}  // namespace
}  // namespace rule_file

std::string_view to_string(Rule rule) noexcept { return rule_file::names.at(static_cast<std::size_t>(rule)); }

double value_between(Rule rule, Point a, Point b, double x) {
  using namespace rule_file;
  if (x <= a.x) return a.y;
  if (x >= b.x) return b.y;
  if (rule == Rule::next) return b.y;
  if (rule == Rule::previous) return a.y;
  if (std::isnan(a.y) || std::isnan(b.y)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(a.y) || std::isinf(b.y)) return std::numeric_limits<double>::infinity();
  return with_weights(rule, a, b, x, along(rule, x, b.x, a.x), along(rule, x, a.x, b.x));
}

double value_at(const Curve& curve, double x, bool up) {
  const auto first = std::lower_bound(curve.x.begin(), curve.x.end(), x);
  if (first == curve.x.end() || (first == curve.x.begin() && *first != x)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  auto i = static_cast<std::size_t>(first - curve.x.begin());
  if (curve.x[i] != x) return value_between(curve.rule, curve.point(i - 1), curve.point(i), x);
  double value = curve.y[i];
  for (; i < curve.size() && curve.x[i] == x; ++i) {
    value = up ? std::max(value, curve.y[i]) : std::min(value, curve.y[i]);
  }
  return value;
}

double extended(Rule rule, Point a, Point b, double x) {
  const double w = rule_file::along(rule, x, a.x, b.x);
  return rule_file::with_weights(rule, a, b, x, 1 - w, w);
}

}  // namespace renyi::api::figure
