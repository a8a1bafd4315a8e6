// Exact sums: against ball arithmetic of enough bits, in any order, and as values to which noise is added.
#include "renyi/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/exact_sum.h"
#include "noise/on_grid.h"
#include "renyi/error.h"
#include "support/field_of_error.h"
#include "support/fixed_bits.h"

namespace renyi::noise {
namespace exact_sum_test {

using certify::Ball;
using certify::Precision;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Numbers of all magnitudes, with a bias to the ends of the doubles.
std::vector<double> random_doubles(std::mt19937_64& random, std::size_t count, int least = -1074, int greatest = 1023) {
  std::vector<double> values(count);
  for (double& value : values) {
    const double fraction = std::uniform_real_distribution<double>(-2, 2)(random);
    value = std::ldexp(fraction / 2, std::uniform_int_distribution<int>(least, greatest)(random));
    const auto corner = random() % 40;
    if (corner == 0) value = std::numeric_limits<double>::max() * (least > -1000 ? 0 : 1);
    if (corner == 1) value = std::numeric_limits<double>::denorm_min();
    if (corner == 2) value = -0.0;
  }
  return values;
}

Ball exact_sum_of(const std::vector<double>& values) {
  Ball sum;
  for (const double value : values) sum += Ball(value);
  return sum;
}

Ball value_of(const ExactSum& sum) {
  Ball value;
  const ExactSum::Digits digits = sum.digits();
  for (std::size_t i = digits.size(); i-- > 0;) {
    arb_mul_2exp_si(value.raw(), value.raw(), 32);
    value += Ball(digits[i]);
  }
  arb_mul_2exp_si(value.raw(), value.raw(), -1074);
  return value;
}

bool are_equal(const Ball& a, const Ball& b) { return surely_at_most(a, b) && surely_at_most(b, a); }

TEST(ExactSum, IsTheSumOfAllItsNumbersInAnyOrder) {
  const Precision bits(2400);
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values = random_doubles(random, 1 + random() % 60);
    ExactSum sum;
    sum.add(values);
    EXPECT_TRUE(are_equal(value_of(sum), exact_sum_of(values)));
    std::shuffle(values.begin(), values.end(), random);
    ExactSum first, second, backward;
    for (std::size_t i = 0; i < values.size(); ++i) (i % 3 == 0 ? first : second).add(values[i]);
    for (std::size_t i = values.size(); i-- > 0;) backward.add(values[i]);
    first.merge(second);
    EXPECT_EQ(first.digits(), sum.digits());
    EXPECT_EQ(backward.digits(), sum.digits());
    for (const double value : values) backward.add(-value);
    EXPECT_EQ(backward.digits(), ExactSum().digits());
  }
}

TEST(ExactSum, DigitsAreUniqueAndHoldTheGreatestSums) {
  const Precision bits(2400);
  ExactSum sum, negative;
  sum.add(std::numeric_limits<double>::max());
  negative.add(-std::numeric_limits<double>::max());
  Ball expected(std::numeric_limits<double>::max());
  for (int i = 0; i < 61; ++i) {
    sum.merge(ExactSum(sum));
    negative.merge(ExactSum(negative));
    expected += expected;
  }
  EXPECT_TRUE(are_equal(value_of(sum), expected));
  EXPECT_TRUE(are_equal(value_of(negative), -expected));
  EXPECT_EQ(sum.rounded(), infinity);
  EXPECT_EQ(negative.rounded(), -infinity);
  for (const ExactSum* one : {&sum, &negative})
    for (std::size_t i = 0; i + 1 < ExactSum::digit_count; ++i) {
      EXPECT_GE(one->digits()[i], 0);
      EXPECT_LT(one->digits()[i], std::int64_t{1} << 32U);
    }
  sum.merge(negative);
  EXPECT_EQ(sum.digits(), ExactSum().digits());
}

TEST(ExactSum, ClampsEachNumberAndNanCountsAsZero) {
  ExactSum sum(100);
  for (const double value : {infinity, 1e300, 2.5, -250.0, std::nan("")}) sum.add(value);
  EXPECT_EQ(sum.rounded(), 102.5);
  sum.add(-infinity);
  EXPECT_EQ(sum.rounded(), 2.5);
  ExactSum widest;
  widest.add(-infinity);
  EXPECT_EQ(widest.rounded(), -std::numeric_limits<double>::max());
  for (const double bound : {0.0, -1.0, infinity, std::nan("")}) {
    try {
      const ExactSum wrong(bound);
      ADD_FAILURE() << bound;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), "bound");
    }
  }
}

