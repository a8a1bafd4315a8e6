#include "divergence/mahalanobis.h"

#include <fmt/format.h>

#include "divergence/extended.h"
#include "renyi/error.h"

namespace renyi::divergence_detail {
namespace {

using Vector = std::vector<long double>;
using Matrix = std::vector<std::vector<double>>;

void check_entry(const Matrix& s, std::size_t i, std::size_t j) {
  const std::string field = fmt::format("covariance[{}][{}]", i, j);
  if (!std::isfinite(s[i][j])) throw InvalidArgument(field, fmt::format("{}", s[i][j]), "a finite number");
  if (s[i][j] == s[j][i]) return;
  throw InvalidArgument(field, fmt::format("{}", s[i][j]),
                        fmt::format("{}, as at [{}][{}]: the matrix must be symmetric", s[j][i], j, i));
}

void check_shape(const Matrix& s, std::size_t size) {
  const std::string allowed = fmt::format("{0} rows of {0} numbers, as many as the means have", size);
  if (s.size() != size) throw InvalidArgument("covariance", fmt::format("{} rows", s.size()), allowed);
  for (std::size_t i = 0; i < size; ++i) {
    if (s[i].size() == size) continue;
    throw InvalidArgument(fmt::format("covariance[{}]", i), fmt::format("{} numbers", s[i].size()), allowed);
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) check_entry(s, i, j);
  }
}

// S = L L', L lower triangular. A pivot lost in rounding counts as none.
std::vector<Vector> cholesky(const Matrix& s) {
  const std::size_t n = s.size();
  std::vector<Vector> l(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      long double rest = s[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      if (j < i) {
        l[i][j] = rest / l[j][j];
        continue;
      }
      if (!(rest > static_cast<long double>(n) * 4 * long_epsilon * s[i][i])) {
        throw InvalidArgument("covariance", fmt::format("a matrix whose pivot {} is not above 0", i),
                              "a positive definite matrix");
      }
      l[i][i] = std::sqrt(rest);
    }
  }
  return l;
}

Vector forward_solved(const std::vector<Vector>& l, Vector y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}

Vector backward_solved(const std::vector<Vector>& l, Vector y) {
  for (std::size_t i = y.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < y.size(); ++k) y[i] -= l[k][i] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}

}  // namespace

// For any x, with r = y - S x:  y' S^-1 y = x'(y + r) + r' S^-1 r.  The last term is >= 0 and of second order.
Bounded squared_mahalanobis(const Vector& y, const Matrix& covariance) {
  check_shape(covariance, y.size());
  const auto l = cholesky(covariance);
  const Vector x = backward_solved(l, forward_solved(l, y));
  const auto n = static_cast<long double>(y.size());
  Vector r(y.size());
  long double value = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    long double row = 0, row_size = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      row += covariance[i][j] * x[j];
      row_size += std::abs(covariance[i][j] * x[j]);
    }
    r[i] = y[i] - row;
    value += x[i] * (y[i] + r[i]);
    size += std::abs(x[i]) * (std::abs(y[i]) + row_size);
  }
  long double second_order = 0;
  for (const long double w : forward_solved(l, r)) second_order += w * w;
  return to_bounded(value, 2 * second_order + (2 * n + 8) * long_epsilon * size);
}

}  // namespace renyi::divergence_detail
