// Noise at the limits of its parameters: tiny numbers, ranges beside the grid, overlapping memory, stated bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/choices.h"
#include "noise/exact/cells.h"
#include "noise/exact/scale.h"
#include "noise/grid.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/on_grid.h"
#include "noise/skellam.h"
#include "renyi/error.h"
#include "renyi/noise.h"
#include "support/fixed_bits.h"

namespace renyi::noise {
namespace limits_test {

using certify::Ball;

TEST(Limits, TheLeastGridKnowsSubnormalNumbersTo128Bits) {
  const certify::Precision bits(2000);
  std::array<double, lanes_at_once> x = {5e-324, -0x1p-1030, 0x1.fffffffffffffp-1023, 0x1p-1022,
                                         -0.0,   -0x1p-1000, 0x1.123456789abcdp-928,  0x1.fffffffffffffp-801};
  std::array<std::uint64_t, lanes_at_once> whole{}, fraction{}, rest{}, negative{};
  to_fixed(x.data(), x.size(), 1 / least_grid, 0x1p51 * least_grid,
           {whole.data(), fraction.data(), rest.data(), negative.data()});
  for (std::size_t i = 0; i < x.size(); ++i) {
    Ball lower = Ball(static_cast<std::int64_t>(whole[i])), part;
    arb_set_ui(part.raw(), fraction[i]);
    arb_mul_2exp_si(part.raw(), part.raw(), 64);
    arb_add_ui(part.raw(), part.raw(), rest[i], 2000);
    arb_mul_2exp_si(part.raw(), part.raw(), -128);
    lower += part;
    Ball unit(1);
    arb_mul_2exp_si(unit.raw(), unit.raw(), -128);
    const Ball true_one = Ball(std::abs(x[i])) / Ball(least_grid);
    EXPECT_TRUE(surely_at_most(lower, true_one)) << x[i];
    EXPECT_TRUE(surely_at_most(true_one, lower + unit)) << x[i];
    EXPECT_EQ(negative[i], std::signbit(x[i]) ? ~std::uint64_t{0} : 0);
  }
}

TEST(Limits, ScalesAndGridsBeyondTheLimitsAreRefused) {
  std::vector<double> x(4, 1.0);
  EXPECT_NO_THROW(gaussian(x, x, 0x1p-700));
  EXPECT_NO_THROW(gaussian(x, x, 0x1p700));
  const std::vector<double> before = x;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double scale : {0x1p-701, 0x1p701, 0.0, -0.0, -1.0, 5e-324, nan, infinity, -infinity})
    EXPECT_THROW(laplace(x, x, scale), InvalidArgument) << scale;
  for (const double grid : {0x1p-801, 0x1p801, 3.0, 0.0, -1.0, nan, infinity, 5e-324, 0x1p-49, 0x1p11})
    EXPECT_THROW(gaussian(x, x, 1, {.grid = grid, .range = {}}), InvalidArgument) << grid;
  for (const double range : {0.0, -1.0, nan, infinity, 0.5, 0x1.0000000000001p51})
    EXPECT_THROW(gaussian(x, x, 1, {.grid = 1, .range = range}), InvalidArgument) << range;
  EXPECT_THROW(gaussian(x, std::span(x).first(3), 1), InvalidArgument);
  EXPECT_EQ(x, before);
  std::vector<double> none;
  EXPECT_EQ(gaussian(none, none, 1).draws, 0U);
}

TEST(Limits, NoFloatOfTheOutputIsSubnormal) {
  std::vector<float> x(1000, 0.0F);
  EXPECT_THROW(gaussian(x, x, 0x1p-120, {.grid = 0x1p-127, .range = {}}), InvalidArgument);
  gaussian(x, x, 0x1p-126, {.grid = 0x1p-126, .range = {}});
  for (const float value : x) EXPECT_NE(std::fpclassify(value), FP_SUBNORMAL);
}

TEST(Limits, TheStatedDeviationHoldsAtTheEndOfARangeBesideTheGrid) {
  std::vector<double> x(2000, 1.9), out(x.size());
  const Release release = gaussian(x, out, 0x1p-10, {.grid = 1, .range = 1.9});
  // The value is clamped to the range that is stated.
  const double value = std::min(1.9, release.range);
  for (const double result : out) EXPECT_LE(std::abs(result - value), release.effective_stddev);
}

// The root of the mean square of round(x + noise) - x, for a grid of 1.
double deviation(GridLaw law, double scale, double x) {
  const auto above = [&](double t) {
    return law == GridLaw::gaussian ? 0.5 * std::erfc(t / scale / M_SQRT2) : 0.5 * std::exp(-t / scale);
  };
  const int most = static_cast<int>(60 * scale) + 5;
  double sum = 0;
  for (int n = -most; n <= most; ++n) {
    const double from = n - 0.5 - x, to = n + 0.5 - x;
    const double mass = from >= 0 ? above(from) - above(to)
                        : to <= 0 ? above(-to) - above(-from)
                                  : 1 - above(-from) - above(to);
    sum += mass * (n - x) * (n - x);
  }
  return std::sqrt(sum);
}

TEST(Limits, EffectiveDeviationsAreUpperBounds) {
  for (const GridLaw law : {GridLaw::gaussian, GridLaw::laplace}) {
    for (const double scale : {0.001, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 3.0}) {
      const double stated = effective_stddev(law, scale, 1);
      double worst = 0;
      for (int i = -50; i <= 50; ++i) worst = std::max(worst, deviation(law, scale, i * 0.01));
      EXPECT_GE(stated, worst * (1 - 1e-12)) << scale;
      EXPECT_LE(stated, worst * (scale >= 0.5 ? 1.01 : 1.4)) << scale;
      // Powers of two change nothing, however small or large.
      for (const double grid : {0x1p-700, 0x1p-300, 0x1p600})
        EXPECT_DOUBLE_EQ(effective_stddev(law, scale * grid, grid), stated * grid) << scale;
    }
  }
}

TEST(Limits, OutputsMayLieAcrossTheInput) {
  constexpr std::size_t count = 20;
  constexpr std::int64_t step = 1'000'000'000;
  const auto check = [](const char* name, const auto& add_noise) {
    std::vector<std::int64_t> memory(count + 1);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::int64_t>(i) * step;
    add_noise(std::span(memory).first(count), std::span(memory).last(count));
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_LT(std::abs(memory[i + 1] - static_cast<std::int64_t>(i) * step), step / 2) << name;
  };
  check("skellam", [](auto values, auto out) { skellam(values, out, 4); });
  check("discrete gaussian", [](auto values, auto out) { discrete_gaussian(values, out, 4); });
  check("discrete laplace", [](auto values, auto out) { discrete_laplace(values, out, 4); });
}

TEST(Limits, AcceptanceRatesAreThoseOfTheAttempts) {
  for (const double stddev : {0x1p-10, 0.1, 0.5, 0.9, 1.0, 1.0001, 2.0, 7.3, 1e6}) {
    const DiscreteGaussian law(stddev);
    constexpr std::size_t count = 1024;
    test::SeededBits bits(3);
    Columns words(6, count);
    int accepted = 0;
    constexpr int blocks = 40;
    for (int block = 0; block < blocks; ++block) {
      bits.fill(words.first(3));
      law.attempts({words.column(0), words.column(1), words.column(2)}, count, {},
                   reinterpret_cast<std::int64_t*>(words.column(3)), {words.column(4), words.column(5)});
      for (std::size_t i = 0; i < count; ++i) accepted += static_cast<int>(words.column(4)[i] & 1U);
    }
    const double rate = accepted / static_cast<double>(blocks * count);
    EXPECT_GT(rate, law.acceptance_rate() - 0.005) << stddev;
    EXPECT_LT(rate, law.acceptance_rate() + 0.03) << stddev;
  }
}

TEST(Limits, FirstWordsOfEnclosuresAreCertain) {
  // At 192 bits the ball of 1/2 + exp(-250) has 1/2 inside.
  const Fraction above = enclose_first_word([] { return Ball(0.5) + exp(Ball(-250)); });
  EXPECT_EQ(high_word(above.lower), std::uint64_t{1} << 63U);
  EXPECT_EQ(high_word(above.upper), std::uint64_t{1} << 63U);
  const Fraction below = enclose_first_word([] { return Ball(0.5) - exp(Ball(-250)); });
  EXPECT_EQ(high_word(below.lower), (std::uint64_t{1} << 63U) - 1);
  EXPECT_EQ(high_word(below.upper), (std::uint64_t{1} << 63U) - 1);
}

TEST(Limits, GapsOfSubnormalScoresAreEnclosed) {
  const certify::Precision bits(2400);
  const std::vector<double> scores = {5e-324, -0x1p-1022, 0x1p-901, -0x1p-899, 0x1p-390, 0.0};
  const Gaps gaps(scores, 1, 1e50, 1e-20);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const DoubleDouble known = gaps.gap(i);
    const Ball error = gaps.ball(i) - (Ball(known.high) + Ball(known.low));
    EXPECT_TRUE(surely_at_most(error, Ball(Gaps::error(known)))) << i;
    EXPECT_TRUE(surely_at_most(-error, Ball(Gaps::error(known)))) << i;
  }
}

