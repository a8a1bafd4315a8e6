// Linear programs of a few variables: the simplex method with the rule of Bland, which never cycles.
#pragma once

#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace renyi::test {

// Maximises a linear function of numbers x >= 0 under constraints of the form row x <= limit. Every limit is at least
// 0, so that x = 0 is a point to start from.
class LinearProgram {
 public:
  using Real = long double;

  // The function to maximise has one coefficient for each variable.
  explicit LinearProgram(std::vector<Real> function) : function_(std::move(function)) {}

  void add(std::vector<Real> row, Real limit) {
    if (limit < 0 || row.size() != function_.size()) throw std::logic_error("a constraint that x = 0 violates");
    rows_.push_back(std::move(row));
    limits_.push_back(limit);
  }

  // Returns the largest value. Throws if there is none.
  Real largest() {
    outside_.resize(function_.size());
    inside_.resize(rows_.size());
    std::iota(outside_.begin(), outside_.end(), std::size_t{0});
    std::iota(inside_.begin(), inside_.end(), outside_.size());
    for (std::size_t column = entering(); column < outside_.size(); column = entering()) {
      exchange(leaving(column), column);
    }
    return value_;
  }

 private:
  static constexpr Real tiny = 1e-13L;

  // Returns the variable that was numbered first of those that raise the value.
  std::size_t entering() const {
    std::size_t best = outside_.size();
    for (std::size_t j = 0; j < outside_.size(); ++j) {
      if (function_[j] > tiny && (best == outside_.size() || outside_[j] < outside_[best])) best = j;
    }
    return best;
  }

  // Returns the variable that becomes 0 first; of several, the one that was numbered first.
  std::size_t leaving(std::size_t column) const {
    std::size_t best = rows_.size();
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!(rows_[i][column] > tiny)) continue;
      const Real here = limits_[i] / rows_[i][column];
      if (here < least || (here == least && inside_[i] < inside_[best])) {
        best = i;
        least = here;
      }
    }
    if (best == rows_.size()) throw std::logic_error("no largest value");
    return best;
  }

  void exchange(std::size_t row, std::size_t column) {
    std::vector<Real>& pivot = rows_[row];
    const Real unit = 1 / pivot[column];
    for (Real& entry : pivot) entry *= unit;
    limits_[row] *= unit;
    pivot[column] = unit;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i != row) limits_[i] -= subtracted(rows_[i], pivot, column) * limits_[row];
    }
    value_ += subtracted(function_, pivot, column) * limits_[row];
    std::swap(inside_[row], outside_[column]);
  }

  // Expresses the entering variable by the leaving one, and returns the coefficient that it had.
  static Real subtracted(std::vector<Real>& entries, const std::vector<Real>& pivot, std::size_t column) {
    const Real factor = std::exchange(entries[column], 0);
    for (std::size_t j = 0; j < entries.size(); ++j) entries[j] -= factor * pivot[j];
    return factor;
  }

  std::vector<Real> function_;
  std::vector<std::vector<Real>> rows_{};
  std::vector<Real> limits_{};
  std::vector<std::size_t> outside_{}, inside_{};  // the variables that are 0, and those that the rows express
  Real value_ = 0;
};

}  // namespace renyi::test
