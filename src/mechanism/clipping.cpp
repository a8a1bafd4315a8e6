#include "renyi/extras/clipping.h"

#include <fmt/format.h>

#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace clipping_file {
namespace {

void require(const Parameter& parameter, double value) {
  if (parameter.allows(value)) return;
  throw InvalidArgument(std::string(parameter.name), fmt::format("{}", value), parameter.allowed());
}

constexpr double lowest = 1e-20, highest = 1e20;

}  // namespace
}  // namespace clipping_file

// Returns total / sqrt((1 - t) (1 + t)) with t = total / (2 count_stddev).
double gradient_noise_multiplier(double total, double count_stddev) {
  clipping_file::require(
      {.name = "total", .meaning = "", .lowest = clipping_file::lowest, .highest = clipping_file::highest}, total);
  clipping_file::require(
      {.name = "count_stddev", .meaning = "", .lowest = clipping_file::lowest, .highest = clipping_file::highest},
      count_stddev);
  const double share = numerics::quotient_up(total, 2 * count_stddev);
  if (!(share < 1)) {
    throw InvalidArgument(
        "count_stddev", fmt::format("{}", count_stddev),
        fmt::format("more than half the total noise multiplier, {}: the count alone costs more", total / 2));
  }
  const double rest = numerics::product_down(1 - share, numerics::next_down(1 + share));
  return numerics::quotient_up(total, numerics::next_down(std::sqrt(rest)));
}

Rows equal_layers(int layers, double clipping_norm, double stddev) {
  clipping_file::require(
      {.name = "layers", .meaning = "", .lowest = 1, .highest = static_cast<double>(most_numbers_in_a_table) / 2},
      layers);
  clipping_file::require(
      {.name = "clipping_norm", .meaning = "", .lowest = clipping_file::lowest, .highest = clipping_file::highest},
      clipping_norm);
  clipping_file::require(
      {.name = "stddev", .meaning = "", .lowest = clipping_file::lowest, .highest = clipping_file::highest}, stddev);
  const double each = numerics::quotient_up(clipping_norm, numerics::next_down(std::sqrt(static_cast<double>(layers))));
  return Rows(static_cast<std::size_t>(layers), {layers == 1 ? clipping_norm : each, stddev});
}

}  // namespace renyi
