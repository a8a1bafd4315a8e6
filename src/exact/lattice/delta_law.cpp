#include "exact/lattice/delta_law.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact::lattice {

using numerics::times_exp;
using numerics::unit_roundoff;

namespace delta_law_file {
namespace {

// On a fine grid the distance to the next point is so short that four terms are exact to rounding:
// the first neglected one is below 1e-3^5/120.
constexpr double fine = 1e-3;
double short_exp(double y) { return 1 + y * (1 + y * (1. / 2) * (1 + y * (1. / 3) * (1 + y * (1. / 4)))); }
// (exp(y) - 1)/y
double short_mean_exp(double y) { return 1 + y * (1. / 2) * (1 + y * (1. / 3) * (1 + y * (1. / 4))); }

// The largest value of g, which is attained where exp(-u) = c/(c+1).
double largest_kernel(double c) { return std::exp(c * -std::log1p(1 / c)) / (c + 1); }

// An upper bound on the square root of sum_k g(s_k - x)^2 over a lattice of spacing h, for any x.
// g^2 rises, then falls: its sum is at most its largest term and 1/h times its integral 1/(2c (2c+1) (c+1)).
double kernel_norm(double c, double h) {
  const double top = largest_kernel(c);
  return std::sqrt(top * top + 1 / (h * 2 * c * (2 * c + 1) * (c + 1)));
}

}  // namespace
}  // namespace delta_law_file

// D_k = exp(-c h) (D_{k+1} + (1 - exp(-h)) S_{k+1}): only non-negative terms are added.
Profile::Profile(const Composed& law)
    : origin_(law.origin),
      h_(law.h),
      c_(law.c),
      fine_((law.c + 1) * law.h < delta_law_file::fine),
      s_(law.w.size()),
      d_(law.w.size()) {
  const double fall = std::exp(-c_ * h_), fall_more = std::exp(-(c_ + 1) * h_), gap = -std::expm1(-h_);
  double s = 0, d = 0;
  for (std::size_t k = law.w.size(); k-- > 0;) {
    d = fall * (d + gap * s);
    s = law.w[k] + fall_more * s;
    if (s < 1e-290) s = 0;  // below, arithmetic is slow and nothing is lost
    if (d < 1e-290) d = 0;
    s_[k] = s;
    d_[k] = d;
  }
}

double Profile::operator()(double x) const {
  const double place = std::ceil((x - origin_) / h_);
  if (!(place < static_cast<double>(s_.size()))) return 0;
  const auto k = place > 0 ? static_cast<std::size_t>(place) : 0;
  const double u = std::max(0.0, origin_ + static_cast<double>(k) * h_ - x);
  if (place > 0 && fine_)
    return delta_law_file::short_exp(-c_ * u) * (d_[k] + u * delta_law_file::short_mean_exp(-u) * s_[k]);
  return std::exp(-c_ * u) * (d_[k] - std::expm1(-u) * s_[k]);
}

// delta(epsilon) = exp(K - c epsilon) sum_a w_a G(epsilon - s_a). Errors of the lattice's masses enter by the
// Cauchy-Schwarz inequality, and tilted mass at an unknown position by the kernel's largest value.
DeltaEnd::DeltaEnd(const Composed& law, const Atoms& atoms)
    : profile_(law),
      atoms_(atoms),
      c_(law.c),
      log_scale_(law.log_scale + atoms.log_scale),
      slack_(law.slack + atoms.slack),
      relative_(law.relative + atoms.relative),
      unsure_(law.error * delta_law_file::kernel_norm(c_, law.h) +
              (law.outside + atoms.unsure) * delta_law_file::largest_kernel(c_)),
      infinite_(law.infinite + atoms.infinite) {
  // Suffix sums and the sum over atoms round once per term; K and c epsilon have their own rounding errors.
  const double terms = static_cast<double>(law.w.size()) + static_cast<double>(atoms.w.size());
  relative_ += 4 * unit_roundoff * (terms + 16 + std::abs(log_scale_) + std::abs(law.log_scale));
}

double DeltaEnd::kernel_sum(double epsilon) const {
  double sum = 0;
  for (std::size_t i = 0; i < atoms_.s.size(); ++i) sum += atoms_.w[i] * profile_(epsilon - atoms_.s[i]);
  return sum;
}

double DeltaEnd::upper(double epsilon) const {
  const double slack = slack_ + 4 * unit_roundoff * std::abs(epsilon), x = epsilon - slack;
  const double rounded = relative_ + 4 * unit_roundoff * c_ * std::abs(x);
  const double value = times_exp(kernel_sum(x) + unsure_, log_scale_ - c_ * x + rounded) + infinite_;
  return value < 1 ? numerics::next_up(value) : 1;  // NaN is no bound: 1
}

double DeltaEnd::lower(double epsilon) const {
  const double slack = slack_ + 4 * unit_roundoff * std::abs(epsilon), x = epsilon + slack;
  const double rounded = relative_ + 4 * unit_roundoff * c_ * std::abs(x);
  const double value = times_exp(kernel_sum(x) * std::exp(-rounded) - unsure_ * std::exp(rounded), log_scale_ - c_ * x);
  return value > 0 ? numerics::next_down(std::min(value, 1.0)) : 0;
}

}  // namespace renyi::exact::lattice
