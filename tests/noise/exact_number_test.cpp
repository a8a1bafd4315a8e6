// Exact numbers: as they are written, rounded by floor(x + 1/2), and as values to which noise is added.
#include "renyi/exact_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/exact_numbers.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {
namespace exact_number_test {

using certify::Ball;
using certify::Precision;
using Whole = std::numeric_limits<std::int64_t>;

ExactNumber read(const std::string& text) {
  const auto number = ExactNumber::parse(text);
  EXPECT_TRUE(number) << text;
  return number.value_or(ExactNumber());
}

TEST(ExactNumber, RoundsHalvesUpAndSaturates) {
  const std::string far(5000, '9');
  const std::vector<std::pair<std::string, std::int64_t>> expected{{"2.5", 3},
                                                                   {"-2.5", -2},
                                                                   {"0.49999999999999999999999999", 0},
                                                                   {"-0.50000000000000000000000001", -1},
                                                                   {"-1/2", 0},
                                                                   {"5/2", 3},
                                                                   {"4611686018427388404.5", 4611686018427388405},
                                                                   {"9223372036854775806.5", Whole::max()},
                                                                   {"9223372036854775808", Whole::max()},
                                                                   {"-9223372036854775808.5", Whole::min()},
                                                                   {"-9223372036854775809", Whole::min()},
                                                                   {"1e29", Whole::max()},
                                                                   {"-1e999999999999999999999", Whole::min()},
                                                                   {"1e-999999999999999999999", 0},
                                                                   {"0e999999999999999999999", 0},
                                                                   {"." + far + "e1", 10},
                                                                   {far + "e-4999", 10},
                                                                   {far + "/" + far, 1},
                                                                   {"-inf", Whole::min()},
                                                                   {"1/0", Whole::max()},
                                                                   {"0/0", 0},
                                                                   {"nan", 0}};
  for (const auto& [text, whole] : expected) EXPECT_EQ(nearest_whole(read(text)), whole) << text.substr(0, 60);
  for (const char* text : {"", "-", ".", "e1", "1e", "1e+", "1.5/2", "1e3/2", "1/", "/2", "1/-2", "1/2/3", "1 ", " 1",
                           "infin", "nan1", "0x1", "1,5"}) {
    EXPECT_FALSE(ExactNumber::parse(text)) << text;
  }
  EXPECT_EQ(nearest_whole(ExactNumber(-0.5)), 0);
  EXPECT_EQ(nearest_whole(ExactNumber(std::nan(""))), 0);
  EXPECT_EQ(nearest_whole(ExactNumber(0.49999999999999994)), 0);
  for (const std::int64_t whole : {Whole::min(), Whole::max(), std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_EQ(nearest_whole(ExactNumber(whole)), whole);
  }
}

// The lemma of docs/math/release.md: numbers that are d apart are at most ceil(d) apart after rounding, and rounding is
// monotone.
TEST(ExactNumber, RoundedNumbersAreNoFurtherApart) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t below = 1 + static_cast<std::int64_t>(random() % 40);
    const std::int64_t base = i % 2 == 0 ? 0 : (std::int64_t{1} << 62) / below;
    const std::int64_t x = base + static_cast<std::int64_t>(random() % 1000) - 500;
    const std::int64_t moved = static_cast<std::int64_t>(random() % 200);
    const auto rounded = [&](std::int64_t above) {
      return nearest_whole(read(std::to_string(above) + "/" + std::to_string(below)));
    };
    const std::int64_t distance = rounded(x + moved) - rounded(x);
    EXPECT_GE(distance, 0);
    EXPECT_LE(distance, (moved + below - 1) / below) << x << " and " << x + moved << " over " << below;
    if (moved % below == 0) {
      EXPECT_EQ(distance, moved / below);
    }
  }
}

struct Fixed {
  std::vector<std::uint64_t> whole, fraction, rest, negative;
  explicit Fixed(std::size_t lanes) : whole(lanes), fraction(lanes), rest(lanes), negative(lanes) {}
  FixedValues columns() { return {whole.data(), fraction.data(), rest.data(), negative.data()}; }
};

