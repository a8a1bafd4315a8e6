#include "apps/cli/plot/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace renyi::cli::plot::ticks_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels_in(const Ticks& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks) {
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}

std::vector<std::string> labels(Axis axis, std::size_t most) {
  return labels_in(ticks_of(axis, [&](const Ticks& ticks) { return labels_in(ticks).size() <= most; }));
}

Axis axis(double from, double to, bool log = true) { return {.log = log, .from = from, .to = to}; }

TEST(Ticks, FewDecadesHaveNumbersBetween) {
  EXPECT_THAT(labels(axis(1, 100), 9), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
  EXPECT_THAT(labels(axis(1e-6, 1e-5), 5), ElementsAre("10⁻⁶", "2×10⁻⁶", "5×10⁻⁶", "10⁻⁵"));
}

TEST(Ticks, PartsOfADecadeHaveEvenNumbers) {
  EXPECT_THAT(labels(axis(3, 5.2), 5), ElementsAre("3.0", "3.5", "4.0", "4.5", "5.0"));
}

TEST(Ticks, AreAllInOneStyle) {
  EXPECT_THAT(labels(axis(1e-6, 1), 9), ElementsAre("10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"));
  EXPECT_THAT(labels(axis(0.001, 1000), 9), ElementsAre("0.001", "0.01", "0.1", "1", "10", "100", "1000"));
  EXPECT_THAT(labels(axis(0, 1, false), 6), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(axis(0, 4e6, false), 5), ElementsAre("0", "1×10⁶", "2×10⁶", "3×10⁶", "4×10⁶"));
  EXPECT_THAT(labels(axis(-1, 1, false), 5), ElementsAre("−1.0", "−0.5", "0.0", "0.5", "1.0"));
}

TEST(Ticks, AreFewWhereDoublesHardlyDiffer) {
  EXPECT_LE(even_ticks(3, 3 + 1e-15, 1e-16).size(), 1000U);
  EXPECT_LE(even_ticks(1e16, 1e16 + 10, 1).size(), 1000U);
  EXPECT_LE(log_ticks(0, 1e-300, 1, false).size(), 1000U);
}

TEST(Ticks, AreAsManyAsFit) {
  EXPECT_THAT(labels(axis(1, 100), 3), ElementsAre("1", "10", "100"));
  EXPECT_THAT(labels(axis(1e-12, 1), 5), ElementsAre("10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"));
  EXPECT_THAT(labels({.from = 0.5, .to = 4.5, .names = {"a", "b", "c", "d"}}, 2), ElementsAre("a", "c"));
  EXPECT_LE(labels(axis(1e-300, 1e300), 9).size(), 9U);
  EXPECT_GE(labels(axis(1e-300, 1e300), 9).size(), 5U);
}

TEST(Ticks, LieWithinTheAxisAndAscend) {
  for (const auto& [from, to] : {std::pair{1e-12, 1.0}, {1.01, 18.7}, {3.0, 5.0}, {2e-9, 7e4}}) {
    for (const bool log : {false, true}) {
      double last = from - 1;
      for (const Tick& tick : ticks_of(axis(from, to, log), [](const Ticks&) { return true; })) {
        const double slack = 1e-8 * (log ? tick.at : to - from);
        EXPECT_GE(tick.at, from - slack);
        EXPECT_LE(tick.at, to + slack);
        EXPECT_GT(tick.at, last);
        last = tick.at;
      }
      EXPECT_GT(last, 0);
    }
  }
}

}  // namespace
}  // namespace renyi::cli::plot::ticks_test
