#include "noise/on_integers.h"

#include <algorithm>
#include <memory>
#include <string_view>

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
void draw(const Law& law, std::span<std::int64_t> out, const Result& result) {
  const auto staged = std::make_unique_for_overwrite<std::int64_t[]>(out.size());
  draw_integers(bits_for_release(words_a_draw * out.size() + 128), out.size(), law,
                [&](std::size_t first, std::span<const std::int64_t> drawn) {
                  for (std::size_t i = 0; i < drawn.size(); ++i) staged[first + i] = result(first + i, drawn[i]);
                });
  std::copy_n(staged.get(), out.size(), out.data());
}

template <class Law>
double timing_delta(const Law& law, std::size_t draws) {
  return static_cast<double>(draws) * slow_probability(law);
}

template <class Law>
Release add_noise(const Law& law, std::span<const std::int64_t> values, std::span<std::int64_t> out,
                  std::string_view mechanism, std::initializer_list<StepNumber> numbers) {
  // What needs memory comes before the first number is written.
  Release release = release_of(mechanism, numbers, out.size(), timing_delta(law, out.size()));
  draw(law, out, [&](std::size_t index, std::int64_t drawn) { return saturating_sum(values[index], drawn); });
  return release;
}

}  // namespace
}  // namespace on_integers_file

Release discrete_gaussian(std::span<const std::int64_t> values, std::span<std::int64_t> out, double stddev,
                          double sensitivity) {
  check_within("stddev", stddev, on_integers_file::least_scale, on_integers_file::greatest_scale / 2);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteGaussian law(stddev);
  return on_integers_file::add_noise(law, values, out, "discrete-gaussian",
                                     {{"stddev", stddev}, {"sensitivity", sensitivity}});
}

Release discrete_laplace(std::span<const std::int64_t> values, std::span<std::int64_t> out, double scale,
                         double sensitivity) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  check_whole("sensitivity", sensitivity, 1, 0x1p53);
  check_same_size(values.size(), out.size());
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::two);
  return on_integers_file::add_noise(law, values, out, "discrete-laplace",
                                     {{"scale", scale}, {"sensitivity", sensitivity}});
}

Release geometric(std::span<std::int64_t> out, double scale) {
  check_within("scale", scale, on_integers_file::least_scale * 2, on_integers_file::greatest_scale);
  const DiscreteLaplace law(scale, DiscreteLaplace::Sides::one);
  on_integers_file::draw(law, out, [](std::size_t, std::int64_t drawn) { return drawn; });
  return release_of(out.size(), on_integers_file::timing_delta(law, out.size()));
}

}  // namespace renyi::noise