// What is written in fixed point, in units of the grid: its magnitude, rounded down.
Ball magnitude(const Fixed& fixed, std::size_t lane) {
  const Precision exact(256);
  Ball value;
  for (const std::uint64_t word : {fixed.whole[lane], fixed.fraction[lane], fixed.rest[lane]}) {
    arb_mul_2exp_si(value.raw(), value.raw(), 64);
    arb_add_ui(value.raw(), value.raw(), word, Precision::bits());
  }
  arb_mul_2exp_si(value.raw(), value.raw(), -128);
  return value;
}

TEST(ExactNumber, DoublesAreTheSameInBothForms) {
  std::mt19937_64 random(11);
  for (const double grid : {0x1p-30, 1.0, 0x1p60}) {
    const Rounding rounding{grid, 0x1p51 * grid, std::int64_t{1} << 51U};
    std::vector<double> values{0, -0.0, std::numeric_limits<double>::max(), -std::numeric_limits<double>::infinity(),
                               0.1};
    while (values.size() < 512) {
      values.push_back(std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random),
                                  std::ilogb(grid) + static_cast<int>(random() % 120) - 60));
    }
    Fixed one(values.size()), other(values.size());
    to_fixed(values.data(), values.size(), 1 / grid, rounding.range, one.columns());
    std::vector<ExactNumber> exact;
    for (const double value : values) exact.emplace_back(value);
    const ExactNumbers numbers(exact, rounding);
    numbers.fixed(0, values.size(), other.columns());
    EXPECT_EQ(one.whole, other.whole);
    EXPECT_EQ(one.fraction, other.fraction);
    EXPECT_EQ(one.rest, other.rest);
    EXPECT_EQ(one.negative, other.negative);
  }
}

// The enclosure in fixed point contains the exact number, whatever the digits, and a move by d moves the centre by d.
TEST(ExactNumber, CentresAreExact) {
  const Rounding rounding{0x1p-10, 0x1p41, std::int64_t{1} << 51U};
  const std::vector<ExactNumber> values{read("0.1"),
                                        read("-1/3"),
                                        read("12345.678901234567890123456789012345678901234567"),
                                        read("1e-350"),
                                        read("-1e-99999999999"),
                                        read("1e300"),
                                        read("-7/0"),
                                        read("1000000.1")};
  const ExactNumbers numbers(values, rounding);
  Fixed fixed(8);
  numbers.fixed(0, 8, fixed.columns());
  const Precision bits(1600);
  Ball unit(1);
  arb_mul_2exp_si(unit.raw(), unit.raw(), -128);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Ball exact = abs(numbers.exact(i)), low = magnitude(fixed, i);
    EXPECT_TRUE(surely_at_most(low, exact.upper())) << i;
    EXPECT_TRUE(surely_at_most(exact.lower(), low + unit)) << i;
    EXPECT_EQ(fixed.negative[i], values[i].is_negative() ? ~std::uint64_t{0} : 0) << i;
  }
  const auto is_near = [&](const Ball& ball, const Ball& expected) {
    return surely_less(abs(ball - expected), Ball(0x1p-1000));
  };
  EXPECT_TRUE(is_near(numbers.exact(0), Ball(1024) / Ball(10)));
  EXPECT_TRUE(is_near(numbers.exact(1), Ball(-1024) / Ball(3)));
  EXPECT_TRUE(is_near(numbers.exact(5), Ball(rounding.greatest)));
  EXPECT_TRUE(is_near(numbers.exact(6), Ball(-rounding.greatest)));
  EXPECT_TRUE(is_near(numbers.exact(7) - numbers.exact(0), Ball(1024) * Ball(1000000)));  // doubles: 1.2e-10 off
}

TEST(ExactNumber, NoiseHasItsCentre) {
  const std::vector<ExactNumber> values(4000, read("100.3"));
  std::vector<double> out(values.size());
  using Draw = Release (*)(std::span<const ExactNumber>, std::span<double>, double, const OnGrid&);
  for (const Draw draw : {Draw{gaussian}, Draw{laplace}}) {
    const Release release = draw(values, out, 2, {.grid = 0.5});
    EXPECT_EQ(release.grid, 0.5);
    double sum = 0;
    for (const double one : out) sum += one;
    EXPECT_NEAR(sum / static_cast<double>(out.size()), 100.3, 0.25);
  }
}

}  // namespace exact_number_test
}  // namespace renyi::noise
