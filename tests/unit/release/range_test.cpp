// The range of the values: stated as it is used, the same whatever the values are, and refused where it is too small.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::range_test {
namespace {

using release::Range;
using release::Statistic;
using release::StatisticNoise;
using release::Terms;
using Whole = std::numeric_limits<std::int64_t>;

struct Expected {
  double lowest = 0;
  double highest = 0;
};

Terms one(const std::string& mechanism, double size, bool is_integer, std::optional<Expected> expected = {}) {
  Statistic statistic{.name = "a", .is_integer = is_integer, .bounds = {.l1_sensitivity = 1}};
  statistic.noise = {.mechanism = mechanism, .size = size};
  if (expected) statistic.expected_lowest = expected->lowest, statistic.expected_highest = expected->highest;
  return {.statistics = {statistic}};
}

StatisticNoise noise_of(const Terms& terms) { return release::design(terms, {}).noise.front(); }

void expect_refused(const Terms& terms, const std::string& path) {
  try {
    (void)release::design(terms, {});
    ADD_FAILURE() << path;
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), path) << error.what();
    EXPECT_FALSE(error.allowed().empty());
  }
}

TEST(Range, IsThatOfTheNoise) {
  EXPECT_EQ(noise_of(one("discrete-gaussian", 3, true)).range, (Range{Whole::min(), Whole::max()}));
  EXPECT_EQ(noise_of(one("gaussian", 3, true)).range, (Range{-(std::int64_t{1} << 51), std::int64_t{1} << 51}));
  EXPECT_EQ(noise_of(one("laplace", 50, false)).range, (Range{-0x1p46, 0x1p46}));
  EXPECT_EQ(noise_of(one("laplace", 32, false)).grid, 0x1p-5);
  EXPECT_EQ(noise_of(one("laplace", std::nextafter(32, 0), false)).grid, 0x1p-6);
}

TEST(Range, AnExpectedRangeMakesTheGridCoarserAsFarAsItHasTo) {
  const auto grid = [](double highest) { return noise_of(one("gaussian", 42, false, Expected{0, highest})).grid; };
  EXPECT_EQ(grid(1), 0x1p-5);
  EXPECT_EQ(grid(0x1p46), 0x1p-5);
  EXPECT_EQ(grid(std::nextafter(0x1p46, 0x1p47)), 0x1p-4);
  EXPECT_EQ(grid(1e15), 0x1p-1);
  EXPECT_EQ(grid(0x1p56), 0x1p5);
  EXPECT_EQ(noise_of(one("gaussian", 42, false, Expected{-1e15, 0})).range, (Range{-0x1p50, 0x1p50}));
  EXPECT_EQ(noise_of(one("laplace", 1000, true, Expected{0, 1e16})).grid, 8);
  EXPECT_EQ(noise_of(one("laplace", 1e30, true, Expected{0, 0x1p62})).range,
            (Range{-(std::int64_t{1} << 62), std::int64_t{1} << 62}));
}

// What a coarser grid adds to the noise is a part of the standard error and of the interval.
TEST(Range, ACoarserGridIsPartOfTheError) {
  const StatisticNoise usual = noise_of(one("gaussian", 42, false));
  const StatisticNoise coarse = noise_of(one("gaussian", 42, false, Expected{0, 0x1p56}));
  ASSERT_EQ(coarse.grid, 32);
  const double least = std::hypot(42, 32 / std::sqrt(12));
  EXPECT_GE(coarse.standard_error, least * (1 - 1e-9));
  EXPECT_LE(coarse.standard_error, 1.05 * usual.standard_error);
  EXPECT_GT(coarse.half_width, usual.half_width);
  EXPECT_LE(coarse.half_width, usual.half_width + coarse.grid);
}

TEST(Range, NoiseThatIsTooSmallForItIsRefused) {
  const std::string lowest = "statistics[0].expected_lowest", highest = "statistics[0].expected_highest";
  const double above = std::nextafter(0x1p56, 0x1p57), inf = std::numeric_limits<double>::infinity();
  expect_refused(one("gaussian", 42, false, Expected{0, above}), highest);
  expect_refused(one("gaussian", 42, false, Expected{-above, 0}), lowest);
  expect_refused(one("gaussian", 42, false, Expected{0, inf}), highest);
  expect_refused(one("gaussian", 0.25, true, Expected{0, std::nextafter(0x1p51, 0x1p52)}), highest);
  expect_refused(one("gaussian", 1e30, true, Expected{0, 0x1p63}), highest);
  expect_refused(one("discrete-gaussian", 3, true, Expected{0, 0x1p63}), highest);
  expect_refused(one("discrete-gaussian", 3, true, Expected{std::nextafter(-0x1p63, -0x1p64), 0}), lowest);
  EXPECT_NO_THROW(noise_of(one("discrete-gaussian", 3, true, Expected{-0x1p63, std::nextafter(0x1p63, 0)})));
}

TEST(Range, WhatIsExpectedIsBothEndsInTheirOrder) {
  expect_refused(one("gaussian", 1, false, Expected{5, 4}), "statistics[0].expected_lowest");
  expect_refused(one("gaussian", 1, false, Expected{std::nan(""), 4}), "statistics[0].expected_lowest");
  expect_refused(one("gaussian", 1, false, Expected{4, std::nan("")}), "statistics[0].expected_lowest");
  Terms terms = one("gaussian", 1, false);
  terms.statistics[0].expected_highest = 4;
  expect_refused(terms, "statistics[0].expected_lowest");
  std::swap(terms.statistics[0].expected_lowest, terms.statistics[0].expected_highest);
  expect_refused(terms, "statistics[0].expected_highest");
}

// The budget divides without regard to it: a coarser grid costs no privacy.
TEST(Range, CostsNothing) {
  Terms terms{.statistics = {{.name = "a", .bounds = {.l2_sensitivity = 10}}}, .budget = {.epsilon = 1, .delta = 1e-6}};
  const release::Design usual = release::design(terms, {});
  terms.statistics[0].expected_lowest = 0;
  terms.statistics[0].expected_highest = 1e15;
  const release::Design wide = release::design(terms, {});
  EXPECT_EQ(usual.plan, wide.plan);
  EXPECT_EQ(usual.epsilon, wide.epsilon);
  EXPECT_GE(std::get<double>(wide.noise[0].range.upper), 1e15);
  EXPECT_LT(std::get<double>(usual.noise[0].range.upper), 1e15);
}

TEST(Range, IsReadFromBothForms) {
  const release::Request json = release::read_json(
      R"({"renyi-release":1,"statistics":[{"name":"a","value":1,"expected_lowest":-2.5,"expected_highest":1e15}]})");
  const release::Request csv = release::read_csv("name,value,expected_lowest,expected_highest\na,1,-2.5,1e15\n");
  for (const release::Request* read : {&json, &csv}) {
    EXPECT_EQ(read->terms.statistics[0].expected_lowest, -2.5);
    EXPECT_EQ(read->terms.statistics[0].expected_highest, 1e15);
  }
}

}  // namespace
}  // namespace renyi::range_test
