#include "accuracy/tail.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "accuracy/outward.h"
#include "numerics/mills.h"
#include "renyi/error.h"

namespace renyi::noise_error {

namespace tail_file {
namespace {

constexpr Real rounding = numerics::extended_roundoff;

// A request may evaluate this many factors of M, which takes about a second.
constexpr Real most_work = 2e6;
// Intervals of a larger relative width are no answer.
constexpr double widest = 1e-4;
// Sums of more Laplace noises of one scale than this are left to the contour, which is fast then.
constexpr Real most_laplace = 500;

// erfc(x/sqrt(2)) = 2 phi(x) R(x), R being Mills' ratio. x has a relative error of 256 roundings at most.
Interval normal_tail(Real x) {
  const auto ratio = numerics::mills_ratio(x);
  const Real density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<Real>);
  return outward(2 * density * ratio.value, ratio.relative_error + (512 + 260 * x * x) * rounding);
}

// The sum of n Laplace noises of scale 1 is the difference of two sums of n exponential variables. By lack of memory,
//     Pr[|S| > x] = 2 sum over j < n of x^j/j! exp(-x) Pr[Bin(2n-1-j, 1/2) >= n],
// j being how many of the first n have ended at x: the remaining n - j must last longer than the n of the other sum.
Interval laplace_tail(Real n, Real x) {
  const auto count = static_cast<std::size_t>(n);
  // beyond[i] is Pr[Bin(m, 1/2) >= i] for the m of the moment; m grows from n (j = n-1) to 2n-1 (j = 0).
  std::vector<Real> race(count);
  Real mass = std::exp2(-n), tail = mass;  // Pr[Bin(n, 1/2) = n] and >= n
  for (std::size_t j = count; j-- > 0;) {
    race[j] = tail;
    // Pr[Bin(m+1, 1/2) >= n] = Pr[Bin(m, 1/2) >= n] + Pr[Bin(m, 1/2) = n-1]/2.
    const Real m = 2 * n - 1 - static_cast<Real>(j);
    const Real below = mass * n / (m - n + 1);  // Pr[Bin(m, 1/2) = n-1]
    tail += below / 2;
    mass = (mass + below) / 2;
  }
  Real sum = 0, weight = std::exp(-x);
  for (std::size_t j = 0; j < count; ++j) {
    sum += weight * race[j];
    weight *= x / static_cast<Real>(j + 1);
  }
  return outward(2 * sum, (64 + 16 * n + 4 * x) * rounding);
}

// Pr[|X| >= n] = 2 q^n/(1 + q) with q = exp(-1/b).
Interval discrete_laplace_tail(Real n, Real b) {
  const Real exponent = n / b;
  return outward(2 * std::exp(-exponent) / (1 + std::exp(-1 / b)), (16 + 4 * exponent) * rounding);
}

}  // namespace
}  // namespace tail_file

Tails::Tails(const NoiseSum& sum) : sum_(sum), form_(Form::contour) {
  const bool one_laplace = sum.laplace.size() == 1 && sum.laplace[0].count <= tail_file::most_laplace;
  const bool one_geometric = sum.discrete_laplace.size() == 1 && sum.discrete_laplace[0].count == 1;
  if (!sum.has_discrete() && sum.laplace.empty()) {
    form_ = Form::normal;
  } else if (!sum.has_discrete() && sum.gaussian_variance == 0 && one_laplace) {
    form_ = Form::laplace;
  } else if (sum.is_lattice() && one_geometric && sum.skellam_variance == 0 && sum.discrete_gaussian.empty()) {
    form_ = Form::discrete_laplace;
  }
}

void Tails::spend(Real points) {
  spent_ += points * static_cast<Real>(sum_.size());
  if (spent_ > tail_file::most_work) {
    throw Unsupported("steps", "the error of this sum of noises would take too long to compute",
                      "ask for fewer levels and bounds, or leave out noises that are much smaller than the others");
  }
}

Interval Tails::beyond(double t, Real least_allowed) {
  const Real at = sum_.is_lattice() ? std::floor(t) + Real{1} : t;
  if (at == 0) return {1, 1};
  const auto cut = [](const Interval& tail) { return Interval{std::min(1.0, tail.lower), std::min(1.0, tail.upper)}; };
  switch (form_) {
    case Form::normal: return cut(tail_file::normal_tail(at / std::sqrt(sum_.gaussian_variance)));
    case Form::laplace: return cut(tail_file::laplace_tail(sum_.laplace[0].count, at / sum_.laplace[0].scale));
    case Form::discrete_laplace: return cut(tail_file::discrete_laplace_tail(at, sum_.discrete_laplace[0].scale));
    case Form::contour: break;
  }
  return cut(by_contour(at, least_allowed));
}

Interval Tails::by_contour(Real t, Real least_allowed) {
  if (!contour_ || !contour_->is_near(t)) contour_.emplace(sum_, t, [this](Real points) { spend(points); });
  if (contour_->is_tiny()) return {0, std::numeric_limits<double>::denorm_min()};
  const Interval tail = contour_->two_sided(t, least_allowed);
  if (least_allowed == 0 && tail.upper - tail.lower > tail_file::widest * tail.upper && tail.upper > 1e-300) {
    throw Unsupported("steps", "rounding errors hide the error of so many noises", "add fewer noises together");
  }
  return tail;
}

}  // namespace renyi::noise_error
