// Clipped sums: no record moves the sum by more than the norm, whatever its numbers are; all of it in integers.
#include "renyi/clipped_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/clipped_sum.h"
#include "noise/exact/wide.h"
#include "renyi/error.h"
#include "support/field_of_error.h"

namespace renyi::noise {
namespace clipped_sum_test {

using certify::Ball;
using certify::Precision;
using test::field_of;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Vectors of one magnitude and of mixed ones, with numbers from both ends of the type in between.
template <class Number>
std::vector<Number> random_record(std::mt19937_64& random, std::size_t dimension, double near) {
  using Limits = std::numeric_limits<Number>;
  std::normal_distribution<double> normal;
  std::vector<Number> record(dimension);
  const auto kind = random() % 6;
  const int spread = kind == 0 ? 0 : kind == 1 ? 4 : 200;
  const double size = near * std::exp2(static_cast<double>(random() % 9) - 4);
  for (Number& one : record) {
    const int exponent = spread == 0 ? 0 : static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread;
    const double value = std::ldexp(normal(random) * size, kind == 5 ? std::min(exponent, 0) : exponent);
    one = static_cast<Number>(std::clamp<double>(value, -static_cast<double>(Limits::max()), Limits::max()));
  }
  const Number corners[] = {Limits::max(), -Limits::max(), Limits::min(), Limits::denorm_min(), 0, Number(near)};
  if (kind == 3) record[random() % dimension] = corners[random() % 6];
  if (kind == 4)
    for (Number& one : record) one = corners[random() % 6];
  return record;
}

std::vector<std::int64_t> integers_of(const ClippedSum& sum) { return {sum.sums().begin(), sum.sums().end()}; }

// The sum of squares against (C/g)^2, both exactly.
bool is_within_norm(const std::vector<std::int64_t>& integers, double clip_norm, double grid) {
  const Precision bits(300);
  Ball squares;
  for (const std::int64_t one : integers) squares += Ball(one) * Ball(one);
  return surely_at_most(squares * Ball(grid) * Ball(grid), Ball(clip_norm) * Ball(clip_norm));
}

template <class Number>
void expect_clipped(std::mt19937_64& random) {
  const std::size_t dimension = 1 + random() % 70;
  const double clip_norm = std::ldexp(1 + std::uniform_real_distribution<double>(0, 1)(random) * double(random() % 2),
                                      static_cast<int>(random() % 80) - 40);
  const double grid = std::ldexp(1.0, std::ilogb(clip_norm) - static_cast<int>(random() % 30));
  ClippedSum sum(dimension, clip_norm, grid);
  const std::vector<Number> record = random_record<Number>(random, dimension, clip_norm);
  sum.add(record);
  const std::vector<std::int64_t> integers = integers_of(sum);
  ASSERT_TRUE(is_within_norm(integers, clip_norm, grid));

  const Precision bits(3000);
  Ball squares;
  for (const Number one : record) squares += square(Ball(static_cast<double>(one)));
  const Ball norm = sqrt(squares);
  if (surely_less(norm, Ball(clip_norm) * Ball(1 - 0x1p-31))) {
    for (std::size_t i = 0; i < dimension; ++i)
      EXPECT_EQ(static_cast<double>(integers[i]), std::trunc(static_cast<double>(record[i]) / grid));
    return;
  }
  // What is clipped keeps its direction: within the grid and a few parts of 2^32.
  for (std::size_t i = 0; i < dimension; ++i) {
    const Ball wanted = Ball(static_cast<double>(record[i])) * Ball(clip_norm) / (norm * Ball(grid));
    const double error = abs(wanted - Ball(integers[i])).about();
    EXPECT_LE(error, 1 + 0x1p-30 * std::abs(wanted.about()));
  }
}

TEST(ClippedSum, NoRecordIsLongerThanTheNorm) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 1500; ++trial) {
    expect_clipped<float>(random);
    expect_clipped<double>(random);
  }
}

