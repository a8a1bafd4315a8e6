// The delta of randomized responses: of a single one, and of many equal binary ones.
#include <algorithm>
#include <cmath>

#include "exact/closed_form/profile.h"
#include "numerics/binomial.h"
#include "renyi/limits.h"

namespace renyi::exact {

namespace response_file {
namespace {

using Real = long double;

// Returns ln(high/low), where high = low + gap.
Real log_ratio(Real high, Real low, Real gap) {
  if (gap < low) return std::log1p(gap / low);
  const Real ratio = high / low;
  return std::isfinite(ratio) ? std::log(ratio) : std::log(high) - std::log(low);
}

// n binary randomized responses of loss l. With i wrong answers the loss is (n - 2i) l, and P
// gives i the binomial probability w_i of i successes at 1/(1 + e^l), so
//
//     delta(epsilon) = sum_{i<=m} w_i f_i,   f_i = 1 - exp(epsilon - (n - 2i) l) >= 0,
//
// where m is the last i whose loss exceeds epsilon. Every term is positive, so nothing cancels.

constexpr Real negligible = 0x1p-62L;  // terms below this share of a sum are omitted
constexpr Real indistinct = 45;        // 1 - e^-45 is 1 to one rounding

// A sum of terms in units of the weight at which the walk starts.
struct Sum {
  Real lower = 0;
  Real rest = 0;  // an upper bound on the omitted terms
  std::int64_t terms = 0;

  void add(Real term) {
    lower += term;
    ++terms;
  }
  // Bounds the remaining terms by a geometric series with this first term.
  bool ends_with(Real first, Real ratio) {
    if (!(ratio < 1)) return false;
    const Real left = first / (1 - ratio);
    if (!(left <= negligible * lower)) return false;
    rest += left;
    return true;
  }
};

struct Walk {
  Real n = 0;
  Real loss = 0;
  std::int64_t m = 0;
  Real gap = 0;  // (n - 2m) l - epsilon > 0

  Real f(std::int64_t i) const {
    const Real depth = gap + 2 * static_cast<Real>(m - i) * loss;
    return depth < indistinct ? -std::expm1(-depth) : 1;
  }
};

// Sums from `start`, at or below the most likely i, down to 0: the ratios of the weights fall.
void walk_down(Sum& sum, const Walk& walk, std::int64_t start) {
  const Real growth = std::exp(walk.loss), fall = std::exp(-2 * walk.loss), rise = -std::expm1(-2 * walk.loss);
  const Real largest = walk.f(0);
  Real w = 1, f = walk.f(start);
  for (std::int64_t i = start;; --i) {
    if (i % 1024 == 0) stop_if_asked();
    sum.add(w * f);
    if (i == 0) return;
    const auto x = static_cast<Real>(i);
    const Real ratio = x / (walk.n - x + 1) * growth;
    if (sum.ends_with(w * ratio * largest, ratio)) return;
    w *= ratio;
    f = f * fall + rise;  // 1 - f falls by e^(-2l) from one i to the next
  }
}

// Sums above `start`, which then is the most likely i, up to m: the ratios fall too, and so does f.
void walk_up(Sum& sum, const Walk& walk, std::int64_t start) {
  const Real decay = std::exp(-walk.loss);
  Real w = 1;
  for (std::int64_t i = start; i < walk.m; ++i) {
    if (i % 1024 == 0) stop_if_asked();
    const auto x = static_cast<Real>(i);
    const Real ratio = (walk.n - x) / (x + 1) * decay, f = walk.f(i + 1);
    if (sum.ends_with(w * ratio * f, ratio)) return;
    w *= ratio;
    sum.add(w * f);
  }
}

// Finds the last i whose loss exceeds epsilon; the loss of the first does. fma rounds once, so its sign is exact.
Walk walk_to(Real loss, std::int64_t runs, double epsilon) {
  const auto excess = [&](std::int64_t i) { return std::fma(static_cast<Real>(runs - 2 * i), loss, -Real{epsilon}); };
  const auto n = static_cast<Real>(runs);
  const Real guess = std::clamp((n - epsilon / loss) / 2, Real{0}, n / 2);
  auto m = static_cast<std::int64_t>(guess);
  while (m > 0 && !(excess(m) > 0)) --m;
  while (m < runs / 2 && excess(m + 1) > 0) ++m;
  return {n, loss, m, excess(m)};
}

Enclosure delta_at(Real loss, std::int64_t runs, double epsilon) {
  if (!(std::fma(static_cast<Real>(runs), loss, -Real{epsilon}) > 0)) return exactly_nothing;
  const Walk walk = walk_to(loss, runs, epsilon);
  const Real odds = std::exp(-loss);
  const auto likeliest = static_cast<std::int64_t>((walk.n + 1) * (odds / (1 + odds)));
  const std::int64_t start = std::min(walk.m, likeliest);
  Sum sum;
  walk_down(sum, walk, start);
  walk_up(sum, walk, start);
  const numerics::LogProbability at_start = numerics::log_binomial(start, runs, loss);
  // Each step rounds its weight by 5 units, f by 4 and the sum by one.
  const Real rounding = (12 * static_cast<Real>(sum.terms) + 64) * extended_roundoff;
  return {std::exp(at_start.value - at_start.error) * sum.lower * (1 - rounding),
          std::exp(at_start.value + at_start.error) * (sum.lower + sum.rest) * (1 + rounding)};
}

}  // namespace
}  // namespace response_file

Response response_of(const mechanism::CategoricalResponse& law) {
  const response_file::Real p = law.truth_probability, k = law.categories;
  const response_file::Real r = (1 - p) / (k - 1);
  // p - r = (p k - 1)/(k - 1), where the cancelling difference is rounded once.
  const response_file::Real gap = std::abs(std::fma(p, k, -1.0L)) / (k - 1);
  const response_file::Real high = std::max(p, r), low = std::min(p, r);
  return {around(response_file::log_ratio(high, low, gap), 8), around(high, 4)};
}

Response response_of(const mechanism::TwoLosses& law) {
  const response_file::Real e = law.epsilon;
  return {{e, e}, around(1 / (1 + std::exp(-e)), 4)};
}

// One randomized response: the most likely answer has probability `high` under P and
// high e^-l under Q, so delta = high (1 - exp(epsilon - l)) below l; the answers whose
// loss is 0 or -l never count.
Profile response_profile(const Response& response) {
  return [response](double epsilon) {
    if (!(response.loss.upper > epsilon)) return to_ends(exactly_nothing);
    const auto delta = [&](response_file::Real loss, response_file::Real probability, response_file::Real rounding) {
      const response_file::Real gap = loss - epsilon;
      return gap > 0 ? -probability * std::expm1(-gap) * (1 + rounding) : 0;
    };
    return to_ends({delta(response.loss.lower, response.probability.lower, -8 * extended_roundoff),
                    delta(response.loss.upper, response.probability.upper, 8 * extended_roundoff)});
  };
}

Profile repeated_response_profile(const Enclosure& loss, std::int64_t runs) {
  // A larger loss has a larger delta: the pair of the smaller loss is a post-processing of that of the larger one.
  return [=](double epsilon) {
    const Enclosure most = response_file::delta_at(loss.upper, runs, epsilon);
    if (loss.lower == loss.upper) return to_ends(most);
    return to_ends({response_file::delta_at(loss.lower, runs, epsilon).lower, most.upper, most.nothing});
  };
}

}  // namespace renyi::exact
