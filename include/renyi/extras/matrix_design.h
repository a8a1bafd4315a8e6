// Design of correlated noise: coefficients of a banded matrix C with constant diagonals, the error of prefix sums in a
// run with such noise, and the noise that a privacy target needs, with and without amplification by sampling
// (docs/math/banded-matrices.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/calibrate.h"
#include "renyi/sampling.h"

namespace renyi {

// A run of `rounds` steps in which one record contributes to at most `participations` rounds, each at least
// `min_separation` rounds after the one before.
struct ParticipationRule {
  std::int64_t rounds = 1000;
  std::int64_t participations = 1;
  std::int64_t min_separation = 1;
};

// The largest number of rounds and of bands that are designed.
inline constexpr std::int64_t most_designed_rounds = 100'000'000;
inline constexpr std::int64_t most_designed_bands = std::int64_t{1} << 20;

// Estimates of the error of prefix sums if the noise on C g has the standard deviation 1: the variance of one
// coordinate in A C^-1 z, averaged over the rounds and in the worst round. They are accurate to one part in 1e9.
struct PrefixSumError {
  double mean_squared = 0;
  double largest_squared = 0;
};

// Returns the error of prefix sums. The coefficients are the first column of C, from the diagonal down; zeros follow.
// Throws InvalidArgument for coefficients that are not finite or begin with 0, and Unsupported if the error overflows
// or would take too long: coefficients that rise or are negative take a time of rounds times bands.
//
//     const renyi::PrefixSumError error = renyi::prefix_sum_error(renyi::square_root_coefficients(4), 1000);
[[nodiscard]] PrefixSumError prefix_sum_error(std::span<const double> coefficients, std::int64_t rounds);

// Returns the first coefficients of (1 - x)^(-1/2): the banded square root factorisation.
[[nodiscard]] std::vector<double> square_root_coefficients(std::int64_t bands);

// Returns the coefficients, beginning with 1, for which the square of the sensitivity times the mean squared error of
// prefix sums is least, by a local search that starts from the square root. The result is never worse than that, and
// its sensitivity is not an estimate.
[[nodiscard]] std::vector<double> optimal_coefficients(std::int64_t bands, const ParticipationRule& rule);

// Returns an upper bound on how far one record moves C g in L2 norm, if its contributions have norm 1. It is exact up
// to rounding where `toeplitz-matrix` is (docs/mechanisms.md).
[[nodiscard]] double toeplitz_sensitivity(std::span<const double> coefficients, const ParticipationRule& rule);

enum class MatrixMethod {
  square_root,  // square_root_coefficients
  optimal,      // optimal_coefficients
  given         // the coefficients of the question
};
// Returns "square-root", "optimal" or "given".
[[nodiscard]] std::string_view to_string(MatrixMethod method) noexcept;

// The question of `design_matrix`.
struct MatrixDesignQuestion {
  std::int64_t rounds = 1000;
  std::vector<std::int64_t> bands{};  // one design for each; empty if coefficients are given
  MatrixMethod method = MatrixMethod::optimal;
  std::vector<double> coefficients{};  // for the method `given`
  // How often a record takes part. If these are not set, they follow from the sizes: every record once an epoch, in the
  // same order; without sizes, once.
  std::optional<std::int64_t> participations{};
  std::optional<std::int64_t> min_separation{};
  // The sizes of the training. With both of them, every design is also given with cyclic Poisson sampling, at the rate
  // bands * batch_size / dataset_size.
  std::optional<double> dataset_size{};
  std::optional<double> batch_size{};
  Neighbors neighbors = Neighbors::add_or_remove_one;
  // Either a target, for which the noise is found, or a noise multiplier, and then the delta for its epsilon.
  std::optional<Target> target{};
  std::optional<double> noise_multiplier{};
  std::optional<double> delta{};
};

// One matrix, used in one way.
struct DesignedMatrix {
  std::int64_t bands = 1;
  bool amplified = false;                    // by cyclic Poisson sampling; otherwise by the rule of participation
  std::vector<double> coefficients{};        // the first column of C
  double sampling_rate = 0;                  // at which records of a round's group are drawn, if amplified
  double sensitivity = 0;                    // an upper bound; if amplified, that of one round: the largest column norm
  PrefixSumError error{};                    // estimates, for noise of standard deviation 1
  std::optional<double> noise_multiplier{};  // that meets the target, or that was given
  std::optional<double> epsilon{};           // an upper bound, with this noise
  std::optional<double> rms_error{};         // estimates, with this noise: the root of the mean squared error of prefix
  std::optional<double> largest_error{};     // sums, and of the largest one, for contributions of norm 1
  std::string obstacle{};                    // why there is no noise multiplier or no epsilon; empty if there is one
};

struct MatrixDesign {
  ParticipationRule rule{};
  std::vector<DesignedMatrix> matrices{};
  // The one with the least root of the mean squared error: with its noise, or, if there is no noise, relative to its
  // sensitivity among those that are not amplified.
  std::optional<std::size_t> best{};
};

// Designs a matrix for each number of bands. Throws InvalidArgument for numbers that are out of range.
//
//     const renyi::MatrixDesign design = renyi::design_matrix(
//         {.rounds = 2000, .bands = {1, 8, 64}, .dataset_size = 60000, .batch_size = 600,
//          .target = renyi::Target{.epsilon = 3, .delta = 1e-6}});
[[nodiscard]] MatrixDesign design_matrix(const MatrixDesignQuestion& question);

}  // namespace renyi
