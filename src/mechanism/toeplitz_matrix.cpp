// Correlated Gaussian noise, C^-1 z for C lower triangular with constant diagonals (banded matrix factorisations): a
// Gaussian mechanism on C g (docs/math/trees-and-matrices.md, "Matrices").
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/participation/sensitivity.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace toeplitz_matrix_file {
namespace {

constexpr double most_rounds = 1e9;

struct ToeplitzMatrix {
  double noise_multiplier = 1;
  double rounds = 1000;
  double participations = 1;
  double min_separation = 1;
  Rows coefficients{{1}, {0.5}, {0.375}, {0.3125}};

  static constexpr std::string_view kind = "toeplitz-matrix";
  static constexpr std::string_view summary =
      "correlated Gaussian noise by a lower triangular matrix with constant diagonals (banded matrix factorisation)";
  static std::span<const Parameter> parameters();
  static std::span<const TableParameter> tables();
  static constexpr auto fields = std::tuple{&ToeplitzMatrix::noise_multiplier, &ToeplitzMatrix::rounds,
                                            &ToeplitzMatrix::participations, &ToeplitzMatrix::min_separation};
  static constexpr auto table_fields = std::tuple{&ToeplitzMatrix::coefficients};
  static Notes notes();
  static constexpr std::string_view sampling_obstacle =
      "its noise is shared by many batches, and what it gains from sampling them is not analysed";
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const ToeplitzMatrix&) const = default;
};

std::span<const Parameter> ToeplitzMatrix::parameters() {
  static constexpr std::array<Parameter, 4> table{{
      {.name = "noise_multiplier",
       .meaning = "standard deviation of the noise on C g over the L2 norm of one contribution",
       .lowest = 1e-20,
       .highest = 1e20,
       .effect = Effect::lowers_cost},
      {.name = "rounds",
       .meaning = "training steps of the run: rows and columns of C",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .effect = Effect::raises_cost},
      {.name = "participations",
       .meaning = "rounds that one record contributes to, at most",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::raises_cost},
      {.name = "min_separation",
       .meaning = "rounds from one contribution of a record to its next, at least",
       .lowest = 1,
       .highest = most_rounds,
       .whole = true,
       .fallback = 1.0,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::span<const TableParameter> ToeplitzMatrix::tables() {
  static constexpr std::array<Parameter, 1> column{{
      {.name = "coefficient", .meaning = "an entry of the first column of C", .lowest = -1e20, .highest = 1e20},
  }};
  static constexpr std::array<TableParameter, 1> table{{
      {.name = "coefficients",
       .meaning = "the first column of C, from the diagonal down; zeros follow",
       .columns = column},
  }};
  return table;
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

Mechanism ToeplitzMatrix::equivalent() const {
  std::vector<double> first_column;
  for (const auto& row : coefficients) first_column.push_back(row.front());
  const mechanism::Participation rule{whole(participations), whole(min_separation)};
  return mechanism::gaussian_with_sensitivity(
      noise_multiplier, {.upper = mechanism::squared_toeplitz_sensitivity(first_column, whole(rounds), rule),
                         .rounding = mechanism::squared_sensitivity_rounding(first_column),
                         .attained = mechanism::is_attained(first_column, whole(rounds), rule)});
}

Notes ToeplitzMatrix::notes() {
  return {
      .relation = mechanism::relation_of_matrices,
      .exact =
          "everything for one participation, for no more coefficients than min_separation, and for coefficients that "
          "are not negative and do not rise",
      .bound = "for several participations and other coefficients: those of the least falling sequence above them",
      .references = {reference::choquette_choo2023b, reference::kalinin_lampert2024, reference::denisov2022},
      .assumes = mechanism::rounds_are_kept};
}

}  // namespace
}  // namespace toeplitz_matrix_file

Mechanism table::toeplitz_matrix() { return mechanism::made(toeplitz_matrix_file::ToeplitzMatrix{}); }

}  // namespace renyi