// Words that leave every attempt to the slow tier: the acceptance is that of the place, as far as the first words tell.
class CloseBits : public Bits {
 public:
  CloseBits(std::uint64_t place, std::uint64_t next, std::uint64_t acceptance, std::uint64_t other)
      : place_(place), next_(next), acceptance_(acceptance), other_(other) {}
  void fill(std::span<std::uint64_t> words) override {
    if (words.size() == 1) {
      words[0] = other_;
    } else if (words.size() == 3) {
      words[0] = words[2] = 0;
      words[1] = next_;
    } else {
      const std::size_t third = words.size() / 3;
      std::fill_n(words.begin(), third, 0);
      std::ranges::fill(words.subspan(third, third), place_);
      std::ranges::fill(words.subspan(2 * third), acceptance_);
    }
  }

 private:
  std::uint64_t place_, next_, acceptance_, other_;
};

class EqualValues : public GridInput {
 public:
  explicit EqualValues(double value) : value_(value) {}
  [[nodiscard]] std::size_t size() const override { return 8; }
  void fixed(std::size_t, std::size_t count, const FixedValues& values) const override {
    const std::vector<double> numbers(count, value_);
    to_fixed(numbers.data(), count, 1, 0x1p51, values);
  }
  [[nodiscard]] Ball exact(std::size_t) const override { return Ball(value_); }

