// The sensitivity of C g, from the inner products of the columns of C over all patterns of participation
// (docs/math/trees-and-matrices.md, "Matrices").
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "mechanism/participation/sensitivity.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace matrix_sensitivity_file {
namespace {

// The values |<column i, column j>| of a matrix, up to rounding.
class Gram {
 public:
  // Columns closer than `separation` are not compared, and count as orthogonal. No entry is below its
  // exact value by more than a share of `relative_error`.
  Gram(const Rows& matrix, std::size_t separation);

  std::size_t columns() const { return columns_; }
  double at(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  std::span<const double> row(std::size_t i) const { return std::span(entries_).subspan(i * columns_, columns_); }
  bool is_diagonal() const;
  static double error_of(const Rows& matrix);
  double relative_error() const { return relative_error_; }

 private:
  void enlarge(const Rows& matrix, std::size_t separation);

  std::size_t columns_;
  std::vector<double> entries_;
  double relative_error_;
};

using Entries = std::vector<double>;

bool has_negative(const Rows& matrix) {
  return std::any_of(matrix.begin(), matrix.end(), [](const std::vector<double>& row) {
    return std::any_of(row.begin(), row.end(), [](double x) { return x < 0; });
  });
}

// Entries of this many rows of the result are summed at a time, so that they stay in the processor's cache.
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

// The range of rows outside which a column is zero.
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

// A sum of n products of one sign has an error of at most n u of itself; a sum of both signs, of n u of the sum of the
// magnitudes (Higham 2002, Section 3.1), which is at most |column i| |column j|. Twice that leaves a margin for the
// second order: `error_of`.
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

// Sets of columns in which any two are at least `separation` apart.
struct SeparatedSets {
  std::size_t columns = 1;
  std::size_t most = 1;        // largest number of members, limited to what fits
  std::size_t separation = 1;  // least distance from one member to the next

  // Returns the number of such sets, or `limit` if there are more.
  double number(double limit) const;

  // Returns the largest sum of weights >= 0 over a set (Choquette-Choo et al. 2023, arXiv:2306.08153, Algorithm 3). It
  // is a sum of at most `columns` terms, rounded to nearest.
  double heaviest(std::span<const double> weights) const;

