#include "exact/lattice/delta_law.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact::lattice {

using numerics::times_exp;
using numerics::unit_roundoff;

// delta(epsilon) = exp(K - c epsilon) sum_a w_a G(epsilon - s_a). Errors of the lattice's masses enter by
// Cauchy and Schwarz, tilted mass of unknown place by the kernel's largest value.
DeltaEnd::DeltaEnd(const Composed& law, const Atoms& atoms)
    : profile_(law),
      atoms_(atoms),
      c_(law.c),
      log_scale_(law.log_scale + atoms.log_scale),
      slack_(law.slack + atoms.slack),
      relative_(law.relative + atoms.relative),
      unsure_(law.error * kernel_norm(c_, law.h) + (law.outside + atoms.unsure) * largest_kernel(c_)),
      infinite_(law.infinite + atoms.infinite) {
  // Suffix sums and the sum over atoms round once a term; K and c epsilon carry their own rounding.
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
