// Answers the question of renyi/accuracy.h: checks the options, and asks the law of the sum.
#include "renyi/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/half_width.h"
#include "accuracy/noise_sum.h"
#include "accuracy/outward.h"
#include "accuracy/rounding_error.h"
#include "accuracy/tail.h"
#include "numerics/mills.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace accuracy_file {
namespace {

using noise_error::NoiseSum;
using noise_error::Real;
using noise_error::Tails;

// Beyond this standard deviation whole numbers are not doubles.
constexpr Real largest_lattice_stddev = 1e13L;

void check(const AccuracyOptions& options) {
  for (std::size_t i = 0; i < options.levels.size(); ++i) {
    const double level = options.levels[i];
    if (!(level > 0 && level < 1)) {
      throw InvalidArgument(fmt::format("levels[{}]", i), fmt::format("{}", level), "a number in (0, 1)");
    }
  }
  for (std::size_t i = 0; i < options.bounds.size(); ++i) {
    const double bound = options.bounds[i];
    if (!(bound >= 0 && std::isfinite(bound))) {
      throw InvalidArgument(fmt::format("bounds[{}]", i), fmt::format("{}", bound), "a finite number of at least 0");
    }
  }
  if (!options.grid) return;
  int exponent = 0;
  const bool is_power = std::isnormal(*options.grid) && std::frexp(*options.grid, &exponent) == 0.5;
  if (!is_power || std::abs(exponent) > 1000) {
    throw InvalidArgument("grid", fmt::format("{}", *options.grid), "a power of two from 2^-1000 to 2^999");
  }
}

void check(const NoiseSum& sum, const AccuracyOptions& options) {
  if (!sum.has_continuous() && !sum.has_discrete()) {
    throw InvalidArgument("steps", "no step", "at least one step that adds noise");
  }
  if (options.grid && !sum.has_continuous()) {
    throw InvalidArgument("grid", fmt::format("{}", *options.grid),
                          "nothing: noise on whole numbers is not rounded to a grid");
  }
  if (sum.is_lattice() && std::sqrt(sum.variance()) > largest_lattice_stddev) {
    throw Unsupported("steps", "the sum of noises on whole numbers has a standard deviation above 1e13",
                      "use gaussian or laplace noise of the same scale");
  }
}

Interval moved_by(const Interval& width, double shift) {
  const double lower = width.lower - shift;
  return {lower > 0 ? numerics::next_down(lower) : 0, numerics::sum_up(width.upper, shift)};
}

// Rounding moves the error by at most `shift`, so that |error| > bound only if |noise| > bound - shift.
Interval beyond_rounded(Tails& tails, double bound, double shift) {
  const double near = bound - shift;
  const double upper = near >= 0 ? tails.beyond(std::max(0.0, numerics::next_down(near))).upper : 1;
  return {tails.beyond(numerics::next_up(bound + shift)).lower, upper};
}

RoundedError rounded_error(Tails& tails, const Accuracy& ideal, const AccuracyOptions& options) {
  const NoiseSum& sum = tails.sum();
  RoundedError error{.grid = *options.grid, .roundings = sum.continuous_count};
  error.largest_shift = numerics::product_up(numerics::count_up(sum.continuous_count), error.grid / 2);
  error.stddev = noise_error::rounded_stddev(sum, error.grid);
  for (const auto& [level, width] : ideal.half_widths) {
    error.half_widths.push_back({level, moved_by(width, error.largest_shift)});
  }
  for (const double bound : options.bounds) {
    error.probabilities.push_back({bound, beyond_rounded(tails, bound, error.largest_shift)});
  }
  return error;
}

}  // namespace
}  // namespace accuracy_file

std::string_view to_string(AccuracyMethod method) noexcept {
  return method == AccuracyMethod::closed_form ? "closed-form" : "contour";
}

Accuracy accuracy(const Plan& plan, const AccuracyOptions& options) {
  using namespace accuracy_file;
  check(options);
  const NoiseSum sum(plan);
  check(sum, options);
  Tails tails(sum);
  Accuracy found;
  found.method = tails.method();
  found.stddev =
      noise_error::outward(std::sqrt(sum.variance()), NoiseSum::variance_roundings * numerics::extended_roundoff);
  for (const double level : options.levels) {
    found.half_widths.push_back({level, noise_error::half_width(tails, level)});
  }
  for (const double bound : options.bounds) found.probabilities.push_back({bound, tails.beyond(bound)});
  if (options.grid) found.rounded = rounded_error(tails, found, options);
  return found;
}

}  // namespace renyi
