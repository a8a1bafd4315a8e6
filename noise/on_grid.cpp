#include "noise/on_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <type_traits>
#include <utility>

#include "noise/exact/secret.h"
#include "noise/fair_exponential.h"
#include "noise/half_normal.h"
#include "noise/parameters.h"
#include "renyi/error.h"

namespace renyi::noise {

namespace on_grid_file {
namespace {

double widened(double value) { return value; }

// The same number, NaN and infinities included, by operations on integers: converting subnormal floats would take
// longer.
double widened(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint64_t size = bits & 0x7fffffffU, sign = static_cast<std::uint64_t>(bits >> 31U) << 63U;
  const std::uint64_t usual = (size << 29U) + (std::uint64_t{1023 - 127} << 52U);
  const std::uint64_t endless = (size << 29U) | (std::uint64_t{2047} << 52U);
  const auto small = std::bit_cast<std::uint64_t>(static_cast<double>(size) * 0x1p-149);
  const std::uint64_t is_small = -static_cast<std::uint64_t>(size < 0x800000U);
  const std::uint64_t is_endless = -static_cast<std::uint64_t>(size >= 0x7f800000U);
  return std::bit_cast<double>((usual & ~is_small & ~is_endless) | (small & is_small) | (endless & is_endless) | sign);
}

// Doubles, or floats, as numbers on the grid.
template <class Number>
class Values : public GridInput {
 public:
  Values(std::span<const Number> values, const Rounding& rounding) : values_(values), rounding_(rounding) {}
  [[nodiscard]] std::size_t size() const override { return values_.size(); }

  void fixed(std::size_t first, std::size_t count, const FixedValues& fixed) const override {
    std::array<double, greatest_block> numbers;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < count; ++i) numbers[i] = first + i < values_.size() ? widened(values_[first + i]) : 0.0;
    to_fixed(numbers.data(), count, 1 / rounding_.grid, rounding_.range, fixed);
  }

  [[nodiscard]] certify::Ball exact(std::size_t index) const override {
    const double value = widened(values_[index]);
    const double clamped = std::isnan(value) ? 0 : std::clamp(value, -rounding_.range, rounding_.range);
    return certify::Ball(clamped) / certify::Ball(rounding_.grid);
  }

 private:
  std::span<const Number> values_;
  Rounding rounding_;
};

constexpr double least_number = 0x1p-700, greatest_number = 0x1p700;

// The least power of two that is at least the number.
double power_of_two_from(double value) {
  int exponent = 0;
  const double part = std::frexp(value, &exponent);
  return std::ldexp(1.0, part == 0.5 ? exponent - 1 : exponent);
}

Scale scale_of(GridLaw law, double scale, double grid) {
  return law == GridLaw::gaussian ? Scale::of(scale, grid) : Scale::of_binary(scale, grid);
}

constexpr std::string_view parameter_of(GridLaw law) { return law == GridLaw::gaussian ? "stddev" : "scale"; }

template <class Number>
Release released(GridLaw law, std::span<const Number> values, std::span<Number> out, double scale,
                 const OnGrid& options) {
  check_same_size(values.size(), out.size());
  // A float holds 24 bits: 2^14 times the noise to each side of 0, unless a range or a grid is given.
  const int default_bits = std::is_same_v<Number, float> ? 10 : 20;
  const Rounding rounding = rounding_of(options, parameter_of(law), scale, exact_multiples<Number>(), default_bits);
  check_positive("sensitivity", options.sensitivity.value_or(1));
  // No output is a subnormal float, whose conversion would take longer.
  if (std::is_same_v<Number, float> && !(rounding.grid >= 0x1p-126 && rounding.grid <= 0x1p100))
    throw InvalidArgument("grid", fmt::format("{}", rounding.grid), "for floats, a power of two from 2^-126 to 2^100");
  return release_on_grid(law, Values<Number>(values, rounding), scale, rounding,
                         step_of(law, scale, options.sensitivity.value_or(1)), out);
}

}  // namespace
}  // namespace on_grid_file

Rounding rounding_of(const OnGrid& options, std::string_view parameter, double scale, std::int64_t multiples,
                     int default_bits) {
  check_positive(parameter, scale);
  check_within(parameter, scale, on_grid_file::least_number, on_grid_file::greatest_number);
  const auto most = static_cast<double>(multiples);
  if (options.range) {
    check_positive("range", *options.range);
    check_within("range", *options.range, on_grid_file::least_number, on_grid_file::greatest_number);
  }
  double grid = 0;
  if (options.grid) {
    grid = *options.grid;
    if (!is_power_of_two(grid) || grid < least_grid || grid > 1 / least_grid)
      throw InvalidArgument("grid", fmt::format("{}", grid), "a power of two from 2^-800 to 2^800, such as 2^-10");
    if (options.range && *options.range > most * grid)
      throw InvalidArgument("range", fmt::format("{}", *options.range),
                            fmt::format("at most {} for this grid, {} times it", most * grid, most));
  } else {
    grid = std::ldexp(1.0, std::ilogb(scale) - default_bits);
    if (options.range) grid = std::max(grid, on_grid_file::power_of_two_from(*options.range / most));
  }
  const double quotient = scale / grid;
  if (!(quotient >= std::ldexp(1.0, least_scale_exponent) && quotient < std::ldexp(1.0, greatest_scale_exponent)))
    throw InvalidArgument(std::string(parameter), fmt::format("{}", scale),
                          fmt::format("from 2^{} to 2^{} times the grid, which is {}", least_scale_exponent,
                                      greatest_scale_exponent, grid));
  const double range = options.range.value_or(most * grid);
  const auto greatest = static_cast<std::int64_t>(std::floor(range / grid));
  if (greatest < 1)
    throw InvalidArgument("range", fmt::format("{}", range), fmt::format("at least the grid, which is {}", grid));
  // The range of the values is that of the results, so that limiting these brings none further from its value.
  return {grid, static_cast<double>(greatest) * grid, greatest};
}

