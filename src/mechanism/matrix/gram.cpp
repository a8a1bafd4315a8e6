#include "mechanism/matrix/gram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using Entries = std::vector<double>;

bool has_negative(const Rows& matrix) {
  return std::any_of(matrix.begin(), matrix.end(), [](const std::vector<double>& row) {
    return std::any_of(row.begin(), row.end(), [](double x) { return x < 0; });
  });
}

// Entries of so many rows of the result are summed at a time, so that they stay in the processor's cache.
constexpr std::size_t rows_at_a_time = 16;

// Adds row_i row_j to the entries at and right of the diagonal, for i in [begin, end). Zeros at the end of a row, as
// triangular and banded matrices have them, cost nothing.
void add_products(const std::vector<double>& row, std::size_t separation, std::size_t begin, std::size_t end,
                  Entries& entries) {
  std::size_t last = row.size();
  while (last > begin && row[last - 1] == 0) --last;
  for (std::size_t i = begin; i < std::min(end, last); ++i) {
    const double x = row[i];
    if (x == 0) continue;
    double* sums = &entries[i * row.size()];
    sums[i] += x * x;
    for (std::size_t j = i + separation; j < last; ++j) sums[j] += x * row[j];
  }
}

Entries products(const Rows& matrix, std::size_t separation) {
  const std::size_t n = matrix.front().size();
  Entries entries(n * n, 0);
  for (std::size_t begin = 0; begin < n; begin += rows_at_a_time) {
    for (const auto& row : matrix) add_products(row, separation, begin, std::min(n, begin + rows_at_a_time), entries);
  }
  return entries;
}

// The rows between which a column is not zero.
struct Extent {
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::size_t last = 0;

  bool meets(const Extent& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Extent> extents_of(const Rows& matrix) {
  std::vector<Extent> result(matrix.front().size());
  for (std::size_t r = 0; r < matrix.size(); ++r) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (matrix[r][i] != 0) result[i] = {std::min(result[i].first, r), r};
    }
  }
  return result;
}

void mirror(Entries& entries, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) entries[j * n + i] = entries[i * n + j];
  }
}

}  // namespace

// A sum of n products of one sign is off by at most n u of itself; of both signs, by n u of the sum of their magnitudes
// (Higham 2002, Section 3.1), which is at most |column i| |column j|. Twice that leaves room for the second order:
// `error_of`.
Gram::Gram(const Rows& matrix, std::size_t separation)
    : columns_(matrix.front().size()), entries_(products(matrix, separation)), relative_error_(error_of(matrix)) {
  if (has_negative(matrix)) enlarge(matrix, separation);
  mirror(entries_, columns_);
}

double Gram::error_of(const Rows& matrix) {
  return 2 * static_cast<double>(matrix.size() + 4) * numerics::unit_roundoff;
}

void Gram::enlarge(const Rows& matrix, std::size_t separation) {
  const auto extents = extents_of(matrix);
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = i + separation; j < columns_; ++j) {
      double& entry = entries_[i * columns_ + j];
      const double rounding = relative_error_ * std::sqrt(at(i, i)) * std::sqrt(at(j, j));
      entry = extents[i].meets(extents[j]) ? std::abs(entry) + rounding : 0;
    }
  }
}

bool Gram::is_diagonal() const {
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) {
      if (i != j && at(i, j) != 0) return false;
    }
  }
  return true;
}

}  // namespace renyi::mechanism
