// |<column i, column j>| of a matrix, rounded up.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "renyi/parameter.h"

namespace renyi::mechanism {

class Gram {
 public:
  // Columns closer than `separation` are not compared, and count as orthogonal. Entries are at most a part of
  // `relative_error` below the truth.
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

}  // namespace renyi::mechanism
