// Skellam noise: histograms against the exact law, parameters, saturation, the step to account for.
#include "noise/skellam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "certify/ball/ball.h"
#include "renyi/error.h"
#include "renyi/noise.h"
#include "support/chi_square.h"
#include "support/fixed_bits.h"

namespace renyi::noise {
namespace skellam_test {

using certify::Ball;

// exp(-v) I_n(v).
double mass(double variance, std::int64_t n) {
  const certify::Precision bits(200);
  Ball bessel;
  const Ball order(n < 0 ? -n : n), v(variance);
  arb_hypgeom_bessel_i(bessel.raw(), order.raw(), v.raw(), 200);
  return (exp(-v) * bessel).about();
}

TEST(Skellam, HistogramsFollowTheLaw) {
  constexpr int draws = 100'000;
  for (const double variance : {0.001, 0.5, 2.0, 10.0, 1234.5}) {
    test::SeededBits bits(11);
    std::vector<std::int64_t> noise(draws);
    skellam(bits, noise, variance);
    const auto reach = static_cast<std::int64_t>(6 * std::sqrt(variance)) + 6;
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(2 * reach + 1));
    std::vector<double> probabilities;
    for (std::int64_t n = -reach; n <= reach; ++n) probabilities.push_back(mass(variance, n));
    for (const std::int64_t n : noise) {
      ASSERT_LE(std::abs(n), reach);
      ++counts[static_cast<std::size_t>(n + reach)];
    }
    EXPECT_GT(test::p_value(counts, probabilities), 1e-4) << variance;
  }
}

TEST(Skellam, LargeVariancesAreNearlyNormal) {
  // The excess kurtosis is 2^-40, and numbers are classed on a scale of 2^20: the normal law is right to 10 digits.
  constexpr double stddev = 0x1p20;
  test::SeededBits bits(12);
  std::vector<std::int64_t> noise(100'000);
  skellam(bits, noise, stddev * stddev);
  std::vector<std::uint64_t> counts(42);
  std::vector<double> probabilities;
  const auto below = [](double z) { return std::erfc(-z / M_SQRT2) / 2; };
  for (int i = 0; i < 42; ++i) {
    const double low = i == 0 ? 0 : below(-4 + 0.2 * (i - 1)), high = i == 41 ? 1 : below(-4 + 0.2 * i);
    probabilities.push_back(high - low);
  }
  for (const std::int64_t n : noise) {
    const double place = std::floor((static_cast<double>(n) / stddev + 4) / 0.2) + 1;
    ++counts[static_cast<std::size_t>(std::clamp(place, 0.0, 41.0))];
  }
  EXPECT_GT(test::p_value(counts, probabilities), 1e-4);
}

TEST(Skellam, SlowTiersAreRare) {
  for (const double variance : {smallest_skellam_variance, 0.1, 1.0, 10.0, 1e4, 1e8, largest_skellam_variance}) {
    EXPECT_LE(skellam_slow_probability(variance), 0x1p-60) << variance;
  }
}

TEST(Skellam, AddsNoiseAndSaturates) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  std::vector<std::int64_t> values(3000), out(3000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? most : i % 3 == 1 ? least : 1'000'000;
  const Release release = skellam(values, out, 100);
  int at_end = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Numbers that wrapped around would be at the other end.
    if (i % 3 == 0) {
      EXPECT_GT(out[i], most - 200);
    }
    if (i % 3 == 1) {
      EXPECT_LT(out[i], least + 200);
    }
    if (i % 3 == 2) {
      EXPECT_LE(std::abs(out[i] - values[i]), 200);
    }
    at_end += static_cast<int>(out[i] == most) + static_cast<int>(out[i] == least);
  }
  EXPECT_GT(at_end, 900);
  EXPECT_LT(at_end, 1200);
  EXPECT_EQ(release.draws, 3000U);
  EXPECT_GT(release.timing_delta, 0);
  EXPECT_LE(release.timing_delta, 3000 * 0x1p-60);
  // In place.
  const Release again = skellam(out, out, 0.1 + 0.2, 3);
  const auto step = nlohmann::json::parse(again.step);
  EXPECT_EQ(step.at("mechanism"), "skellam");
  EXPECT_EQ(again.mechanism, "skellam");
  EXPECT_EQ(step.at("variance").get<double>(), 0.1 + 0.2);
  EXPECT_EQ(step.at("sensitivity").get<double>(), 3);
  EXPECT_EQ(skellam(out, out, 10).step, R"({"mechanism":"skellam","variance":10,"sensitivity":1})");
}

TEST(Skellam, ParametersAreCheckedBeforeAnythingIsWritten) {
  const std::vector<std::int64_t> values = {1, 2, 3};
  std::vector<std::int64_t> out = {7, 7, 7}, two = {7, 7};
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double bad : {0.0, -1.0, 0.0009, 0x1p41, infinity, nan}) {
    EXPECT_THROW(skellam(values, out, bad), InvalidArgument) << bad;
  }
  for (const double bad : {0.0, -1.0, 0.5, infinity, nan})
    EXPECT_THROW(skellam(values, out, 10, bad), InvalidArgument) << bad;
  EXPECT_THROW(skellam(values, two, 10), InvalidArgument);
  EXPECT_EQ(out, std::vector<std::int64_t>(3, 7));
  EXPECT_EQ(two, std::vector<std::int64_t>(2, 7));
}

}  // namespace skellam_test
}  // namespace renyi::noise
