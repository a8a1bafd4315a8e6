#include "noise/on_integers.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

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

// Writes result(index, noise) for each draw, once all are drawn: a kernel that gives no more bits leaves the output as
// it was.
template <class Law, class Result>
void draw(const Law& law, std::size_t draws, std::span<std::int64_t> out, const Result& result) {
  const auto staged = std::make_unique_for_overwrite<std::int64_t[]>(draws);
  draw_integers(bits_for_release(words_a_draw * draws + 128), draws, law,
                [&](std::size_t first, std::span<const std::int64_t> drawn) {
                  for (std::size_t i = 0; i < drawn.size(); ++i) staged[first + i] = result(first + i, drawn[i]);
                });
  std::copy_n(staged.get(), draws, out.data());
}

template <class Law>
void add_noise(const Law& law, std::span<const std::int64_t> values, std::span<std::int64_t> out) {
  draw(law, values.size(), out,
       [&](std::size_t index, std::int64_t drawn) { return saturating_sum(values[index], drawn); });
}

}  // namespace
}  // namespace on_integers_file

std::int64_t saturating_sum(std::int64_t value, std::int64_t noise) {
  const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(noise));
  // Overflow: both have the same sign, and the sum has the other. 2^63 - 1 plus the sign of the value is the end.
  const std::int64_t overflows = (~(value ^ noise) & (value ^ sum)) >> 63U;
  const std::int64_t end = (value >> 63U) ^ std::numeric_limits<std::int64_t>::max();
  return (end & overflows) | (sum & ~overflows);
}

Release release_of(std::string mechanism, std::string step, std::size_t draws, double slow_probability) {
  Release release;
  release.mechanism = std::move(mechanism);
  release.step = std::move(step);
  release.draws = draws;
  release.timing_delta = static_cast<double>(draws) * slow_probability;
  return release;
}

Release discrete_gaussian(std::span<const std::int64_t> values, std::span<std::int64_t> out, double stddev,
                          double sensitivity) {
  check_within("stddev", stddev, on_integers_file::least_scale, on_integers_file::greatest_scale / 2);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteGaussian law(stddev);
  Release release =
      release_of("discrete-gaussian", step_of("discrete-gaussian", {{"stddev", stddev}, {"sensitivity", sensitivity}}),
                 out.size(), slow_probability(law));
  on_integers_file::add_noise(law, values, out);
  return release;
}

Release discrete_laplace(std::span<const std::int64_t> values, std::span<std::int64_t> out, double scale,
                         double sensitivity) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::two);
  Release release =
      release_of("discrete-laplace", step_of("discrete-laplace", {{"scale", scale}, {"sensitivity", sensitivity}}),
                 out.size(), slow_probability(law));
  on_integers_file::add_noise(law, values, out);
  return release;
}

Release geometric(std::span<std::int64_t> out, double scale) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::one);
  on_integers_file::draw(law, out.size(), out, [](std::size_t, std::int64_t drawn) { return drawn; });
  return release_of("", "", out.size(), slow_probability(law));
}

}  // namespace renyi::noise
