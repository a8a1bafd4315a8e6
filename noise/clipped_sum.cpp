#include "renyi/clipped_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "noise/clipped_sum.h"
#include "noise/exact/secret.h"
#include "noise/kernels/clip.h"
#include "noise/on_grid.h"
#include "noise/on_integers.h"
#include "noise/parameters.h"
#include "renyi/error.h"

namespace renyi::noise {

namespace clipped_sum_file {
namespace {

constexpr std::int64_t greatest_sum = std::int64_t{1} << 51U;

std::size_t whole_vectors(std::size_t count) { return (count + lanes_at_once - 1) / lanes_at_once * lanes_at_once; }

// What is behind the last whole vector of a part, filled with zeros.
template <class Number>
struct Tail {
  explicit Tail(std::span<const Number> part) : first(part.size() / lanes_at_once * lanes_at_once) {
    std::copy(part.begin() + static_cast<std::ptrdiff_t>(first), part.end(), numbers.begin());
  }
  std::size_t first;
  std::array<Number, lanes_at_once> numbers{};
};

std::uint64_t greatest_of(std::span<const double> part) {
  const Tail<double> tail(part);
  const std::uint64_t most = greatest_bits(part.data(), tail.first);
  const std::uint64_t last = greatest_bits(tail.numbers.data(), lanes_at_once);
  return selected(most < last, last, most);
}

double squares_of_vectors(const double* x, std::size_t count, double scale) {
  return squares_of_doubles(x, count, scale);
}
double squares_of_vectors(const float* x, std::size_t count, double /*scale*/) { return squares_of_floats(x, count); }

// Sums of blocks are added up, so that no more than 2^15 + 2^15 roundings follow each other in any dimension.
template <class Number>
double squares_of(std::span<const Number> part, double scale) {
  constexpr std::size_t block = std::size_t{1} << 16U;
  const Tail<Number> tail(part);
  double sum = squares_of_vectors(tail.numbers.data(), lanes_at_once, scale);
  for (std::size_t first = 0; first < tail.first; first += block)
    sum += squares_of_vectors(part.data() + first, std::min(block, tail.first - first), scale);
  return sum;
}

// Writes a whole vector at the end: there is room, and what follows is written later.
void write_integers(std::span<const double> part, const ToIntegers& how, std::int32_t* out) {
  const Tail<double> tail(part);
  doubles_to_integers(part.data(), tail.first, how, out);
  doubles_to_integers(tail.numbers.data(), lanes_at_once, how, out + tail.first);
}
void write_integers(std::span<const float> part, const ToIntegers& how, std::int32_t* out) {
  const Tail<float> tail(part);
  floats_to_integers(part.data(), tail.first, how, out);
  floats_to_integers(tail.numbers.data(), lanes_at_once, how, out + tail.first);
}

// A power of two and its inverse.
struct PowerOfTwo {
  double value, inverse;
};
constexpr std::uint64_t bias = 1023;

// The power of two brings the largest modulus near 1, so that squares neither overflow nor vanish.
PowerOfTwo scale_for(std::span<const std::span<const double>> parts) {
  constexpr std::uint64_t least = bias - 900, greatest = bias + 900;
  std::uint64_t most = 0;
  for (const std::span<const double>& part : parts) {
    const std::uint64_t one = greatest_of(part);
    most = selected(most < one, one, most);
  }
  std::uint64_t exponent = most >> 52U;
  exponent = selected(exponent < least, least, exponent);
  exponent = selected(exponent > greatest, greatest, exponent);
  return {std::bit_cast<double>((2 * bias - exponent) << 52U), std::bit_cast<double>(exponent << 52U)};
}
PowerOfTwo scale_for(std::span<const std::span<const float>> /*parts*/) { return {1, 1}; }

// floor(x^2) for x in [1, 2^30].
std::uint64_t square_below(double x) {
  int exponent = 0;
  const auto digits = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  return static_cast<std::uint64_t>((Wide{digits} * digits) >> static_cast<unsigned>(2 * (53 - exponent)));
}

class Sums : public GridInput {
 public:
  explicit Sums(std::span<const std::int64_t> sums) : sums_(sums) {}
  [[nodiscard]] std::size_t size() const override { return sums_.size(); }
  void fixed(std::size_t first, std::size_t count, const FixedValues& values) const override {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t sum = first + i < sums_.size() ? limited(first + i) : 0;
      const std::int64_t negative = sum >> 63U;
      values.whole[i] = static_cast<std::uint64_t>((sum ^ negative) - negative);
      values.fraction[i] = values.rest[i] = 0;
      values.negative[i] = static_cast<std::uint64_t>(negative);
    }
  }
  [[nodiscard]] certify::Ball exact(std::size_t index) const override { return {limited(index)}; }