 private:
  double value_;
};

TEST(Limits, RoundingGoesOnWithTheWordsThatDecidedTheAcceptance) {
  // The place is below 1/2 by less than 2^-64, and 2^-65 + place rounds up if its second word begins with a one. A word
  // that is drawn again would say the opposite.
  const std::uint64_t place = ~std::uint64_t{0} >> 1U;
  const certify::Precision precision(192);
  const std::uint64_t acceptance = high_word(enclose(exp(Ball(-0.125))).lower);
  for (const std::uint64_t next : {std::uint64_t{1} << 12U, std::uint64_t{7} << 60U, std::uint64_t{9} << 60U}) {
    const bool is_up = (next >> 63U) != 0;
    CloseBits bits(place, next, acceptance, is_up ? 0 : ~std::uint64_t{0});
    std::vector<std::int64_t> results;
    draw_on_grid<HalfNormal>(bits, EqualValues(0x1p-65), Scale::of(1, 1),
                             [&](std::size_t, std::span<const std::int64_t> multiples) {
                               results.insert(results.end(), multiples.begin(), multiples.end());
                             });
    EXPECT_EQ(results, std::vector<std::int64_t>(8, is_up ? 1 : 0)) << next;
  }
}

TEST(Limits, SlowTiersAreAsRareAsTheDocumentsSay) {
  for (const double scale : {0x1p-10, 1.0, 0x1p20, 0x1.fffffffffffffp47}) {
    EXPECT_LE(slow_probability(GridLaw::gaussian, scale, 1), 0x1p-61);
    EXPECT_LE(slow_probability(GridLaw::laplace, scale, 1), 0x1p-61);
    EXPECT_LE(slow_probability(DiscreteGaussian(std::min(scale, 0x1p47))), 0x1p-63);
    EXPECT_LE(slow_probability(DiscreteLaplace(2 * scale, DiscreteLaplace::Sides::two)), 0x1p-63);
  }
  for (double variance = smallest_skellam_variance; variance <= largest_skellam_variance; variance *= 1.7)
    EXPECT_LE(skellam_slow_probability(variance), 0x1p-61) << variance;
  EXPECT_LE(skellam_slow_probability(largest_skellam_variance), 0x1p-61);
}

}  // namespace limits_test
}  // namespace renyi::noise
