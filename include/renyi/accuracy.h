// The error of noise before it is drawn: its standard deviation, confidence intervals, and the probability of an error
// above a bound, from the exact law of the noise (docs/math/accuracy.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// Options of `accuracy`.
struct AccuracyOptions {
  std::vector<double> levels{0.95};  // confidence levels, in (0, 1)
  std::vector<double> bounds{};      // errors whose probability to be exceeded is asked for; finite and at least 0
  std::optional<double> grid{};      // a power of two: each Gaussian and Laplace noise is drawn as round(x + noise),
                                     // a multiple of this number; not allowed if there is no such noise
};

// The half-width of the confidence interval: the smallest t with Pr[|error| <= t] >= level.
struct HalfWidth {
  double level = 0;
  Interval width{};
};

// The probability of an error above a bound: Pr[|error| > bound].
struct ErrorProbability {
  double bound = 0;
  Interval probability{};
};

// The error including the rounding to a grid. Each of the intervals contains the value for every input x.
struct RoundedError {
  double grid = 0;
  std::int64_t roundings = 0;                     // the number of noises that are rounded
  double largest_shift = 0;                       // rounding moves the sum by at most this: roundings * grid / 2
  Interval stddev{};                              // contains the largest root of the mean squared error, over all x
  std::vector<HalfWidth> half_widths{};           // one for each of AccuracyOptions::levels
  std::vector<ErrorProbability> probabilities{};  // one for each of AccuracyOptions::bounds
};

// How the probabilities were computed.
enum class AccuracyMethod {
  closed_form,  // a formula
  contour,      // the inverse Laplace integral of the moment generating function
};
// Returns "closed-form" or "contour".
[[nodiscard]] std::string_view to_string(AccuracyMethod method) noexcept;

// The result of `accuracy`.
struct Accuracy {
  Interval stddev{};                              // standard deviation of the sum of all noises
  std::vector<HalfWidth> half_widths{};           // one for each of AccuracyOptions::levels
  std::vector<ErrorProbability> probabilities{};  // one for each of AccuracyOptions::bounds
  std::optional<RoundedError> rounded{};          // set if AccuracyOptions::grid is
  AccuracyMethod method = AccuracyMethod::closed_form;
};

// Computes the error of the sum of the noises of all steps, each of which is drawn as often as its count says. The
// steps may be Gaussian, Laplace, DiscreteGaussian, DiscreteLaplace and Skellam, in any mix; their sensitivities do not
// matter. Throws InvalidArgument if an option is out of range, and Unsupported for steps that are not known by the
// noise they add and for sums that would take too long.
//
//     renyi::Plan plan;
//     plan.add(renyi::Laplace{.scale = 10}, 3);
//     const renyi::Accuracy error = renyi::accuracy(plan, {.levels = {0.99}, .bounds = {50}});
//     error.half_widths[0].width.upper;          // the sum of three noises is within this with probability 0.99
//     error.probabilities[0].probability.upper;  // it exceeds 50 with at most this probability
[[nodiscard]] Accuracy accuracy(const Plan& plan, const AccuracyOptions& options = {});

}  // namespace renyi
