#include "noise/on_integers.h"

#include <string.h>

#include <limits>
#include <vector>

#include "noise/bits/bits.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/parameters.h"

namespace renyi::noise {

namespace on_integers_file {
namespace {

constexpr double least_scale = 0x1p-10, greatest_scale = 0x1p48;

// About so many words are needed for each draw.
constexpr std::size_t words_a_draw = 5;

}  // namespace
}  // namespace on_integers_file

std::int64_t saturating_sum(std::int64_t value, std::int64_t noise) {
  const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(noise));
  // Overflow: both have the same sign, and the sum has the other. 2^63 - 1 plus the sign of the value is the end.
  const std::int64_t overflows = (~(value ^ noise) & (value ^ sum)) >> 63U;
  const std::int64_t end = (value >> 63U) ^ std::numeric_limits<std::int64_t>::max();
  return (end & overflows) | (sum & ~overflows);
}

Release add_noise(std::span<const std::int64_t> values, std::span<std::int64_t> noise, std::span<std::int64_t> out,
                  std::string mechanism, std::string step, double slow_probability) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = saturating_sum(values[i], noise[i]);
  explicit_bzero(noise.data(), noise.size_bytes());
  Release release;
  release.mechanism = std::move(mechanism);
  release.step = std::move(step);
  release.draws = out.size();
  release.timing_delta = static_cast<double>(out.size()) * slow_probability;
  return release;
}

Release discrete_gaussian(std::span<const std::int64_t> values, std::span<std::int64_t> out, double stddev,
                          double sensitivity) {
  check_within("stddev", stddev, on_integers_file::least_scale, on_integers_file::greatest_scale / 2);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteGaussian law(stddev);
  std::vector<std::int64_t> noise(values.size());
  draw_integers(bits_for_release(on_integers_file::words_a_draw * values.size() + 128), noise, law);
  return add_noise(values, noise, out, "discrete-gaussian",
                   step_of("discrete-gaussian", {{"stddev", stddev}, {"sensitivity", sensitivity}}),
                   slow_probability(law));
}

Release discrete_laplace(std::span<const std::int64_t> values, std::span<std::int64_t> out, double scale,
                         double sensitivity) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::two);
  std::vector<std::int64_t> noise(values.size());
  draw_integers(bits_for_release(on_integers_file::words_a_draw * values.size() + 128), noise, law);
  return add_noise(values, noise, out, "discrete-laplace",
                   step_of("discrete-laplace", {{"scale", scale}, {"sensitivity", sensitivity}}),
                   slow_probability(law));
}

Release geometric(std::span<std::int64_t> out, double scale) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::one);
  std::vector<std::int64_t> noise(out.size());
  draw_integers(bits_for_release(on_integers_file::words_a_draw * out.size() + 128), noise, law);
  const std::vector<std::int64_t> zeros(out.size());
  return add_noise(zeros, noise, out, "", "", slow_probability(law));
}

}  // namespace renyi::noise
