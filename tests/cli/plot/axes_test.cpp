#include "apps/cli/plot/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace renyi::cli::plot::axes_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(double from, double to, bool raised = true) {
  std::vector<std::string> all;
  for (const Tick& tick : log_ticks(from, to, raised)) {
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}

TEST(Ticks, FewDecadesHaveNumbersBetween) {
  EXPECT_THAT(labels(1, 100), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
  EXPECT_THAT(labels(1.5, 7), ElementsAre("2", "5"));
  EXPECT_THAT(labels(1e-6, 1e-5), ElementsAre("10^{-6}", "2x10^{-6}", "5x10^{-6}", "10^{-5}"));
}

TEST(Ticks, ManyDecadesHavePowers) {
  EXPECT_THAT(labels(1e-6, 1), ElementsAre("10^{-6}", "10^{-5}", "10^{-4}", "0.001", "0.01", "0.1", "1"));
  EXPECT_THAT(labels(1e-6, 1e-3, false), ElementsAre("1e-6", "1e-5", "1e-4", "0.001"));
  EXPECT_LE(labels(1e-300, 1e300).size(), 11U);
  EXPECT_GE(labels(1e-300, 1e300).size(), 5U);
}

TEST(Ticks, LieWithinTheAxisAndAscend) {
  for (const auto& [from, to] : {std::pair{1e-12, 1.0}, {1.01, 18.7}, {3.0, 5.0}, {2e-9, 7e4}}) {
    double last = 0;
    for (const Tick& tick : log_ticks(from, to, true)) {
      EXPECT_GE(tick.at, from * (1 - 1e-8));
      EXPECT_LE(tick.at, to * (1 + 1e-8));
      EXPECT_GT(tick.at, last);
      last = tick.at;
    }
    EXPECT_GT(last, 0);
  }
}

TEST(Ranges, SkipWhatCannotBeDrawn) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(range_of({0, 3, inf, nan, 2}, true), std::pair(2.0, 3.0));
  EXPECT_EQ(range_of({0, 3, inf, nan, 2}, false), std::pair(0.0, 3.0));
  EXPECT_EQ(range_of({0, inf, nan}, true), std::nullopt);
}

TEST(Ranges, AreWidenedToRoundNumbers) {
  const auto [from, to] = widened({0.3, 41});
  EXPECT_DOUBLE_EQ(from, 0.2);
  EXPECT_DOUBLE_EQ(to, 50);
  const auto [least, most] = widened({1, 1});
  EXPECT_LT(least, 1);
  EXPECT_GT(most, 1);
}

}  // namespace
}  // namespace renyi::cli::plot::axes_test
