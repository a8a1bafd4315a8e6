// Noise that may be published: drawn exactly from the law that was accounted for, with bits of the kernel and AES.
//
//     std::vector<double> sums = {1017.5, 64.25};
//     const renyi::noise::Release release = renyi::noise::gaussian(sums, sums, 10);
//     std::cout << sums[0] << "; account for " << release.step << "\n";
//
// Numbers on a grid: what is returned is round(x + noise), where the noise has the ideal continuous law and the result
// is rounded to a multiple of the grid, a power of two. Rounding is post-processing, so that the privacy is exactly
// that of the continuous mechanism (docs/math/noise.md). Whole numbers: the noise has the discrete law itself.
//
// Parameters that are not allowed are an InvalidArgument; a kernel that gives no random bits is an Unsupported error.
// In both cases nothing is written to the output. Values never cause an error, because an error that depends on them
// would be a release without noise: they are clamped to a public range, NaN counts as 0, and sums saturate at its
// ends. The output may be the same memory as the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace renyi::noise {

// What a call drew, and what to account for.
struct Release {
  std::string mechanism;  // its kind in plans; empty where nothing is to be accounted for
  std::string step;       // the step of a plan, as JSON; empty where nothing is to be accounted for
  std::uint64_t draws = 0;
  // An upper bound on the probability that the time of this call depended on what was drawn, which adds to delta if the
  // time can be observed: the number of draws times the probability of the slow tier (docs/math/noise.md).
  double timing_delta = 0;
  // Noise on a grid only: the grid, the range of the values, and an upper bound on the standard deviation of what is
  // returned about the clamped value, rounding included.
  double grid = 0;
  double range = 0;
  double effective_stddev = 0;
};

// The range of doubles and of exact numbers is at most so many times the grid.
inline constexpr double largest_range_of_grid = 0x1p51;

// How real numbers are rounded and limited. All of it is public.
struct OnGrid {
  // A power of two; otherwise at most 2^-20 of the scale, coarser if floats need it.
  std::optional<double> grid = std::nullopt;
  // Values are clamped to [-range, range], rounded down to a multiple of the grid; otherwise as far as the output is
  // exact.
  std::optional<double> range = std::nullopt;
  // Only for the step to account for: L2 of Gaussian noise, L1 of Laplace noise; otherwise 1.
  std::optional<double> sensitivity = std::nullopt;
};

// Gaussian and Laplace noise on real numbers. The scale may be from 2^-10 to 2^48 times the grid.
Release gaussian(std::span<const double> values, std::span<double> out, double stddev, const OnGrid& options = {});
Release gaussian(std::span<const float> values, std::span<float> out, double stddev, const OnGrid& options = {});
Release laplace(std::span<const double> values, std::span<double> out, double scale, const OnGrid& options = {});
Release laplace(std::span<const float> values, std::span<float> out, double scale, const OnGrid& options = {});

// Noise on whole numbers. Sums saturate at the ends of 64-bit integers. `sensitivity`, a whole number, is only for
// the step to account for: how far one record moves a value. If it moves up to k of them, account for k such steps.
Release discrete_gaussian(std::span<const std::int64_t> values, std::span<std::int64_t> out, double stddev,
                          double sensitivity = 1);
Release discrete_laplace(std::span<const std::int64_t> values, std::span<std::int64_t> out, double scale,
                         double sensitivity = 1);
Release skellam(std::span<const std::int64_t> values, std::span<std::int64_t> out, double variance,
                double sensitivity = 1);
// Whole numbers k >= 0 with masses proportional to exp(-k/scale).
Release geometric(std::span<std::int64_t> out, double scale);

// Coins: 1 with the probability that the double is, exactly; 1 with probability exp(-exponent), exponent >= 0.
Release bernoulli(std::span<std::uint8_t> out, double probability);
Release bernoulli_exp(std::span<std::uint8_t> out, double exponent);

// Each value in 0, ..., categories - 1 is kept with the probability of truth; otherwise it becomes one of the other
// categories, all with the same probability. Values outside count as the nearest category.
Release randomized_response(std::span<const std::int64_t> values, std::span<std::int64_t> out, double truth_probability,
                            std::int64_t categories = 2);

// How scores are limited: to [-range, range].
struct Scores {
  double sensitivity = 1;  // how far one record moves any score
  bool monotonic = false;  // one record moves all scores the same way, or not at all
  double range = 0x1p40;
};
struct Choice {
  std::size_t index = 0;
  Release release;
};
// The exponential mechanism: weights exp(epsilon score / (2 sensitivity)), without the 2 if monotonic.
Choice exponential(std::span<const double> scores, double epsilon, const Scores& options = {});
// Permute-and-flip: the largest of the scores with one-sided exponential noise of scale 2 sensitivity / epsilon.
Choice permute_and_flip(std::span<const double> scores, double epsilon, const Scores& options = {});
// The largest of the scores with Laplace noise.
Choice report_noisy_max(std::span<const double> scores, double score_scale, const Scores& options = {});

// The randomness of samples: each record with probability `sampling_rate`; `sample_size` records, all sets equally
// likely (1: in the sample); for each record one of `steps` steps; a uniform permutation of 0, ..., out.size() - 1.
Release poisson_sample(std::span<std::uint8_t> out, double sampling_rate);
Release fixed_size_sample(std::span<std::uint8_t> out, std::uint64_t sample_size);
Release random_allocation(std::span<std::uint64_t> out, std::uint64_t steps);
Release shuffle(std::span<std::uint64_t> out);

// The same samples as lists of the records that take part, ascending, for many records of which few take part: a
// Poisson sample of a hundred million takes a fraction of a second. Their time depends on the sample.
std::vector<std::uint64_t> poisson_records(std::uint64_t records, double sampling_rate);
std::vector<std::uint64_t> fixed_size_records(std::uint64_t records, std::uint64_t sample_size);

}  // namespace renyi::noise
