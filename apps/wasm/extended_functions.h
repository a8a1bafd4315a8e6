// Functions of numbers that are longer than a double, by the arithmetic operations of their type alone, to 90 bits or
// more where the type has 113. They are slow, and meant for a C library that has none.
#pragma once

#include <cmath>
#include <limits>

namespace renyi::wasm {

// Frexp(x) and Scale(x, n) come from the C library, which has those for every type.
template <class Real>
class Functions {
 public:
  using Split = Real (*)(Real, int*);
  using Scale = Real (*)(Real, int);
  constexpr Functions(Split split, Scale scale) : split_(split), scale_(scale) {}

  Real exp(Real x) const {
    if (x != x || x > largest) return x > largest ? infinity : x;
    if (x < -largest) return 0;
    const int n = static_cast<int>(std::floor(static_cast<double>(x) / 0.6931471805599453 + 0.5));
    return scale_(1 + expm1_near(x - n * log_2()), n);
  }

  // Halley's step on exp(y) = x triples the digits of the double that it begins with.
  Real log(Real x) const {
    if (x != x || x < 0) return nan;
    if (x == 0) return -infinity;
    if (x == infinity) return x;
    int n = 0;
    Real m = split_(x, &n);
    if (m < Real(0.70710678118654752)) m *= 2, --n;
    const Real y = std::log(static_cast<double>(m)), e = 1 + expm1_near(y);
    return n * log_2() + (y + 2 * (m - e) / (m + e));
  }

  // Kahan: the error of u = 1 + x cancels in log(u) / (u - 1).
  Real log1p(Real x) const {
    const Real u = 1 + x;
    if (u == 1) return x;
    if (!(u > 0) || u == infinity) return log(u);
    return log(u) * (x / (u - 1));
  }

  Real expm1(Real x) const {
    const bool is_near = x < Real(0.5) && x > Real(-0.5);
    return is_near ? expm1_near(x) : exp(x) - 1;
  }

  Real log2(Real x) const {
    if (!(x > 0) || x == infinity) return log(x);
    int n = 0;
    const Real m = split_(x, &n);  // powers of two are exact
    return m == Real(0.5) ? Real(n - 1) : n + log(m) / log_2();
  }

  Real sinh(Real x) const {
    if (x != x || x > 1 || x < -1) {
      const Real e = exp((x < 0 ? -x : x) - log_2());
      return x < 0 ? Real(0.25) / e - e : e - Real(0.25) / e;
    }
    const Real e = expm1(x);
    return (e + e / (1 + e)) / 2;
  }

  Real cosh(Real x) const {
    const Real e = exp((x < 0 ? -x : x) - log_2());
    return e + Real(0.25) / e;
  }

  Real tanh(Real x) const {
    if (x > 50 || x < -50) return x > 0 ? 1 : -1;
    const Real e = expm1(2 * x);
    return e / (e + 2);
  }

  // asinh(x) = log1p(x + x^2 / (1 + sqrt(1 + x^2))).
  Real asinh(Real x) const {
    const Real a = x < 0 ? -x : x;
    if (!(a < Real(1e150L))) return x < 0 ? -(log(a) + log_2()) : log(a) + log_2();
    const Real y = log1p(a + a * a / (1 + sqrt(1 + a * a)));
    return x < 0 ? -y : y;
  }

  Real erf(Real x) const {
    const Real a = x < 0 ? -x : x;
    if (!(a > end_of_series)) return x < 0 ? -erf_series(a) : erf_series(a);
    return x < 0 ? erfc_fraction(a) - 1 : 1 - erfc_fraction(a);
  }

  Real erfc(Real x) const {
    if (x < 0) return 1 + erf(-x);
    if (!(x > end_of_series)) return 1 - erf_series(x);
    return erfc_fraction(x);
  }

