#include "exact/lattice/profile.h"

#include <cmath>

namespace renyi::exact::lattice {

namespace {

// On a fine grid the distance to the next point is so short that four terms are exact to rounding:
// the first neglected one is below 1e-3^5/120.
constexpr double fine = 1e-3;
double short_exp(double y) { return 1 + y * (1 + y * (1. / 2) * (1 + y * (1. / 3) * (1 + y * (1. / 4)))); }
// (exp(y) - 1)/y
double short_mean_exp(double y) { return 1 + y * (1. / 2) * (1 + y * (1. / 3) * (1 + y * (1. / 4))); }

}  // namespace

// D_k = exp(-c h) (D_{k+1} + (1 - exp(-h)) S_{k+1}): only sums of what is not negative.
Profile::Profile(const Composed& law)
    : origin_(law.origin), h_(law.h), c_(law.c), fine_((law.c + 1) * law.h < fine), s_(law.w.size()), d_(law.w.size()) {
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
  if (place > 0 && fine_) return short_exp(-c_ * u) * (d_[k] + u * short_mean_exp(-u) * s_[k]);
  return std::exp(-c_ * u) * (d_[k] - std::expm1(-u) * s_[k]);
}

// g is largest where exp(-u) = c/(c+1).
double largest_kernel(double c) { return std::exp(c * -std::log1p(1 / c)) / (c + 1); }

// g^2 rises, then falls: its sum is at most its largest term and 1/h times its integral 1/(2c (2c+1) (c+1)).
double kernel_norm(double c, double h) {
  const double top = largest_kernel(c);
  return std::sqrt(top * top + 1 / (h * 2 * c * (2 * c + 1) * (c + 1)));
}

}  // namespace renyi::exact::lattice
