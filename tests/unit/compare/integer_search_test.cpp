#include "compare/integer_search.h"

#include <gtest/gtest.h>

namespace renyi::compare_detail::integer_search_test {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(LastWithin, TheExcessHasTheRightSign) {
  EXPECT_EQ(log_excess(2, 2), 0);
  EXPECT_EQ(log_excess(infinity, infinity), 0);
  EXPECT_EQ(log_excess(0, 1), -infinity);
  EXPECT_EQ(log_excess(1, 0), infinity);
  EXPECT_EQ(log_excess(1, infinity), -infinity);
  EXPECT_LE(log_excess(std::nextafter(1.0, 0.0), 1), 0);
  EXPECT_GT(log_excess(std::nextafter(1e300, infinity), 1e300), 0);
  EXPECT_NEAR(log_excess(1, std::exp(3.0)), -3, 1e-15);
}

// The search works from any guess, for step functions, powers, and values that are infinite in a range.
TEST(LastWithin, FindsTheLast) {
  for (const std::int64_t last : {0L, 1L, 2L, 77L, 1'000'000L, 123'456'789'012L}) {
    const auto step = [&](std::int64_t i) { return i <= last ? -infinity : infinity; };
    const auto power = [&](std::int64_t i) {
      return log_excess(std::sqrt(static_cast<double>(i)), std::sqrt(static_cast<double>(last) + 0.5));
    };
    for (const std::int64_t guess : {0L, 1L, 100L, 5'000'000'000L}) {
      EXPECT_EQ(largest_within(0, 200'000'000'000, guess, 3, step), last);
      EXPECT_EQ(largest_within(0, 200'000'000'000, guess, 3, power), last);
    }
    if (last == 0) continue;
    EXPECT_EQ(largest_within_power_law(power(1), most, power), last);
    EXPECT_EQ(largest_within_power_law(step(1), most, step), last);
  }
}

TEST(LastWithin, MayBeTheEnd) {
  const auto never = [](std::int64_t) { return -1.0; };
  for (const std::int64_t high : {std::int64_t{1}, std::int64_t{2}, most}) {
    EXPECT_EQ(largest_within_power_law(-1, high, never), high);
    EXPECT_EQ(largest_within(0, high, 1, 1, never), high);
  }
  EXPECT_EQ(largest_within(5, 5, 0, 1, never), 5);
}

// Each evaluation may be a search of its own.
TEST(LastWithin, NeedsFewEvaluations) {
  int evaluations = 0;
  const auto power = [&](std::int64_t i) {
    ++evaluations;
    return log_excess(std::pow(static_cast<double>(i), 0.6) * std::log(10.0 + static_cast<double>(i)), 1e7);
  };
  const std::int64_t last = largest_within_power_law(power(1), most, power);
  EXPECT_LE(evaluations, 20);
  EXPECT_LE(power(last), 0);
  EXPECT_GT(power(last + 1), 0);
}

}  // namespace
}  // namespace renyi::compare_detail::integer_search_test