TEST(ExactSum, RoundsOnceToTheNearestDouble) {
  const auto sum_of = [](std::initializer_list<double> values) {
    ExactSum sum;
    for (const double value : values) sum.add(value);
    return sum.rounded();
  };
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({tiny, tiny, tiny}), 3 * tiny);
  EXPECT_EQ(sum_of({0x1p-1022, -tiny}), 0x1p-1022 - tiny);
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1.0);  // a tie, to even
  EXPECT_EQ(sum_of({1, 0x1p-53, tiny}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1, 0x1p-53, -tiny}), 1.0);
  EXPECT_EQ(sum_of({-1, -0x1p-53, -tiny}), -1 - 0x1p-52);
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({1e308, 1e308, -1e308, -1e308, 5}), 5.0);
  std::mt19937_64 random(2);
  const Precision bits(2400);
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<double> values = random_doubles(random, 1 + random() % 10, -1074, 900);
    ExactSum sum;
    sum.add(values);
    const double rounded = sum.rounded();
    if (std::isinf(rounded)) continue;
    // No neighbour is closer.
    const Ball exact = exact_sum_of(values), error = abs(exact - Ball(rounded));
    for (const double other : {std::nextafter(rounded, infinity), std::nextafter(rounded, -infinity)})
      if (std::isfinite(other)) {
        EXPECT_TRUE(surely_at_most(error, abs(exact - Ball(other))));
      }
  }
}

// One column for each part of FixedValues.
struct Fixed {
  std::array<std::uint64_t, lanes_at_once> whole{}, fraction{}, rest{}, negative{};
  FixedValues values() { return {whole.data(), fraction.data(), rest.data(), negative.data()}; }
};

Rounding rounding_for(double grid, double range) {
  return {grid, range, static_cast<std::int64_t>(std::floor(range / grid))};
}

TEST(ExactSum, IsInFixedPointWithin128BitsOfTheGrid) {
  const Precision bits(2600);
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int exponent = std::uniform_int_distribution<int>(-960, 900)(random);
    const double grid = std::ldexp(1.0, exponent);
    const double range = grid * std::floor(std::ldexp(1.0 + 0.5 * static_cast<double>(random() % 2), 50));
    std::vector<ExactSum> sums(3);
    for (ExactSum& sum : sums)
      sum.add(random_doubles(random, 5, std::max(exponent - 200, -1074), std::min(exponent + 53, 1023)));
    const ExactSums input(sums, rounding_for(grid, range));
    Fixed fixed;
    input.fixed(1, lanes_at_once, fixed.values());
    for (std::size_t i = 0; i < 2; ++i) {
      Ball exact = value_of(sums[i + 1]);
      exact = max(min(exact, Ball(range)), Ball(-range)) / Ball(grid);
      EXPECT_TRUE(are_equal(input.exact(i + 1), exact));
      Ball lower(0);
      for (const std::uint64_t word : {fixed.whole[i], fixed.fraction[i], fixed.rest[i]}) {
        arb_mul_2exp_si(lower.raw(), lower.raw(), 64);
        arb_add_ui(lower.raw(), lower.raw(), word, Precision::bits());
      }
      Ball scaled = abs(exact);
      arb_mul_2exp_si(scaled.raw(), scaled.raw(), 128);
      EXPECT_TRUE(surely_at_most(lower, scaled)) << trial;
      EXPECT_TRUE(surely_less(scaled, lower + Ball(1))) << trial;
      if (surely_less(exact, Ball(0))) {
        EXPECT_EQ(fixed.negative[i], ~std::uint64_t{0});
      }
      EXPECT_LE(fixed.whole[i], std::uint64_t{1} << 51U);
    }
    EXPECT_EQ(fixed.whole[2] | fixed.fraction[2] | fixed.rest[2] | fixed.negative[2], 0U);
  }
}

// Single doubles by the kernel that noise on doubles uses.
class Doubles : public GridInput {
 public:
  Doubles(std::vector<double> values, const Rounding& rounding) : values_(std::move(values)), rounding_(rounding) {}
  [[nodiscard]] std::size_t size() const override { return values_.size(); }
  void fixed(std::size_t first, std::size_t count, const FixedValues& fixed) const override {
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count && first + i < values_.size(); ++i) numbers[i] = values_[first + i];
    to_fixed(numbers.data(), count, 1 / rounding_.grid, rounding_.range, fixed);
  }
  [[nodiscard]] Ball exact(std::size_t index) const override {
    return Ball(std::clamp(values_[index], -rounding_.range, rounding_.range)) / Ball(rounding_.grid);
  }

 private:
  std::vector<double> values_;
  Rounding rounding_;
};

