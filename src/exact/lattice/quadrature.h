// Gauss-Legendre quadrature on pieces that are short compared with the scale on which the integrand changes.
#pragma once

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

namespace renyi::exact::lattice {

// The relative error of `integrate` for products of exp(-x^2/(2s^2)) and exp(x/s^2): see docs/math/lattice.md.
inline constexpr double gauss_legendre_error = 4e-15;

namespace quadrature_detail {

struct Rule2 {
  static constexpr std::array<double, 1> at{0.57735026918962576451};
  static constexpr std::array<double, 1> weight{1.0};
};
struct Rule4 {
  static constexpr std::array<double, 2> at{0.33998104358485626480, 0.86113631159405257522};
  static constexpr std::array<double, 2> weight{0.65214515486254614263, 0.34785484513745385737};
};

template <class At, class Weight, class F>
void apply(const At& at, const Weight& weight, double middle, double half, const F& f) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    f(middle - half * at[i], half * weight[i]);
    f(middle + half * at[i], half * weight[i]);
  }
}

}  // namespace quadrature_detail

// Calls f(x, weight) at the nodes of [from, to], where the integrand changes by exp(rate |dx|) at most.
template <class F>
void integrate(double from, double to, double rate, const F& f) {
  using namespace quadrature_detail;
  const double length = to - from, turns = length * rate, middle = 0.5 * (from + to);
  if (!(length > 0)) return;
  if (turns < 1e-3) return apply(Rule2::at, Rule2::weight, middle, 0.5 * length, f);
  if (turns < 0.15) return apply(Rule4::at, Rule4::weight, middle, 0.5 * length, f);
  using Ten = boost::math::quadrature::gauss<double, 10>;
  const double pieces = std::clamp(std::ceil(turns / 3), 1.0, 1e5), step = length / pieces;
  for (double i = 0; i < pieces; ++i) {
    apply(Ten::abscissa(), Ten::weights(), from + (i + 0.5) * step, 0.5 * step, f);
  }
}

}  // namespace renyi::exact::lattice
