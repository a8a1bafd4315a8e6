// The sensitivity of C g, for C lower triangular with constant diagonals (docs/math/trees-and-matrices.md).
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mechanism/participation/sensitivity.h"
#include "numerics/extended.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace toeplitz_sensitivity_file {
namespace {

using Sums = std::vector<long double>;

// Returns the smallest sequence that does not rise and is at least |m|. Where m itself does not rise and is not
// negative, it is m.
std::vector<double> majorant(std::span<const double> m) {
  std::vector<double> result(m.size());
  double largest = 0;
  for (std::size_t i = m.size(); i-- > 0;) result[i] = largest = std::max(largest, std::abs(m[i]));
  return result;
}

// [rows] is the squared norm of a column that has `rows` of the coefficients in the matrix.
Sums squared_norms(std::span<const double> m) {
  Sums result{0};
  for (const double x : m) result.push_back(result.back() + static_cast<long double>(x) * static_cast<long double>(x));
  return result;
}

// Columns 0, b, 2b, ... do not overlap, so that their squared norms add. The first of them contain all coefficients.
long double disjoint(const Sums& norms, std::int64_t steps, std::int64_t columns, std::int64_t b) {
  const auto bands = static_cast<std::int64_t>(norms.size()) - 1;
  const std::int64_t whole = std::min(columns, steps >= bands ? (steps - bands) / b + 1 : 0);
  long double total = static_cast<long double>(whole) * norms.back();
  for (std::int64_t j = whole; j < columns; ++j)
    total += norms[static_cast<std::size_t>(std::min(bands, steps - j * b))];
  return total;
}

// The rows s, s + b, s + 2b, ... of the sum of the columns 0, b, ..., (k-1) b. Row a of them is the sum of the
// coefficients m[s + ib] with a - k < i <= a. Windows of k terms meet two blocks of k terms: the end of one and the
// start of the next, so that nothing is subtracted.
class RowsOfOneResidue {
 public:
  RowsOfOneResidue(std::span<const double> m, std::int64_t s, std::int64_t b, std::int64_t k) : k_(k) {
    for (auto i = s; i < static_cast<std::int64_t>(m.size()); i += b) from_start_.push_back(m[place(i)]);
    to_end_ = from_start_;
    const std::int64_t last = terms() - 1;
    for (std::int64_t i = 1; i <= last; ++i) from_start_[place(i)] += i % k == 0 ? 0 : from_start_[place(i - 1)];
    for (std::int64_t i = last; i > 0; --i) to_end_[place(i - 1)] += i % k == 0 ? 0 : to_end_[place(i)];
  }

  // Returns the sum of the squares of the first `rows` of these rows.
  long double squares(std::int64_t rows) const {
    long double total = 0;
    for (std::int64_t a = 0; a < std::min(rows, terms() + k_ - 1);) {
      // The rows from terms - 1 to k - 1 contain all terms and are equal.
      const std::int64_t same = a + 1 >= terms() && a < k_ ? std::min(rows, k_) - a : 1;
      const long double sum = row(a);
      total += static_cast<long double>(same) * sum * sum;
      a += same;
    }
    return total;
  }

 private:
  static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t terms() const { return static_cast<std::int64_t>(from_start_.size()); }

  long double row(std::int64_t a) const {
    const std::int64_t last = std::min(a, terms() - 1), first = a - k_ + 1;
    if (first <= 0) return from_start_[place(last)];
    return to_end_[place(first)] + (first / k_ == last / k_ ? 0 : from_start_[place(last)]);
  }

  std::int64_t k_;
  Sums from_start_{};  // [i]: sum over the block that contains i, up to i
  Sums to_end_{};      // [i]: sum over the block that contains i, from i on
};

// For several participations the columns 0, b, 2b, ... are the worst (Kalinin, Lampert 2024, Theorem 2).
long double overlapping(std::span<const double> m, std::int64_t steps, std::int64_t columns, std::int64_t b) {
  long double total = 0;
  const std::int64_t residues = std::min({b, steps, static_cast<std::int64_t>(m.size())});
  for (std::int64_t s = 0; s < residues; ++s) {
    total += RowsOfOneResidue(m, s, b, columns).squares((steps - 1 - s) / b + 1);
  }
  return total;
}

// All terms are non-negative. A row has at most n roundings, its square twice as many and two more, and at most 2 n + 4
// squares are summed. The result is that share of the value, with a margin for the second order.
long double summation_error(std::size_t coefficients) {
  return (8 * static_cast<long double>(coefficients) + 64) * numerics::extended_epsilon;
}

double rounded_up(long double value, std::size_t coefficients) {
  return numerics::next_up(static_cast<double>(value * (1 + summation_error(coefficients))));
}

}  // namespace
}  // namespace toeplitz_sensitivity_file

double squared_toeplitz_sensitivity(std::span<const double> coefficients, std::int64_t steps,
                                    const Participation& participation) {
  const auto used = std::min(coefficients.size(), static_cast<std::size_t>(steps));
  const std::span<const double> m = coefficients.first(used);
  const std::int64_t columns = participation.most_in(steps), b = participation.separation;
  if (columns == 1 || static_cast<std::int64_t>(used) <= b) {
    return toeplitz_sensitivity_file::rounded_up(
        toeplitz_sensitivity_file::disjoint(toeplitz_sensitivity_file::squared_norms(m), steps, columns, b), used);
  }
  return toeplitz_sensitivity_file::rounded_up(
      toeplitz_sensitivity_file::overlapping(toeplitz_sensitivity_file::majorant(m), steps, columns, b), used);
}

// Includes what was added to the sum, how far the sum itself may lie above the exact value, and two roundings to
// double.
double squared_sensitivity_rounding(std::span<const double> coefficients) {
  return static_cast<double>(3 * toeplitz_sensitivity_file::summation_error(coefficients.size())) +
         4 * numerics::unit_roundoff;
}

bool is_attained(std::span<const double> coefficients, std::int64_t steps, const Participation& participation) {
  const auto m = coefficients.first(std::min(coefficients.size(), static_cast<std::size_t>(steps)));
  if (participation.most_in(steps) == 1 || static_cast<std::int64_t>(m.size()) <= participation.separation) return true;
  return m.back() >= 0 && std::is_sorted(m.rbegin(), m.rend());
}

}  // namespace renyi::mechanism