TEST(ExactSum, TheSameBitsGiveTheSameNoiseAsOnASingleDouble) {
  std::mt19937_64 random(4);
  const Rounding rounding = rounding_for(0x1p-10, 0x1p41);
  std::vector<double> values;
  std::vector<ExactSum> sums;
  for (int i = 0; i < 3000; ++i) {
    const double value =
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(i % 60) - 16);
    ExactSum sum;
    for (const double part : {value * 0.25, value * 0.25, 1e200, value * 0.5, -1e200}) sum.add(part);
    values.push_back(value);
    sums.push_back(sum);
  }
  for (const GridLaw law : {GridLaw::gaussian, GridLaw::laplace}) {
    const auto drawn = [&](const GridInput& input) {
      test::SeededBits bits(5);
      std::vector<std::int64_t> all(input.size());
      draw_on_grid(bits, law, input, 3.7, rounding, [&](std::size_t first, std::span<const std::int64_t> multiples) {
        std::copy(multiples.begin(), multiples.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
      });
      return all;
    };
    EXPECT_EQ(drawn(Doubles(values, rounding)), drawn(ExactSums(sums, rounding)));
  }
}

TEST(ExactSum, ReleasesHaveTheNoiseAskedFor) {
  std::vector<ExactSum> sums(40000);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].add(static_cast<double>(i));
    sums[i].add(0.3);
  }
  std::vector<double> out(sums.size());
  const Release normal = gaussian(sums, out, 10, {.grid = 0x1p-6, .sensitivity = 2});
  EXPECT_EQ(normal.step, R"({"mechanism":"gaussian","stddev":10,"l2_sensitivity":2})");
  EXPECT_EQ(normal.grid, 0x1p-6);
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i] * 64, std::floor(out[i] * 64));
    const double noise = out[i] - static_cast<double>(i) - 0.3;
    mean += noise / static_cast<double>(out.size());
    square += noise * noise / static_cast<double>(out.size());
  }
  EXPECT_NEAR(mean, 0, 7 * 10 / 200.0);
  EXPECT_NEAR(square, 100, 7 * 100 * std::sqrt(2) / 200.0);
  EXPECT_EQ(laplace(sums, out, 5, {.sensitivity = 1}).step, R"({"mechanism":"laplace","scale":5,"l1_sensitivity":1})");
}

TEST(ExactSum, TheSensitivityIsThatOfARowUnlessItIsGiven) {
  std::vector<double> out(4);
  std::vector<ExactSum> sums(4, ExactSum(10));
  EXPECT_EQ(laplace(sums, out, 5).step, R"({"mechanism":"laplace","scale":5,"l1_sensitivity":40})");
  EXPECT_EQ(gaussian(sums, out, 5).step, R"({"mechanism":"gaussian","stddev":5,"l2_sensitivity":20})");
  sums[0].merge(ExactSum(30));
  EXPECT_EQ(sums[0].bound(), 30);
  EXPECT_EQ(laplace(sums, out, 5).step, R"({"mechanism":"laplace","scale":5,"l1_sensitivity":60})");
  // 0.1 + 0.1 + 0.1 is above the nearest double of 0.3.
  sums.assign(3, ExactSum(0.1));
  out.resize(3);
  EXPECT_EQ(laplace(sums, out, 5).step, R"({"mechanism":"laplace","scale":5,"l1_sensitivity":0.30000000000000004})");
}

TEST(ExactSum, SumsWithoutABoundNeedASensitivity) {
  std::vector<double> out(1, 17);
  for (const std::size_t count : {1, 2}) {
    const std::vector<ExactSum> sums(count);
    out.assign(count, 17);
    EXPECT_EQ(test::field_of([&] { laplace(sums, out, 5); }), "sensitivity");
    EXPECT_EQ(test::field_of([&] { gaussian(sums, out, 5); }), "sensitivity");
    EXPECT_EQ(out, std::vector<double>(count, 17));
  }
}

TEST(ExactSum, ErrorsNameTheFieldAndWriteNothing) {
  const std::vector<ExactSum> sums(2, ExactSum(1));
  const auto field_of = [&](double stddev, const OnGrid& options, std::size_t count) {
    std::vector<double> out(count, 17);
    const std::string field = test::field_of([&] { gaussian(sums, out, stddev, options); });
    if (field != "none") {
      EXPECT_EQ(out, std::vector<double>(count, 17));
    }
    return field;
  };
  EXPECT_EQ(field_of(0, {}, 2), "stddev");
  EXPECT_EQ(field_of(std::nan(""), {}, 2), "stddev");
  EXPECT_EQ(field_of(1, {.grid = 0.3}, 2), "grid");
  EXPECT_EQ(field_of(1, {.range = -1}, 2), "range");
  EXPECT_EQ(field_of(1, {.sensitivity = 0}, 2), "sensitivity");
  EXPECT_EQ(field_of(1, {}, 3), "out");
  EXPECT_EQ(field_of(1, {}, 2), "none");
}

}  // namespace exact_sum_test
}  // namespace renyi::noise
