#include "bench/noise/laws.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>

#include "bench/noise/counted_bits.h"
#include "bench/noise/entropy.h"
#include "certify/ball/ball.h"
#include "noise/bits/bits.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/on_grid.h"
#include "renyi/noise.h"

namespace bench {
namespace {

namespace noise = renyi::noise;

const noise::OnGrid unit_grid{.grid = 1.0, .range = {}, .sensitivity = 1};

// Takes what was drawn.
void nowhere(std::size_t /*first*/, std::span<const std::int64_t> /*drawn*/) {}

// Many zeros, as numbers on a grid.
class Zeros : public noise::GridInput {
 public:
  explicit Zeros(std::size_t size) : size_(size) {}
  [[nodiscard]] std::size_t size() const override { return size_; }
  void fixed(std::size_t /*first*/, std::size_t count, const noise::FixedValues& values) const override {
    for (std::uint64_t* column : {values.whole, values.fraction, values.rest, values.negative})
      std::fill_n(column, count, 0);
  }
  [[nodiscard]] renyi::certify::Ball exact(std::size_t /*index*/) const override { return renyi::certify::Ball(0); }

 private:
  std::size_t size_;
};

// Numbers of ordinary size, which have no place on coarse grids.
template <class Number>
std::shared_ptr<std::vector<Number>> ordinary_numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1000, 1000);
  auto numbers = std::make_shared<std::vector<Number>>(count);
  for (Number& number : *numbers) number = static_cast<Number>(uniform(random));
  return numbers;
}

template <class Number, class Add>
auto in_place(const Add& add) {
  return [add](std::size_t count) -> std::function<void()> {
    return [add, numbers = ordinary_numbers<Number>(count)] { add(std::span<Number>(*numbers)); };
  };
}

std::optional<double> limit_of_integers(int exponent) { return exponent <= 20 ? 3.6 : 10; }

Law discrete_gaussian(int exponent) {
  const double stddev = std::ldexp(1.0, exponent);
  return {.name = "discrete_gaussian",
          .scale = fmt::format("2^{}", exponent),
          .number = "int64",
          .limit = limit_of_integers(exponent),
          .entropy = discrete_gaussian_entropy(stddev),
          .prepared = in_place<std::int64_t>(
              [=](std::span<std::int64_t> numbers) { noise::discrete_gaussian(numbers, numbers, stddev); }),
          .words = [=](std::size_t draws) {
            const noise::DiscreteGaussian law(stddev);
            return counted([&](noise::Bits& bits) { noise::draw_integers(bits, draws, law, nowhere); });
          }};
}

Law discrete_laplace(int exponent) {
  const double scale = std::ldexp(1.0, exponent);
  return {.name = "discrete_laplace",
          .scale = fmt::format("2^{}", exponent),
          .number = "int64",
          .limit = limit_of_integers(exponent),
          .entropy = discrete_laplace_entropy(scale),
          .prepared = in_place<std::int64_t>(
              [=](std::span<std::int64_t> numbers) { noise::discrete_laplace(numbers, numbers, scale); }),
          .words = [=](std::size_t draws) {
            const noise::DiscreteLaplace law(scale, noise::DiscreteLaplace::Sides::two);
            return counted([&](noise::Bits& bits) { noise::draw_integers(bits, draws, law, nowhere); });
          }};
}

std::size_t words_on_grid(noise::GridLaw law, double scale, std::size_t draws) {
  const noise::Rounding rounding = noise::rounding_of(unit_grid, "scale", scale, noise::exact_multiples<double>(), 20);
  return counted([&](noise::Bits& bits) { noise::draw_on_grid(bits, law, Zeros(draws), scale, rounding, nowhere); });
}

template <class Number>
Law gaussian(int exponent) {
  const double stddev = std::ldexp(1.0, exponent);
  return {.name = "gaussian",
          .scale = fmt::format("2^{}", exponent),
          .number = sizeof(Number) == sizeof(float) ? "float" : "double",
          .limit = 6,
          .entropy = rounded_gaussian_entropy(stddev),
          .prepared = in_place<Number>(
              [=](std::span<Number> numbers) { noise::gaussian(numbers, numbers, stddev, unit_grid); }),
          .words = [=](std::size_t draws) { return words_on_grid(noise::GridLaw::gaussian, stddev, draws); }};
}

template <class Number>
Law laplace(int exponent) {
  const double scale = std::ldexp(1.0, exponent);
  return {.name = "laplace",
          .scale = fmt::format("2^{}", exponent),
          .number = sizeof(Number) == sizeof(float) ? "float" : "double",
          .limit = std::nullopt,
          .entropy = rounded_laplace_entropy(scale),
          .prepared =
              in_place<Number>([=](std::span<Number> numbers) { noise::laplace(numbers, numbers, scale, unit_grid); }),
          .words = [=](std::size_t draws) { return words_on_grid(noise::GridLaw::laplace, scale, draws); }};
}

}  // namespace

std::vector<Law> measured_laws() {
  std::vector<Law> laws;
  for (const int exponent : {0, 4, 10, 20, 30, 40}) laws.push_back(discrete_gaussian(exponent));
  for (const int exponent : {0, 4, 10, 20, 30, 40}) laws.push_back(discrete_laplace(exponent));
  for (const int exponent : {0, 10, 20, 40}) laws.push_back(gaussian<double>(exponent));
  // Multiples of the grid above 2^24 are not all floats.
  for (const int exponent : {0, 10, 20}) laws.push_back(gaussian<float>(exponent));
  for (const int exponent : {0, 10, 20, 40}) laws.push_back(laplace<double>(exponent));
  for (const int exponent : {0, 10, 20}) laws.push_back(laplace<float>(exponent));
  append_other_laws(laws);
  return laws;
}

}  // namespace bench