 private:
  [[nodiscard]] std::int64_t limited(std::size_t index) const { return noise::limited(sums_[index], greatest_sum); }
  std::span<const std::int64_t> sums_;
};

// The least double that is at least the product.
double product_from_above(double a, double b) {
  const double product = a * b;
  return std::fma(a, b, -product) > 0 ? std::nextafter(product, HUGE_VAL) : product;
}

template <class Number>
Release released(const ClippedSum& sum, std::span<Number> out, double noise_multiplier) {
  check_same_size(sum.dimension(), out.size());
  check_positive("noise_multiplier", noise_multiplier);
  const double ratio = sum.clip_norm() / sum.grid();
  // Standard deviations may be from 2^-10 to 2^48 grids; a factor of two is to spare.
  const double least = 0x1p-9 / ratio, greatest = 0x1p47 / ratio;
  check_within("noise_multiplier", noise_multiplier, least, greatest);
  const double stddev = product_from_above(noise_multiplier, sum.clip_norm());
  const Rounding rounding{sum.grid(), static_cast<double>(greatest_sum) * sum.grid(), greatest_sum};
  return release_on_grid(GridLaw::gaussian, Sums(sum.sums()), stddev, rounding,
                         step_of("gaussian", {{"noise_multiplier", noise_multiplier}}), out);
}

}  // namespace
}  // namespace clipped_sum_file

// One step toward zero makes up for rounding errors. Halving is for what should not happen, such as arithmetic that
// does not round to nearest; it ends because no integer has more than 32 bits.
void limit_norm(std::span<std::int32_t> integers, std::uint64_t greatest_square) {
  // By the second claim of docs/math/clipped-sums.md no record reveals more than any other.
  const auto is_above = [&] {
    return revealed(squares_of_integers(integers.data(), integers.size()) > greatest_square);
  };
  if (!is_above()) return;
  for (std::int32_t& one : integers) one -= static_cast<std::int32_t>(one > 0) - static_cast<std::int32_t>(one < 0);
  while (is_above())
    for (std::int32_t& one : integers) one /= 2;
}

ClippedSum::ClippedSum(std::size_t dimension, double clip_norm, std::optional<double> grid)
    : dimension_(dimension), clip_norm_(clip_norm) {
  if (dimension < 1 || dimension > std::size_t{1} << 31U)
    throw InvalidArgument("dimension", fmt::format("{}", dimension), "a whole number from 1 to 2^31");
  check_positive("clip_norm", clip_norm);
  check_within("clip_norm", clip_norm, 0x1p-500, 0x1p500);
  grid_ = grid.value_or(std::ldexp(1.0, std::ilogb(clip_norm) - 24));
  if (!is_power_of_two(grid_) || grid_ > clip_norm || grid_ < 0x1p-30 * clip_norm)
    throw InvalidArgument("grid", fmt::format("{}", grid_),
                          fmt::format("a power of two from 2^-30 to 1 times the clip norm, which is {}", clip_norm));
  ratio_ = clip_norm / grid_;
  greatest_square_ = clipped_sum_file::square_below(ratio_);
  sums_.resize(clipped_sum_file::whole_vectors(dimension));
  integers_.resize(sums_.size() + lanes_at_once);
}

// docs/math/clipped-sums.md, "The rule".
template <class Number>
void ClippedSum::add_parts(std::span<const std::span<const Number>> parts) {
  std::size_t size = 0;
  for (const std::span<const Number>& part : parts) size += part.size();
  if (size != dimension_)
    throw InvalidArgument("record", fmt::format("{} numbers", size), fmt::format("{}, the dimension", dimension_));
  const clipped_sum_file::PowerOfTwo scale = clipped_sum_file::scale_for(parts);
  double squares = 0;
  for (const std::span<const Number>& part : parts) squares += clipped_sum_file::squares_of(part, scale.value);
  const std::uint64_t keep = mask_of(squares > 0) & mask_of(squares <= std::numeric_limits<double>::max());
  // Any number will do in the place of 0, infinity and NaN, on which roots and quotients may take another time.
  const double root = std::sqrt(selected(keep != 0, squares, 1.0));
  const double unclipped = scale.inverse * (1 / grid_), clipped = (1 - 0x1p-32) * ratio_ / root;
  const ToIntegers how{scale.value, selected(unclipped < clipped, unclipped, clipped), keep};
  std::size_t first = 0;
  for (const std::span<const Number>& part : parts) {
    clipped_sum_file::write_integers(part, how, integers_.data() + first);
    first += part.size();
  }
  limit_norm({integers_.data(), sums_.size()}, greatest_square_);
  add_integers(sums_.data(), integers_.data(), sums_.size());
  ++records_;
}