TEST(ClippedSum, NoRecordOfAMillionNumbersIsLongerThanTheNorm) {
  std::mt19937_64 random(2);
  for (const double near : {1e-3, 1.0}) {
    std::vector<float> record(1'000'003);
    for (float& one : record) one = static_cast<float>(near * std::normal_distribution<double>()(random));
    ClippedSum sum(record.size(), 0.3, 0x1p-30);
    sum.add(record);
    EXPECT_TRUE(is_within_norm(integers_of(sum), 0.3, 0x1p-30));
    double squares = 0;
    for (const std::int64_t one : sum.sums()) squares += static_cast<double>(one * one);
    EXPECT_GT(std::sqrt(squares), 0.3 * 0x1p30 * (1 - 1e-4));
  }
}

// Records of which one is left out: the difference of the sums is what that record adds by itself.
TEST(ClippedSum, ARecordMovesTheSumByAtMostTheNormAndInAnyOrder) {
  std::mt19937_64 random(3);
  const std::size_t dimension = 37;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<std::vector<double>> records;
    for (int i = 0; i < 20; ++i) records.push_back(random_record<double>(random, dimension, 1));
    records[7][random() % dimension] = std::nan("");
    records[9][random() % dimension] = -infinity;
    ClippedSum all(dimension, 1), shuffled(dimension, 1), merged(dimension, 1), without(dimension, 1);
    for (const std::vector<double>& one : records) all.add(one);
    const std::size_t left_out = random() % records.size();
    for (std::size_t i = 0; i < records.size(); ++i)
      if (i != left_out) without.add(records[i]);
    std::vector<std::int64_t> difference(dimension);
    for (std::size_t i = 0; i < dimension; ++i) difference[i] = all.sums()[i] - without.sums()[i];
    EXPECT_TRUE(is_within_norm(difference, 1, all.grid()));
    if (left_out == 7 || left_out == 9) {
      EXPECT_EQ(difference, std::vector<std::int64_t>(dimension));
    }
    std::shuffle(records.begin(), records.end(), random);
    ClippedSum other(dimension, 1);
    for (std::size_t i = 0; i < records.size(); ++i) {
      shuffled.add(records[i]);
      (i % 2 == 0 ? merged : other).add(records[i]);
    }
    merged.merge(other);
    EXPECT_EQ(integers_of(shuffled), integers_of(all));
    EXPECT_EQ(integers_of(merged), integers_of(all));
    EXPECT_EQ(merged.records(), 20U);
    merged.clear();
    EXPECT_EQ(integers_of(merged), std::vector<std::int64_t>(dimension));
  }
}

TEST(ClippedSum, PartsAndFloatsAreTheSameRecord) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<float> record = random_record<float>(random, 41, 1);
    const std::span<const float> all(record);
    const std::vector<std::span<const float>> parts = {all.subspan(0, 3), all.subspan(3, 0), all.subspan(3, 17),
                                                       all.subspan(20)};
    ClippedSum whole(41, 0.7), apart(41, 0.7);
    whole.add(record);
    apart.add(parts);
    for (std::size_t i = 0; i < 41; ++i) EXPECT_NEAR(double(whole.sums()[i]), double(apart.sums()[i]), 1);
  }
  ClippedSum unclipped(3, 10), doubles(3, 10);
  unclipped.add(std::vector<float>{1.5F, -2.25F, 0x1p-30F});
  doubles.add(std::vector<double>{1.5, -2.25, 0x1p-30});
  EXPECT_EQ(integers_of(unclipped), integers_of(doubles));
  EXPECT_EQ(unclipped.sums()[1], -static_cast<std::int64_t>(2.25 / unclipped.grid()));
  EXPECT_EQ(unclipped.sums()[2], 0);
}

TEST(ClippedSum, IntegersBeyondTheNormMoveTowardZero) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::int32_t> before(64);
    const auto limit = static_cast<std::int32_t>(std::exp2(static_cast<double>(random() % 32)) - 1);
    for (std::int32_t& one : before) one = std::uniform_int_distribution<std::int32_t>(-limit, limit)(random);
    if (trial == 0) std::fill(before.begin(), before.end(), std::numeric_limits<std::int32_t>::min());
    Wide squares = 0;
    for (const std::int32_t one : before) squares += static_cast<Wide>(std::int64_t{one} * one);
    // As many as there are, one less, and far fewer.
    const auto exactly = static_cast<std::uint64_t>(std::min(squares, Wide{1} << 62U));
    for (const std::uint64_t most :
         {exactly, exactly - std::min<std::uint64_t>(1, exactly), exactly / 7, std::uint64_t{0}}) {
      std::vector<std::int32_t> after = before;
      limit_norm(after, most);
      Wide left = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        left += static_cast<Wide>(std::int64_t{after[i]} * after[i]);
        EXPECT_TRUE(after[i] == 0 || (after[i] < 0) == (before[i] < 0));
        EXPECT_LE(std::abs(std::int64_t{after[i]}), std::abs(std::int64_t{before[i]}));
      }
      EXPECT_LE(left, most);
      if (squares <= most) {
        EXPECT_EQ(after, before);
      }
      if (squares > most && squares - most <= 1) {
        for (std::size_t i = 0; i < after.size(); ++i) EXPECT_LE(std::abs(std::int64_t{before[i]} - after[i]), 1);
      }
    }
  }
}

