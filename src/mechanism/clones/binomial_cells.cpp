#include "mechanism/clones/binomial_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace renyi::mechanism {

namespace binomial_cells_file {
namespace {

// ln k! - (k + 1/2) ln k + k - ln(2 pi)/2; the first term of the series that is left out bounds the error.
long double stirling_remainder(long double k) {
  constexpr long double series_from = 20;  // the next term, 691/(360360 k^11), is below 1e-17
  if (k < series_from) {
    return std::lgamma(k + 1) - (k + 0.5L) * std::log(k) + k - 0.5L * std::log(2 * std::numbers::pi_v<long double>);
  }
  const long double y = 1 / (k * k);
  return (1 / 12.0L - y * (1 / 360.0L - y * (1 / 1260.0L - y * (1 / 1680.0L - y / 1188.0L)))) / k;
}

// x ln(x/mean) + mean - x, which is >= 0.
long double deviance(long double x, long double mean) {
  const long double v = (x - mean) / mean;
  return mean * ((1 + v) * std::log1p(v) - v);
}

struct GeometricSums {
  long double total = 0;  // r + r^2 + ... + r^L
  long double first = 0;  // r + 2 r^2 + ... + L r^L
};

// r = 1 + rise. Where r^L is near 1 the powers are bounded by their chord, 1 + i (r^L - 1)/L, because r^i is convex in
// i; elsewhere the closed forms lose few digits.
GeometricSums geometric_up(long double rise, long double count) {
  if (count == 0) return {};
  constexpr long double nearly_linear = 0.01L;
  const long double x = count * rise;
  if (std::abs(x) <= nearly_linear) {
    // r^L <= e^x, and e^x - 1 <= x + x^2/2 + |x|^3/5 for |x| <= 1/2.
    const long double most = x + x * x * (0.5L + std::abs(x) / 5);
    return {count + most * (count + 1) / 2, (count + 1) * (count / 2 + most * (2 * count + 1) / 6)};
  }
  const long double grown = std::expm1(count * std::log1p(rise));
  const long double total = (1 + rise) * grown / rise;
  return {total, (count * (1 + rise) * (1 + grown) - total) / rise};
}

}  // namespace
}  // namespace binomial_cells_file

BinomialCells::BinomialCells(long double trials, long double p)
    : n_(trials), p_(p), q_(1 - p), error_of_n_(trials > 0 ? binomial_cells_file::stirling_remainder(trials) : 0) {}

// Stirling's formula for the three factorials, with the large terms combined into deviances
// (docs/math/shuffle-model.md).
long double BinomialCells::log_mass(long double k) const {
  if (k == 0) return n_ * std::log1p(-p_);
  if (k == n_) return n_ * std::log(p_);
  using binomial_cells_file::deviance;
  using binomial_cells_file::stirling_remainder;
  const long double rest = n_ - k;
  return error_of_n_ - stirling_remainder(k) - stirling_remainder(rest) - deviance(k, n_ * p_) -
         deviance(rest, n_ * q_) - 0.5L * std::log(2 * std::numbers::pi_v<long double> * k * (rest / n_));
}

// The deviances of a fair coin, (n/2) ((1+u) ln(1+u) + (1-u) ln(1-u)) with u = 2k/n - 1, are n/2 times the sum over
// i >= 1 of u^(2i)/(i (2i-1)).
long double BinomialCells::mass(long double k) const {
  constexpr long double small_balance = 0.05L;  // the terms that are left out are below 1e-20 of the first
  const long double rest = n_ - k, u = (k - rest) / n_, y = u * u;
  if (p_ != 0.5L || !(y <= small_balance * small_balance)) return std::exp(log_mass(k));
  using binomial_cells_file::stirling_remainder;
  const long double series = y * (1 + y * (1 / 6.0L + y * (1 / 15.0L + y * (1 / 28.0L + y * (1 / 45.0L + y / 66.0L)))));
  const long double exponent = error_of_n_ - stirling_remainder(k) - stirling_remainder(rest) - n_ / 2 * series;
  return std::exp(exponent) / std::sqrt(2 * std::numbers::pi_v<long double> * k * (rest / n_));
}

long double BinomialCells::rise_above(long double k) const { return ((n_ - k) * p_ - (k + 1) * q_) / ((k + 1) * q_); }

long double BinomialCells::rise_below(long double k) const {
  return (k * q_ - (n_ - k + 1) * p_) / ((n_ - k + 1) * p_);
}

// Binomial probabilities are log-concave: b(c+i) <= b(c) r^i for i >= 0 with r = b(c+1)/b(c), and likewise below c.
CellSum BinomialCells::cell(long double lo, long double hi) const {
  const long double c = std::floor((lo + hi) / 2), b = mass(c);
  if (lo == hi) return {c, b, 0};
  const auto above = binomial_cells_file::geometric_up(rise_above(c), hi - c);
  const auto below = binomial_cells_file::geometric_up(rise_below(c), c - lo);
  return {c, b * (1 + above.total + below.total), b * (above.first - below.first)};
}

// b(k) (1 + r + r^2 + ...) = b(k)/(1 - r), by the same argument.
long double BinomialCells::tail_above(long double k) const {
  if (k > n_) return 0;
  const long double rise = rise_above(k), all = n_ - k + 1;
  return mass(k) * (rise < 0 ? std::min(all, -1 / rise) : all);
}

long double BinomialCells::tail_below(long double k) const {
  if (k < 0) return 0;
  const long double rise = rise_below(k), all = k + 1;
  return mass(k) * (rise < 0 ? std::min(all, -1 / rise) : all);
}

}  // namespace renyi::mechanism
