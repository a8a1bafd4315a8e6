#include "mechanism/random_allocation/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "numerics/exponentials.h"

namespace renyi::random_allocation {

using numerics::exp_remainder;
using std::numbers::pi;
using Complex = std::complex<double>;

namespace transform_file {
namespace {

// The normal variable is integrated over this range, to which twice sigma is added on the right.
constexpr double range = 9.5;
constexpr double step_per_s = 0.22, longest_step = 0.22;
// A path is lowered as a whole up to this depth; beyond it, only its right part is.
constexpr double deepest_straight = 2.2;
// The angle by which the right part of a bent path need not be turned.
constexpr double spared_angle = 0.3 * pi;
constexpr double bend_slope = 3.2, narrowest_bend = 0.45;
// Arguments of w and centres of bends, in units of s, are rounded to multiples of these.
constexpr double turn = pi / 8, centre_step = 0.25;
// Nodes with less than this share of the second moment of q are left out.
constexpr double least_share = 1e-24;

// Returns exp(y) - 1 - y at y = re + i im.
Complex remainder(double re, double im) {
  const double square = re * re + im * im;
  if (square < 0.25) {
    // A short series where few terms are enough.
    const Complex y(re, im);
    if (square > 1e-4) return exp_remainder(y);
    double a = 1.0 / 40320, b = 0;  // Horner's scheme in real arithmetic
    constexpr std::array<double, 6> series{1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5};
    for (const double c : series) {
      const double next = a * re - b * im + c;
      b = a * im + b * re;
      a = next;
    }
    const double square_re = re * re - im * im, square_im = 2 * re * im;
    return {a * square_re - b * square_im, a * square_im + b * square_re};
  }
  if (re < -745) return {-1 - re, -im};
  const double size = std::exp(re);
  return {size * std::cos(im) - 1 - re, size * std::sin(im) - im};
}

// Returns ln(1 + y) - y without cancellation.
Complex log1p_remainder(Complex y) {
  if (std::norm(y) > 0.01) return std::log(1.0 + y) - y;
  constexpr int terms = 18;
  Complex sum = 0;
  for (int k = terms; k >= 2; --k) sum = sum * y + (k % 2 == 0 ? -1.0 : 1.0) / k;
  return sum * y * y;
}

}  // namespace
}  // namespace transform_file

double upper_saddle(double w) {
  if (!(w < 1)) return 0;
  // Newton's iteration from the right, where the function is convex and increasing.
  const double l = std::log(1 / w);
  double z = std::max(l + std::log1p(l) + 1, 2 * (1 - w));
  constexpr int most_iterations = 60;
  for (int i = 0; i < most_iterations; ++i) {
    const double change = (w * std::expm1(z) - z) / (w * std::exp(z) - 1);
    z -= change;
    if (!(std::abs(change) > 1e-14 * z)) break;
  }
  return z;
}

Transform::Transform(double s)
    : s_(s),
      sigma_(1 / s),
      excess_(s * s * std::expm1(0.5 / (s * s))),
      scale_(s * s * std::exp(0.5 / (s * s))),
      step_(std::min(transform_file::longest_step, transform_file::step_per_s * s)) {}

Transform::Contour Transform::made(double depth, std::optional<double> centre) const {
  const double factor = step_ / std::sqrt(2 * pi), right = transform_file::range + 2 * sigma_ + (centre ? depth : 0);
  const double width = std::max(depth / transform_file::bend_slope, transform_file::narrowest_bend);
  const std::int64_t first = -std::llround(transform_file::range / step_), last = std::llround(right / step_);
  std::vector<Complex> q, weight;
  double largest = 0;
  const auto size = [](Complex at, Complex mass) { return std::abs(mass) * (1 + std::norm(at)); };
  for (std::int64_t j = first; j <= last; ++j) {
    const double x = static_cast<double>(j) * step_;
    const double rise = centre ? 1 / (1 + std::exp(-(x - *centre) / width)) : 1;
    const Complex z(x, -depth * rise), slope(1, centre ? -depth / width * rise * (1 - rise) : 0);
    q.push_back(s_ * s_ * exp_remainder(sigma_ * z));
    weight.push_back(factor * std::exp(-0.5 * z * z) * slope);
    largest = std::max(largest, size(q.back(), weight.back()));
  }
  Contour contour;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (size(q[i], weight[i]) < transform_file::least_share * largest) continue;
    contour.z.push_back(static_cast<double>(first + static_cast<std::int64_t>(i)) * step_);
    contour.q_re.push_back(q[i].real());
    contour.q_im.push_back(q[i].imag());
    contour.weight_re.push_back(weight[i].real());
    contour.weight_im.push_back(weight[i].imag());
  }
  return contour;
}