void draw_on_grid(Bits& bits, GridLaw law, const GridInput& x, double scale, const Rounding& rounding,
                  const EmitMultiples& emit) {
  const Scale on_grid = on_grid_file::scale_of(law, scale, rounding.grid);
  std::array<std::int64_t, greatest_block> within;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  const auto saturate = [&](std::size_t first, std::span<const std::int64_t> multiples) {
    for (std::size_t i = 0; i < multiples.size(); ++i) within[i] = limited(multiples[i], rounding.greatest);
    emit(first, std::span<const std::int64_t>(within.data(), multiples.size()));
  };
  if (law == GridLaw::gaussian)
    draw_on_grid<HalfNormal>(bits, x, on_grid, saturate);
  else
    draw_on_grid<FairExponential>(bits, x, on_grid, saturate);
}

double slow_probability(GridLaw law, double scale, double grid) {
  const Scale on_grid = on_grid_file::scale_of(law, scale, grid);
  return law == GridLaw::gaussian ? slow_probability<HalfNormal>(on_grid) : slow_probability<FairExponential>(on_grid);
}

// docs/math/noise.md, "What rounding adds": s^2 + g^2/12 and Fourier terms, or the triangle inequality where that is
// less.
double effective_stddev(GridLaw law, double scale, double grid) {
  // In units of the grid, in which no square is too large or too small for a double.
  const double pi = std::numbers::pi, s = scale / grid, ratio = 2 * pi * s;
  double square = 0, stddev = 0;
  if (law == GridLaw::gaussian) {
    const double first = std::exp(-ratio * ratio / 2);  // the others are its powers 4, 9, ...
    const double terms = first / (1 - first * first * first);
    stddev = s;
    square = s * s + 1.0 / 12 + terms * (4 * s * s + 1 / (pi * pi));
  } else {
    const double zeta_4 = 1.0824;
    stddev = std::numbers::sqrt2 * s;
    square = 2 * s * s + 1.0 / 12 + zeta_4 / (pi * pi * ratio * ratio) + 8 * s * s * zeta_4 / std::pow(ratio, 4);
  }
  return (1 + 1e-12) * grid * std::min(std::sqrt(square), stddev + 0.5);
}

std::string step_of(GridLaw law, double scale, double sensitivity) {
  return law == GridLaw::gaussian ? step_of("gaussian", {{"stddev", scale}, {"l2_sensitivity", sensitivity}})
                                  : step_of("laplace", {{"scale", scale}, {"l1_sensitivity", sensitivity}});
}

template <class Number>
Release release_on_grid(GridLaw law, const GridInput& x, double scale, const Rounding& rounding, std::string step,
                        std::span<Number> out) {
  // What needs memory comes before the first number is written.
  Release release =
      release_of(out.size(), static_cast<double>(out.size()) * slow_probability(law, scale, rounding.grid));
  release.mechanism = law == GridLaw::gaussian ? "gaussian" : "laplace";
  release.step = std::move(step);
  release.grid = rounding.grid;
  release.range = rounding.range;
  release.effective_stddev = effective_stddev(law, scale, rounding.grid);
  const auto noisy = std::make_unique_for_overwrite<Number[]>(out.size());
  const auto emit = [&](std::size_t first, std::span<const std::int64_t> multiples) {
    for (std::size_t i = 0; i < multiples.size(); ++i) {
      // At most 2^63 times 2^800, which only floats cannot hold.
      double number = static_cast<double>(multiples[i]) * rounding.grid;
      if constexpr (std::is_same_v<Number, float>) number = limited(number, std::numeric_limits<float>::max());
      noisy[first + i] = static_cast<Number>(number);
    }
  };
  draw_on_grid(bits_for_release(5 * out.size() + 128), law, x, scale, rounding, emit);
  std::copy_n(noisy.get(), out.size(), out.data());
  return release;
}
template Release release_on_grid(GridLaw, const GridInput&, double, const Rounding&, std::string, std::span<float>);
template Release release_on_grid(GridLaw, const GridInput&, double, const Rounding&, std::string, std::span<double>);

Release gaussian(std::span<const double> values, std::span<double> out, double stddev, const OnGrid& options) {
  return on_grid_file::released(GridLaw::gaussian, values, out, stddev, options);
}
Release gaussian(std::span<const float> values, std::span<float> out, double stddev, const OnGrid& options) {
  return on_grid_file::released(GridLaw::gaussian, values, out, stddev, options);
}
Release laplace(std::span<const double> values, std::span<double> out, double scale, const OnGrid& options) {
  return on_grid_file::released(GridLaw::laplace, values, out, scale, options);
}
Release laplace(std::span<const float> values, std::span<float> out, double scale, const OnGrid& options) {
  return on_grid_file::released(GridLaw::laplace, values, out, scale, options);
}

}  // namespace renyi::noise
