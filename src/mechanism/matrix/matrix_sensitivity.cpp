#include "mechanism/matrix/matrix_sensitivity.h"

#include <algorithm>
#include <vector>

#include "mechanism/matrix/gram.h"
#include "mechanism/matrix/separated_sets.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using Columns = std::vector<std::size_t>;

// What column j adds to the sum of all entries between the columns of a pattern.
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

// i, i + b, i + 2b, ...
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

// Every pattern that begins with this one.
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

// Of sums of sums of at most `columns` entries each, all of one sign.
double summation_error(std::size_t columns) { return 4 * static_cast<double>(columns + 2) * numerics::unit_roundoff; }

double rounded_up(double sum, const Gram& gram) {
  return numerics::next_up(sum * (1 + gram.relative_error() + summation_error(gram.columns())));
}

}  // namespace

double squared_matrix_sensitivity(const Rows& matrix, const Participation& participation, Order order) {
  const SeparatedSets sets = sets_of(matrix, participation);
  const Gram gram(matrix, sets.most == 1 ? sets.columns : sets.separation);
  return rounded_up(largest_sum(gram, sets, order), gram);
}

// What was added to the sum, and what the sum itself may be above the truth.
double squared_sensitivity_rounding(const Rows& matrix) {
  return 3 * (Gram::error_of(matrix) + summation_error(matrix.front().size()));
}

bool is_attained(const Rows& matrix, const Participation& participation, Order order) {
  const SeparatedSets sets = sets_of(matrix, participation);
  if (sets.most == 1 || Gram(matrix, sets.separation).is_diagonal()) return true;
  const bool searched = order == Order::fixed || sets.number(most_patterns_tried) < most_patterns_tried;
  // Then no inner product is negative, and equal contributions attain the sum.
  const auto not_negative = [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](double x) { return x >= 0; });
  };
  return searched && std::all_of(matrix.begin(), matrix.end(), not_negative);
}

double bound_for_all_patterns(const Rows& matrix, const Participation& participation) {
  const SeparatedSets sets = sets_of(matrix, participation);
  const Gram gram(matrix, sets.separation);
  return rounded_up(sets.most == 1 ? largest_diagonal(gram) : bounded(gram, sets), gram);
}

}  // namespace renyi::mechanism