// Depths and centres are rounded, so that few paths serve all w.
const Transform::Contour& Transform::contour_for(Complex w, double angle) const {
  const auto kept = [&](int turn, int bend, double depth, std::optional<double> centre) -> const Contour& {
    auto found = contours_.find({turn, bend});
    if (found == contours_.end()) found = contours_.emplace(std::pair(turn, bend), made(depth, centre)).first;
    return found->second;
  };
  const int turn = static_cast<int>(std::lround(angle / transform_file::turn));
  const double depth = s_ * transform_file::turn * turn;
  if (depth <= transform_file::deepest_straight) return kept(turn, 0, depth, std::nullopt);
  const double spared = transform_file::spared_angle * std::clamp(s_ - 1, 0.0, 1.0);
  const double lowered = s_ * std::max(0.0, transform_file::turn * turn - spared);
  const int bend = static_cast<int>(std::floor(upper_saddle(std::abs(w)) / transform_file::centre_step));
  const double centre = std::max(0.5 * lowered, s_ * transform_file::centre_step * bend);
  if (lowered < 0.05 || centre > transform_file::range + 2 * sigma_ + 12 * lowered) return kept(0, 0, 0, std::nullopt);
  return kept(turn, bend + 1, lowered, centre);
}

// With q = s^2 (exp(sigma z) - 1 - sigma z), M(v) = exp(-s^2 (w + w^2/2)) E[exp(-w q)] and E[q] = excess.
Complex Transform::centred_log(Complex w) const {
  const Contour& contour = contour_for(w, std::arg(w));
  Complex sum = 0;
  for (std::size_t i = 0; i < contour.q_re.size(); ++i) {
    const double re = -(w.real() * contour.q_re[i] - w.imag() * contour.q_im[i]);
    const double im = -(w.real() * contour.q_im[i] + w.imag() * contour.q_re[i]);
    const Complex rest = transform_file::remainder(re, im);
    sum += Complex(contour.weight_re[i] * rest.real() - contour.weight_im[i] * rest.imag(),
                   contour.weight_re[i] * rest.imag() + contour.weight_im[i] * rest.real());
  }
  const Complex quadratic = s_ * s_ * (0.5 * w * w + w * exp_remainder(w));
  const Complex growth = std::exp(w) - 1.0, small = w + exp_remainder(w);
  return quadratic + excess_ * w * (std::norm(w) < 0.25 ? small : growth) +
         transform_file::log1p_remainder(-excess_ * w + sum) + sum;
}

// The path of steepest descent c = ln(y/sin y) - i y, from the saddle point where the integrand on the real axis is
// least; the exponent there, relative to the saddle, is s^2 ((z + w)(exp(c) - 1 - c) - c^2/2).
double Transform::log_jump(double w, double level) const {
  const double z = upper_saddle(w), curvature = s_ * s_ * (z + w - 1);
  const double width = std::min(1.0, 1 / std::sqrt(curvature)), step = 0.05 * std::min(1.0, 2 * width);
  double total = 0;
  for (std::int64_t j = 0; static_cast<double>(j) * step < 12; ++j) {
    const double u = static_cast<double>(j) * step, y = pi * std::tanh(u);
    const double from_pi = 2 * pi / (std::exp(2 * u) + 1);  // pi - y
    if (from_pi < 1e-9) break;
    const bool small = y < 1e-3;
    const double sine = std::sin(std::min(y, from_pi));
    const double x = small ? y * y / 6 : std::log(y / sine);
    const double cosine = y < from_pi ? std::cos(y) : -std::cos(from_pi);
    const double slope = small ? y / 3 : 1 / y - cosine / sine;
    const Complex c(x, -y), change(slope, -1);
    const Complex term = std::exp(s_ * s_ * ((z + w) * exp_remainder(c) - 0.5 * c * c)) * change;
    const double cosh = std::cosh(u), part = -term.imag() * pi / (cosh * cosh) * (j == 0 ? 0.5 : 1.0);
    total += part;
    if (std::abs(term) < 1e-20 && u > width) break;
  }
  const double log_least = -s_ * s_ * (z * (0.5 * z - (1 - w))) - s_ * s_ * (0.5 * w * w - w);
  const double log_im = log_least + std::log(s_ / std::sqrt(2 * pi) * total * step);
  return log_im - (level - point(-w).real());
}

Transform::Tilted Transform::tilted(double w, double widest) const {
  const Contour& contour = contour_for(1, 0);
  const double outermost = std::max(-w, widest);
  const double end =
      outermost < 1 ? s_ * s_ * exp_remainder(upper_saddle(outermost)) : std::numeric_limits<double>::infinity();
  // X exp(w + sigma^2/2) - 1 is exp(sigma z) - 1, where q falls for z < 0 and rises for z > 0.
  double mass = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < contour.q_re.size(); ++i) {
    const double x = contour.z[i];
    if (x > 0 && contour.q_re[i] > end) break;
    const double p = contour.weight_re[i] * std::exp(-w * contour.q_re[i]), grown = std::expm1(sigma_ * x);
    mass += p;
    mean += p * grown;
    square += p * grown * grown;
  }
  mean /= mass;
  const double factor = std::exp(-w - 0.5 * sigma_ * sigma_), variance = square / mass - mean * mean;
  return {(1 + mean) * factor, std::sqrt(std::max(0.0, variance)) * factor};
}

}  // namespace renyi::random_allocation