 private:
  bool holds_any_number() const { return most * separation >= columns; }
  double heaviest_of_any_number(std::span<const double> weights) const;
  double heaviest_few(std::span<const double> weights) const;
};

// The number of sets of c members is binomial(columns - (c-1)(separation-1), c), as their gaps can be shortened by
// separation - 1 each.
double SeparatedSets::number(double limit) const {
  double total = 1;
  for (std::size_t c = 1; c <= most; ++c) {
    const std::size_t lost = (c - 1) * (separation - 1);
    if (lost + c > columns) break;
    double sets = 1;
    for (std::size_t i = 0; i < c; ++i) sets *= static_cast<double>(columns - lost - i) / static_cast<double>(i + 1);
    total += sets;
    if (total >= limit) return limit;
  }
  return total;
}

double SeparatedSets::heaviest(std::span<const double> weights) const {
  if (holds_any_number()) return heaviest_of_any_number(weights);
  if (separation > 1) return heaviest_few(weights);
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(sorted.begin(), end, sorted.end(), std::greater<>());
  return std::accumulate(sorted.begin(), end, 0.0);
}

// best[j] is the largest sum among the first j columns.
double SeparatedSets::heaviest_of_any_number(std::span<const double> weights) const {
  std::vector<double> best(columns + 1, 0);
  for (std::size_t j = 1; j <= columns; ++j) {
    const double before = j > separation ? best[j - separation] : 0;
    best[j] = std::max(best[j - 1], before + weights[j - 1]);
  }
  return best[columns];
}

// best[j][c] is the largest sum among the first j columns with at most c members. The iterations of the inner loop are
// independent, which makes it fast.
double SeparatedSets::heaviest_few(std::span<const double> weights) const {
  const std::size_t width = most + 1;
  std::vector<double> best((columns + 1) * width, 0);
  for (std::size_t j = 1; j <= columns; ++j) {
    const double weight = weights[j - 1];
    const double* without = &best[(j - 1) * width];
    const double* before = &best[(j > separation ? j - separation : 0) * width];
    double* here = &best[j * width];
    for (std::size_t c = 1; c < width; ++c) {
      const double with = before[c - 1] + weight;
      here[c] = with > without[c] ? with : without[c];
    }
  }
  return best[columns * width + most];
}

using Columns = std::vector<std::size_t>;

// Returns what column j adds to the sum of all entries between the columns of a pattern.
double added(const Gram& gram, const Columns& pattern, std::size_t j) {
  double others = 0;
  for (const std::size_t i : pattern) others += gram.at(i, j);
  return gram.at(j, j) + 2 * others;
}

double largest_diagonal(const Gram& gram) {
  double largest = 0;
  for (std::size_t i = 0; i < gram.columns(); ++i) largest = std::max(largest, gram.at(i, i));
  return largest;
}

double orthogonal(const Gram& gram, const SeparatedSets& sets) {
  std::vector<double> norms;
  for (std::size_t i = 0; i < gram.columns(); ++i) norms.push_back(gram.at(i, i));
  return sets.heaviest(norms);
}

// Returns the largest sum over the patterns i, i + b, i + 2b, ...
double in_fixed_order(const Gram& gram, const SeparatedSets& sets) {
  double largest = 0;
  for (std::size_t first = 0; first < gram.columns(); ++first) {
    Columns pattern;
    double sum = 0;
    for (std::size_t j = first; j < gram.columns() && pattern.size() < sets.most; j += sets.separation) {
      sum += added(gram, pattern, j);
      pattern.push_back(j);
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

// Returns the largest sum over every pattern that begins with this one.
double tried(const Gram& gram, const SeparatedSets& sets, Columns& pattern, double sum) {
  double largest = sum;
  if (pattern.size() == sets.most) return largest;
  for (std::size_t j = pattern.empty() ? 0 : pattern.back() + sets.separation; j < gram.columns(); ++j) {
    const double next = sum + added(gram, pattern, j);
    pattern.push_back(j);
    largest = std::max(largest, tried(gram, sets, pattern, next));
    pattern.pop_back();
  }
  return largest;
}

// sum_{i, j in p} X_ij <= sum_{i in p} r_i, where r_i = max over patterns p' with i of sum_{j in p'} X_ij
// (Choquette-Choo et al. 2023, arXiv:2306.08153, Algorithm 4). Columns that cannot go with i have the entry 0.
double bounded(const Gram& gram, const SeparatedSets& sets) {
  std::vector<double> row_sums;
  for (std::size_t i = 0; i < gram.columns(); ++i) {
    std::vector<double> others(gram.row(i).begin(), gram.row(i).end());
    others[i] = 0;
    SeparatedSets rest = sets;
    rest.most = sets.most - 1;
    row_sums.push_back(gram.at(i, i) + rest.heaviest(others));
  }
  return sets.heaviest(row_sums);
}

double largest_sum(const Gram& gram, const SeparatedSets& sets, Order order) {
  if (sets.most == 1) return largest_diagonal(gram);
  if (order == Order::fixed) return in_fixed_order(gram, sets);
  if (gram.is_diagonal()) return orthogonal(gram, sets);
  Columns pattern;
  if (sets.number(most_patterns_tried) < most_patterns_tried) return tried(gram, sets, pattern, 0);
  return bounded(gram, sets);
}

SeparatedSets sets_of(const Rows& matrix, const Participation& participation) {
  const std::size_t columns = matrix.front().size();
  const auto separation = static_cast<std::size_t>(participation.separation);
  return {columns, static_cast<std::size_t>(participation.most_in(static_cast<std::int64_t>(columns))), separation};
}

// Returns the relative error of sums of sums of at most `columns` entries each, all of one sign.
double summation_error(std::size_t columns) { return 4 * static_cast<double>(columns + 2) * numerics::unit_roundoff; }

double rounded_up(double sum, const Gram& gram) {
  return numerics::next_up(sum * (1 + gram.relative_error() + summation_error(gram.columns())));
}

}  // namespace
}  // namespace matrix_sensitivity_file

double squared_matrix_sensitivity(const Rows& matrix, const Participation& participation, Order order) {
  const matrix_sensitivity_file::SeparatedSets sets = matrix_sensitivity_file::sets_of(matrix, participation);
  const matrix_sensitivity_file::Gram gram(matrix, sets.most == 1 ? sets.columns : sets.separation);
  return matrix_sensitivity_file::rounded_up(matrix_sensitivity_file::largest_sum(gram, sets, order), gram);
}

// Includes what was added to the sum, and how far the sum itself may lie above the exact value.
double squared_sensitivity_rounding(const Rows& matrix) {
  return 3 * (matrix_sensitivity_file::Gram::error_of(matrix) +
              matrix_sensitivity_file::summation_error(matrix.front().size()));
}

bool is_attained(const Rows& matrix, const Participation& participation, Order order) {
  const matrix_sensitivity_file::SeparatedSets sets = matrix_sensitivity_file::sets_of(matrix, participation);
  if (sets.most == 1 || matrix_sensitivity_file::Gram(matrix, sets.separation).is_diagonal()) return true;
  const bool searched = order == Order::fixed || sets.number(most_patterns_tried) < most_patterns_tried;
  // If no entry is negative, no inner product is negative, and equal contributions attain the sum.
  const auto not_negative = [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](double x) { return x >= 0; });
  };
  return searched && std::all_of(matrix.begin(), matrix.end(), not_negative);
}

double bound_for_all_patterns(const Rows& matrix, const Participation& participation) {
  const matrix_sensitivity_file::SeparatedSets sets = matrix_sensitivity_file::sets_of(matrix, participation);
  const matrix_sensitivity_file::Gram gram(matrix, sets.separation);
  return matrix_sensitivity_file::rounded_up(
      sets.most == 1 ? matrix_sensitivity_file::largest_diagonal(gram) : matrix_sensitivity_file::bounded(gram, sets),
      gram);
}

}  // namespace renyi::mechanism
