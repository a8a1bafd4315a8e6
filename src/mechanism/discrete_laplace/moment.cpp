#include "mechanism/discrete_laplace/moment.h"

#include <cmath>
#include <cstddef>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using numerics::exp_remainder;

double expm1(double w) { return std::expm1(w); }
std::complex<double> expm1(std::complex<double> w) {
  const double half = std::sin(0.5 * w.imag());
  return {std::expm1(w.real()) * std::cos(w.imag()) - 2 * half * half, std::exp(w.real()) * std::sin(w.imag())};
}

// Beyond this modulus lambda is formed as the difference it is.
constexpr double series_radius = 2;

// sum over k >= 1 of (a^2k - b^2k)/((2k+1)! (a^2 - b^2)): positive terms for real a, b.
template <class Scalar>
Scalar sinh_difference(Scalar a, Scalar b) {
  Scalar sum = 0, h = 1, power = 1;
  double factorial = 6;
  for (int k = 1; k <= 16; ++k) {
    sum += h / factorial;
    power *= b * b;
    h = a * a * h + power;
    factorial *= (2 * k + 2) * (2 * k + 3);
  }
  return sum;
}

// sinh(w) exp(-w) 2
template <class Scalar>
Scalar fallen(Scalar w) {
  return -expm1(-2.0 * w);
}

template <class Scalar>
LaplaceWeights<Scalar> weights(double s, Scalar z) {
  const Scalar x = s * (z + 0.5), norm = (1 + std::exp(-s)) * fallen(x);
  LaplaceWeights<Scalar> w{fallen(s * (z + 1.0)) / norm, std::exp(-s) * fallen(s * z) / norm, {}, 0};
  const Scalar a = s * (z + 1.0), b = s * z;
  if (std::abs(a) <= series_radius) {
    // z sinh(a) - (z+1) sinh(b) = z (z+1) s (sinh(a)/a - sinh(b)/b), and 2 cosh(s/2) sinh(x) = exp(x + s/2) norm/2.
    const Scalar gap = s * s * s * z * (z + 1.0) * (2.0 * z + 1.0) * sinh_difference(a, b);
    w.lambda = 2.0 * gap * std::exp(-x - 0.5 * s) / norm;
  } else {
    w.lambda = w.alpha * z - w.beta * (z + 1.0);
    w.error = 8 * numerics::unit_roundoff * (std::abs(w.alpha * z) + std::abs(w.beta * (z + 1.0)));
  }
  return w;
}

// x coth(x) - 1, by the series of x cosh(x) - sinh(x) where that cancels.
double coth_excess(double x) {
  if (x > 1) return x / std::tanh(x) - 1;
  double sum = 0, term = x;
  for (int k = 1; k <= 10; ++k) {
    term *= x * x / ((2 * k) * (2 * k + 1));
    sum += 2 * k * term;
  }
  return sum / std::sinh(x);
}

// sinh(2x)/2 - x over sinh(x)^2.
double coth_rest(double x) {
  if (x > 300) return 1;
  if (x > 1) return (0.5 * std::sinh(2 * x) - x) / (std::sinh(x) * std::sinh(x));
  double sum = 0, term = 2 * x;
  for (int k = 1; k <= 14; ++k) {
    term *= 4 * x * x / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return 0.5 * sum / (std::sinh(x) * std::sinh(x));
}

// beta' = -alpha' and alpha''.
struct Derivatives {
  double first = 0;
  double second = 0;
};
Derivatives of_alpha(double s, double z) {
  const double x = s * (z + 0.5);
  if (x > 300) return {};
  const double sine = std::sinh(x), first = 0.5 * s * std::tanh(0.5 * s) / (sine * sine);
  return {first, 2 * s * first / std::tanh(x)};
}

}  // namespace

LaplaceWeights<double> laplace_weights(double s, double z) { return weights(s, z); }
LaplaceWeights<std::complex<double>> laplace_weights(double s, std::complex<double> z) { return weights(s, z); }

LaplaceMoment laplace_moment(double s, double e, double z) {
  const auto w = weights(s, z);
  const double r_up = exp_remainder(z * e), r_down = exp_remainder(-(z + 1) * e);
  const double d_up = r_up + z * e, d_down = r_down - (z + 1) * e, x = s * (z + 0.5);
  const auto [g, bent] = of_alpha(s, z);
  LaplaceMoment m;
  m.excess = w.alpha * r_up + w.beta * r_down + e * w.lambda;
  // E[(alpha - beta) - (2z+1) g] = E tanh(s/2) (sinh(2x)/2 - x)/sinh(x)^2: what is left of the linear terms.
  m.slope = e * std::tanh(0.5 * s) * coth_rest(x) + e * (w.alpha * d_up - w.beta * d_down) - g * (r_up - r_down);
  m.curvature =
      4 * e * g * coth_excess(x) + bent * (r_up - r_down) - 2 * e * g * (d_up + d_down) + e * e * (1 + m.excess);
  return m;
}

AlphaFall alpha_fall(double s, double z) {
  const auto [g, bent] = of_alpha(s, z);
  const double alpha = weights(s, z).alpha;
  return {g / alpha, bent / alpha};
}

}  // namespace renyi::mechanism