void ClippedSum::add(std::span<const float> record) { add_parts<float>({&record, 1}); }
void ClippedSum::add(std::span<const double> record) { add_parts<double>({&record, 1}); }
void ClippedSum::add(std::span<const std::span<const float>> parts) { add_parts(parts); }
void ClippedSum::add(std::span<const std::span<const double>> parts) { add_parts(parts); }

void ClippedSum::merge(const ClippedSum& other) {
  // Every record would count twice, which the sensitivity does not cover.
  if (&other == this) throw InvalidArgument("other", "the sum itself", "a sum of other records");
  if (other.dimension_ != dimension_ || other.clip_norm_ != clip_norm_ || other.grid_ != grid_)
    throw InvalidArgument(
        "other", fmt::format("dimension {}, clip norm {}, grid {}", other.dimension_, other.clip_norm_, other.grid_),
        fmt::format("dimension {}, clip norm {}, grid {}", dimension_, clip_norm_, grid_));
  for (std::size_t i = 0; i < sums_.size(); ++i)
    sums_[i] = limited(saturating_sum(sums_[i], other.sums_[i]), end_of_sums);
  records_ += other.records_;
}

void ClippedSum::clear() {
  std::fill(sums_.begin(), sums_.end(), 0);
  records_ = 0;
}

Release noise_like(const ClippedSum& sum, std::span<double> out, double noise_multiplier) {
  return clipped_sum_file::released(sum, out, noise_multiplier);
}
Release noise_like(const ClippedSum& sum, std::span<float> out, double noise_multiplier) {
  return clipped_sum_file::released(sum, out, noise_multiplier);
}

// docs/math/clipped-sums.md, "Sums of floats". What is computed here in doubles is far from its bounds by less than
// 1e-12 of them, which the last line adds.
double float_sum_sensitivity(double clip_norm, std::uint64_t records, std::uint64_t dimension) {
  check_within("clip_norm", clip_norm, 0x1p-40, 0x1p40);
  if (records < 1) throw InvalidArgument("records", "0", "a whole number from 1");
  if (dimension < 1) throw InvalidArgument("dimension", "0", "a whole number from 1");
  const double u = 0x1p-24, lost = 0x1p-126;
  const auto n = static_cast<double>(records), d = static_cast<double>(dimension);
  // The computed norm is at least `least` times the norm of any vector whose norm is above C.
  const double vanished = d * lost / (clip_norm * clip_norm);
  const double least = (1 - (d + 5) * u / 2) * (1 - vanished);
  if (!(least > 0) || n * u >= 1)
    throw Unsupported(least > 0 ? "records" : "dimension",
                      "the rounding errors of floats may be as large as the clipped gradients themselves",
                      "clip and add exactly, by ClippedSum");
  const double gamma = n * u / (1 - n * u);
  const double clipped = clip_norm * (1 + u) * (1 + u) / ((1 - u) * least);
  const double error = gamma * n * clipped + std::sqrt(d) * 2 * n * (1 + gamma) * lost;
  return (clipped + 2 * error) * (1 + 1e-12);
}

double effective_noise_multiplier(double stddev, double sensitivity) {
  check_within("stddev", stddev, 0x1p-900, 0x1p900);
  check_within("sensitivity", sensitivity, 0x1p-900, 0x1p900);
  const double quotient = stddev / sensitivity;
  if (!(quotient >= 0x1p-900 && quotient <= 0x1p900))
    throw InvalidArgument("stddev", fmt::format("{}", stddev), "from 2^-900 to 2^900 times the sensitivity");
  return std::fma(quotient, sensitivity, -stddev) > 0 ? std::nextafter(quotient, 0.0) : quotient;
}

}  // namespace renyi::noise
