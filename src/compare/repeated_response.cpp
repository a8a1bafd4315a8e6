// With i wrong answers of k the loss is (k - 2i) e, and P gives i the binomial
// probability w_i of i successes at 1/(1 + exp(e)). Hence for e* in the piece m
// (docs/math/composition-theorems.md, "Optimal"), v_i = exp(-2 (m-i) e):
//
//     delta(e*) = sum_{i<=m} w_i (1 - exp(-g) v_i) = sum w_i (1 - v_i) + (1 - exp(-g)) sum w_i v_i.
//
// Every term is non-negative: nothing cancels, and delta is accurate relative to itself.
#include "compare/repeated_response.h"

#include <algorithm>
#include <cmath>

#include "compare/integer_search.h"
#include "numerics/binomial.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"

namespace renyi::compare_detail {

using numerics::unit_roundoff;

namespace repeated_response_file {
namespace {

// Terms below this share of a sum are omitted.
constexpr double negligible = 0x1p-60;

// The sums of w (1 - v) and w v, where w = 1 at the start, and the number of terms.
struct Sums {
  double falling = 0;
  double rising = 0;
  double weights = 0;
  std::int64_t walked = 0;

  void add(double w, double one_minus_v) {
    falling += w * one_minus_v;
    rising += w * (1 - one_minus_v);
    weights += w;
    ++walked;
  }
  // Returns whether the rest of the walk is negligible: its weight is at most `rest`, and its 1 - v at most `largest`.
  bool ends_with(double rest, double largest) {
    const bool small = rest * largest <= negligible * falling && rest <= negligible * (falling + rising);
    if (!small) return false;  // also for NaN
    falling += rest * largest;
    rising += rest;
    return true;
  }
};

// Returns the sum of a geometric series of this ratio after its first term.
double tail(double w, double ratio) { return ratio < 1 ? w * ratio / (1 - ratio) : HUGE_VAL; }

// Sums from `start`, at or below the most likely i, down to 0: the ratios of the weights fall.
void walk_down(Sums& sums, std::int64_t start, std::int64_t m, double k, double e) {
  const double growth = std::exp(e), largest = -std::expm1(-2 * static_cast<double>(m) * e);
  double w = 1;
  for (std::int64_t i = start;; --i) {
    sums.add(w, -std::expm1(-2 * static_cast<double>(m - i) * e));
    if (i == 0) return;
    const auto x = static_cast<double>(i);
    const double ratio = x / (k - x + 1) * growth;
    if (sums.ends_with(tail(w, ratio), largest)) return;
    w *= ratio;
  }
}

// Sums above `start`, which then is the most likely i, up to m: the ratios fall too.
void walk_up(Sums& sums, std::int64_t start, std::int64_t m, double k, double e) {
  const double decay = std::exp(-e);
  double w = 1;
  for (std::int64_t i = start; i < m; ++i) {
    const auto x = static_cast<double>(i);
    const double ratio = (k - x) / (x + 1) * decay;
    const double one_minus_v = -std::expm1(-2 * static_cast<double>(m - i - 1) * e);
    if (sums.ends_with(tail(w, ratio), one_minus_v)) return;
    w *= ratio;
    sums.add(w, one_minus_v);
  }
}

double upper(long double value) { return numerics::up_twice(static_cast<double>(value)); }

}  // namespace
}  // namespace repeated_response_file

RepeatedResponse::RepeatedResponse(double epsilon, std::int64_t runs) : epsilon_(epsilon), runs_(runs) {}

RepeatedResponse::Piece RepeatedResponse::piece(std::int64_t m) const {
  const auto k = static_cast<double>(runs_);
  const double odds = std::exp(-epsilon_);
  const std::int64_t start = std::min(m, static_cast<std::int64_t>((k + 1) * (odds / (1 + odds))));
  repeated_response_file::Sums sums;
  repeated_response_file::walk_down(sums, start, m, k, epsilon_);
  repeated_response_file::walk_up(sums, start, m, k, epsilon_);
  const numerics::LogProbability at_start = numerics::log_binomial(start, runs_, epsilon_);
  // Each step of a walk rounds its weight by 5 units, each addition its sum by one; 1 - (1 - v) has an error of a
  // unit of 1.
  const double rounding = (6 * static_cast<double>(sums.walked) + 32) * unit_roundoff;
  const long double scale = std::exp(at_start.value + at_start.error) * (1 + static_cast<long double>(rounding));
  return {repeated_response_file::upper(scale * sums.falling),
          repeated_response_file::upper(scale * (sums.rising + 2 * unit_roundoff * sums.weights))};
}

double RepeatedResponse::epsilon_upper(double delta) const {
  if (epsilon_ == 0 || delta >= 1) return 0;
  if (!(delta > 0)) return numerics::decimal_product_up(epsilon_, static_cast<double>(runs_));
  // at_edge rises with m from 0 at m = 0. The loss (k - 2m) e has the mean k e tanh(e/2) and a deviation of at most
  // e sqrt(k), beyond which it is as rare as delta about sqrt(2 ln(1/delta)) deviations away.
  const auto k = static_cast<double>(runs_);
  const double mean = k * std::tanh(epsilon_ / 2), away = std::sqrt(k * 2 * -std::log(delta));
  const auto guess = static_cast<std::int64_t>(std::clamp((k - mean - away) / 2, 0.0, k / 2));
  const auto stride = static_cast<std::int64_t>(std::sqrt(k) / 8) + 1;
  const std::int64_t low =
      largest_within(0, runs_ / 2, guess, stride, [&](std::int64_t m) { return log_excess(piece(m).at_edge, delta); });
  const Piece here = piece(low);
  const double edge = numerics::decimal_product_up(epsilon_, static_cast<double>(runs_ - 2 * low));
  // 1 - exp(-g) = (delta - at_edge) / rise, rounded down.
  const double share = (delta - here.at_edge) / here.rise * (1 - 8 * unit_roundoff);
  if (!(share > 0)) return edge;
  const double gap = share < 1 ? numerics::down_twice(-std::log1p(-share)) : 2 * epsilon_;
  return std::max(0.0, numerics::next_up(edge - std::min(gap, 2 * epsilon_)));
}

}  // namespace renyi::compare_detail