TEST(ClippedSum, SumsSaturate) {
  ClippedSum sum(2, 1, 0x1p-30);
  sum.add(std::vector<double>{-100.0, 0.0});
  for (int i = 0; i < 40; ++i) sum.merge(ClippedSum(sum));
  EXPECT_EQ(sum.sums()[0], -(std::int64_t{1} << 62U));
  EXPECT_EQ(sum.sums()[1], 0);
  sum.add(std::vector<double>{-1.0, 0.0});
  EXPECT_EQ(sum.sums()[0], -(std::int64_t{1} << 62U));
  std::vector<double> out(2);
  noise_like(sum, out, 1.0);
  EXPECT_NEAR(out[0], -0x1p21, 20);
  EXPECT_LT(std::abs(out[1]), 20);
}

TEST(ClippedSum, NoiseHasTheStandardDeviationAskedFor) {
  const std::size_t dimension = 60000;
  ClippedSum sum(dimension, 0.3);
  std::vector<double> record(dimension);
  record[5] = 7;
  sum.add(record);
  std::vector<double> out(dimension);
  std::vector<float> floats(dimension);
  const Release release = noise_like(sum, out, 1.1);
  EXPECT_EQ(release.step, R"({"mechanism":"gaussian","noise_multiplier":1.1})");
  EXPECT_EQ(release.draws, dimension);
  EXPECT_LT(release.timing_delta, 0x1p-40);
  const double stddev = 1.1 * 0.3;
  const auto square_of = [&](const auto& values) {
    double squares = 0;
    for (std::size_t i = 0; i < dimension; ++i) squares += std::pow(double(values[i]) - (i == 5 ? 0.3 : 0), 2);
    return squares / static_cast<double>(dimension) / (stddev * stddev);
  };
  EXPECT_NEAR(square_of(out), 1, 7 * std::sqrt(2.0 / static_cast<double>(dimension)));
  for (const double one : out) EXPECT_EQ(one / sum.grid(), std::floor(one / sum.grid()));
  noise_like(sum, floats, 1.1);
  EXPECT_NEAR(square_of(floats), 1, 7 * std::sqrt(2.0 / static_cast<double>(dimension)));
}

TEST(ClippedSum, ErrorsNameTheFieldAndWriteNothing) {
  EXPECT_EQ(field_of([] { ClippedSum(0, 1); }), "dimension");
  for (const double norm : {0.0, -1.0, infinity, std::nan(""), 1e-300})
    EXPECT_EQ(field_of([&] { ClippedSum(3, norm); }), "clip_norm") << norm;
  for (const double grid : {0.0, -0.5, 0.3, 2.0, 0x1p-31, infinity, std::nan("")})
    EXPECT_EQ(field_of([&] { ClippedSum(3, 1, grid); }), "grid") << grid;
  ClippedSum sum(3, 1);
  EXPECT_EQ(field_of([&] { sum.add(std::vector<float>(4)); }), "record");
  EXPECT_EQ(field_of([&] { sum.merge(ClippedSum(4, 1)); }), "other");
  EXPECT_EQ(field_of([&] { sum.merge(ClippedSum(3, 2)); }), "other");
  EXPECT_EQ(field_of([&] { sum.merge(ClippedSum(3, 1, 0.5)); }), "other");
  EXPECT_EQ(field_of([&] { sum.merge(sum); }), "other");  // each record would count twice
  std::vector<double> out(3, 17);
  for (const double noise : {0.0, -1.0, infinity, std::nan(""), 1e-30, 1e30})
    EXPECT_EQ(field_of([&] { noise_like(sum, out, noise); }), "noise_multiplier") << noise;
  EXPECT_EQ(field_of([&] { noise_like(sum, std::span(out).first(2), 1); }), "out");
  EXPECT_EQ(out, std::vector<double>(3, 17));
  EXPECT_EQ(field_of([] { float_sum_sensitivity(0, 1, 1); }), "clip_norm");
  EXPECT_EQ(field_of([] { float_sum_sensitivity(1, 0, 1); }), "records");
  EXPECT_EQ(field_of([] { float_sum_sensitivity(1, 1, 0); }), "dimension");
  EXPECT_EQ(field_of<Unsupported>([] { float_sum_sensitivity(1, 1U << 25U, 1); }), "records");
  EXPECT_EQ(field_of<Unsupported>([] { float_sum_sensitivity(1, 1, 1U << 26U); }), "dimension");
  EXPECT_EQ(field_of([] { effective_noise_multiplier(0, 1); }), "stddev");
}