  // Stirling's series beyond 32, to where lgamma(x + 1) = lgamma(x) + log(x) leads; its first term that is left out is
  // below 1e-33. Only for x > 0: the library asks for no other.
  Real lgamma(Real x) const {
    if (!(x > 0)) return x == 0 ? infinity : nan;
    if (x == 1 || x == 2) return 0;
    Real product = 1;
    for (; x < 32; ++x) product *= x;
    // B(2k) / (2k (2k - 1))
    constexpr double over[] = {12, -360, 1260, -1680, 1188, -360360.0 / 691, 156, -122400.0 / 3617, 244188.0 / 43867};
    Real series = 0;
    for (int k = 8; k >= 0; --k) series = series / (x * x) + 1 / Real(over[k]);
    return (x - Real(0.5)) * log(x) - x + half_log_two_pi() + series / x - log(product);
  }

  Real pow(Real x, Real y) const {
    if (y == 0 || x == 1) return 1;
    const bool is_whole = y > -4096 && y < 4096 && y == Real(static_cast<int>(y));
    if (is_whole) return whole_power(x, static_cast<int>(y));
    return x == 0 ? (y > 0 ? Real(0) : infinity) : exp(y * log(x));
  }

 private:
  // Constants are sums of two parts, so that they are exact enough also in a compiler whose longest literals have 64
  // bits.
  static constexpr Real infinity = static_cast<Real>(std::numeric_limits<double>::infinity());
  static constexpr Real nan = static_cast<Real>(std::numeric_limits<double>::quiet_NaN());
  static constexpr Real largest = 11400;    // exp is beyond the range of 15 bits of exponent
  static constexpr Real end_of_series = 4;  // 1 - erf loses 26 bits there

  static constexpr Real log_2() { return Real(0x58b90bfbe8e7bcd5p-63L) + Real(9.696186452175171058981e-20L); }

  // The Taylor series of expm1 at x/64, then expm1(2t) = expm1(t) (expm1(t) + 2) six times.
  static Real expm1_near(Real x) {
    const Real t = x / 64;
    Real sum = 0;
    for (int k = 18; k >= 1; --k) sum = (1 + sum) * t / k;
    for (int i = 0; i < 6; ++i) sum *= sum + 2;
    return sum;
  }

  // erf(x) = 2 x exp(-x^2) / sqrt(pi) sum_k (2 x^2)^k / (1 3 5 ... (2k+1)), whose terms are all positive.
  Real erf_series(Real x) const {
    Real term = 1, sum = 1;
    for (int k = 1; term > sum * tiny; ++k) sum += term *= 2 * x * x / (2 * k + 1);
    return two_over_root_pi() * x * exp(-x * x) * sum;
  }

  // erfc(x) = exp(-x^2) / sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))), from far enough inside.
  Real erfc_fraction(Real x) const {
    if (x == infinity) return 0;
    Real tail = x;
    for (int k = 240; k >= 1; --k) tail = x + Real(k) / (2 * tail);
    return exp(-x * x) * two_over_root_pi() / (2 * tail);
  }

  Real whole_power(Real x, int n) const {
    Real power = 1, square = n < 0 ? 1 / x : x;
    for (unsigned left = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); left != 0; left >>= 1U) {
      if ((left & 1U) != 0) power *= square;
      square *= square;
    }
    return power;
  }

  // Newton's step doubles the digits of the double that it begins with.
  static Real sqrt(Real x) {
    const Real y = std::sqrt(static_cast<double>(x));
    return y == 0 || y == infinity ? y : (y + x / y) / 2;
  }

  static constexpr Real two_over_root_pi() {
    return Real(0x48375d410a6db446p-62L) + Real(1.566291983688186694954e-19L);
  }
  static constexpr Real half_log_two_pi() { return Real(0x759fc72192fad29ap-63L) + Real(3.149619430864291516142e-20L); }
  static constexpr Real tiny = Real(1e-36L);

  Split split_;
  Scale scale_;
};

}  // namespace renyi::wasm
