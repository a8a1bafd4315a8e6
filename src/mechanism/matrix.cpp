// Correlated Gaussian noise, C^-1 z for a matrix C (matrix factorisation mechanisms): a Gaussian mechanism on C g
// (docs/math/trees-and-matrices.md, "Matrices").
#include <fmt/format.h>

#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/participation/sensitivity.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace matrix_file {
namespace {

constexpr std::size_t most_columns = 1024;
constexpr double most_participations = 1e9;

struct Matrix {
  double noise_multiplier = 1;
  double participations = 1;
  double min_separation = 1;
  double fixed_order = 0;
  Rows matrix{{1, 0, 0, 0}, {0.5, 1, 0, 0}, {0.375, 0.5, 1, 0}, {0.3125, 0.375, 0.5, 1}};

  static constexpr std::string_view kind = "matrix";
  static constexpr std::string_view summary =
      "correlated Gaussian noise by a matrix over the rounds (matrix factorisation)";
  static std::span<const Parameter> parameters();
  static std::span<const TableParameter> tables();
  static constexpr auto fields =
      std::tuple{&Matrix::noise_multiplier, &Matrix::participations, &Matrix::min_separation, &Matrix::fixed_order};
  static constexpr auto table_fields = std::tuple{&Matrix::matrix};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle =
      "its noise is shared by many batches, and what it gains from sampling them is not analysed";
  void check() const;
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const Matrix&) const = default;
};

std::span<const Parameter> Matrix::parameters() {
  static constexpr std::array<Parameter, 4> table{{
      {.name = "noise_multiplier",
       .meaning = "standard deviation of the noise on C g over the L2 norm of one contribution",
       .lowest = 1e-20,
       .highest = 1e20,
       .effect = Effect::lowers_cost},
      {.name = "participations",
       .meaning = "rounds that one record contributes to, at most",
       .lowest = 1,
       .highest = most_participations,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::raises_cost},
      {.name = "min_separation",
       .meaning = "rounds from one contribution of a record to its next, at least",
       .lowest = 1,
       .highest = most_participations,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::not_monotone},
      {.name = "fixed_order",
       .meaning = "1: contributions of a record are exactly min_separation rounds apart (epochs in one order)",
       .lowest = 0,
       .highest = 1,
       .whole = true,
       .fallback = 0.0,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::span<const TableParameter> Matrix::tables() {
  static constexpr std::array<Parameter, 1> column{{
      {.name = "entry", .meaning = "an entry of C", .lowest = -1e20, .highest = 1e20},
  }};
  static constexpr std::array<TableParameter, 1> table{{
      {.name = "matrix",
       .meaning = "C (strategy or encoder matrix), row by row; columns are rounds",
       .columns = column,
       .any_width = true},
  }};
  return table;
}

// Limits the number of columns, because more would need more memory than a mechanism should use.
void Matrix::check() const {
  if (matrix.front().size() <= most_columns) return;
  throw InvalidArgument("matrix", fmt::format("{} columns", matrix.front().size()),
                        fmt::format("at most {} columns; for longer runs use toeplitz-matrix, or gaussian with the "
                                    "l2_sensitivity of C",
                                    most_columns));
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

Mechanism Matrix::equivalent() const {
  const mechanism::Participation rule{whole(participations), whole(min_separation)};
  const mechanism::Order order = fixed_order == 1 ? mechanism::Order::fixed : mechanism::Order::any;
  return mechanism::gaussian_with_sensitivity(noise_multiplier,
                                              {.upper = mechanism::squared_matrix_sensitivity(matrix, rule, order),
                                               .rounding = mechanism::squared_sensitivity_rounding(matrix),
                                               .attained = mechanism::is_attained(matrix, rule, order)});
}

Notes Matrix::notes() {
  return {
      .relation = mechanism::relation_of_matrices,
      .exact =
          "everything for one participation; for several, where no inner product of columns is negative and the "
          "order is fixed, the columns of a pattern are orthogonal, or there are fewer than 32768 patterns",
      .bound = "for negative inner products their magnitudes; for more patterns the sum of the rows' worst patterns",
      .references = {reference::denisov2022, reference::choquette_choo2023a, reference::choquette_choo2023b},
      .assumes = mechanism::rounds_are_kept};
}

}  // namespace
}  // namespace matrix_file

Mechanism table::matrix() { return mechanism::made(matrix_file::Matrix{}); }

}  // namespace renyi