// What a framework does, in floats: norms, factors, products and sums in the order of the records.
std::vector<float> float_sum(const std::vector<std::vector<float>>& records, float clip_norm) {
  std::vector<float> sum(records.front().size());
  for (const std::vector<float>& record : records) {
    float squares = 0;
    for (const float one : record) squares += one * one;
    const float factor = std::min(1.0F, clip_norm / (std::sqrt(squares) + 1e-6F));
    for (std::size_t i = 0; i < record.size(); ++i) sum[i] += factor * record[i];
  }
  return sum;
}

TEST(ClippedSum, SumsOfFloatsStayWithinTheirSensitivityAndExceedTheNorm) {
  std::mt19937_64 random(6);
  double worst = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t dimension = 1 + random() % 20, count = 2 + random() % 300;
    std::vector<std::vector<float>> records;
    std::vector<float> common(dimension);
    for (float& one : common) one = static_cast<float>(std::normal_distribution<double>()(random));
    for (std::size_t i = 0; i < count; ++i) {  // most point into one direction, which makes sums and errors large
      records.push_back(common);
      for (float& one : records.back()) one *= static_cast<float>(1 + 0.1 * std::normal_distribution<double>()(random));
    }
    const std::vector<float> all = float_sum(records, 1);
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(random() % count));
    const std::vector<float> fewer = float_sum(records, 1);
    double squares = 0;
    for (std::size_t i = 0; i < dimension; ++i) squares += std::pow(double(all[i]) - double(fewer[i]), 2);
    EXPECT_LE(std::sqrt(squares), float_sum_sensitivity(1, count, dimension));
    worst = std::max(worst, std::sqrt(squares));
  }
  EXPECT_GT(worst, 1 + 1e-6);  // the norm itself is no bound
  double before = 1;
  for (const std::uint64_t records : {1U, 16U, 64U, 256U, 1024U, 4096U, 1U << 20U}) {
    const double bound = float_sum_sensitivity(1, records, 1000);
    EXPECT_GT(bound, before);
    EXPECT_GT(float_sum_sensitivity(1, records, 100000), bound);
    before = bound;
  }
  EXPECT_LT(float_sum_sensitivity(1, 64, 1000), 1.001);
  EXPECT_GT(float_sum_sensitivity(1, 4096, 1000), 2);
}

TEST(ClippedSum, TheEffectiveMultiplierIsRoundedDown) {
  std::mt19937_64 random(7);
  const Precision bits(200);
  for (int trial = 0; trial < 1000; ++trial) {
    const double stddev = std::exp(std::normal_distribution<double>()(random));
    const double sensitivity = std::exp(std::normal_distribution<double>()(random));
    const double multiplier = effective_noise_multiplier(stddev, sensitivity);
    EXPECT_TRUE(surely_at_most(Ball(multiplier) * Ball(sensitivity), Ball(stddev)));
    EXPECT_TRUE(surely_less(Ball(stddev), Ball(std::nextafter(multiplier, infinity)) * Ball(sensitivity)));
  }
  EXPECT_EQ(effective_noise_multiplier(3, 2), 1.5);
}

}  // namespace clipped_sum_test
}  // namespace renyi::noise
