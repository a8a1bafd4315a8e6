#include "api/figure/finish.h"

#include <gtest/gtest.h>

#include <limits>

#include "renyi/error.h"

namespace renyi::api::figure::finish_test {
namespace {

const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

TEST(Ranges, SkipWhatCannotBeDrawn) {
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

Figure figure_of(Series series, bool log = false) {
  return {.title = "T", .x = {.label = "x"}, .y = {.label = "y", .log = log}, .series = {std::move(series)}};
}

TEST(Ranges, HaveRoomForTicksWhereValuesDifferByRounding) {
  const Figure figure = finished({.series = {{.curve = {{1, 2}, {3, 3 + 1e-15}}}}});
  EXPECT_GT(*figure.y.to - *figure.y.from, 1e-10);
  const auto [from, to] = widened({5e-324, 1e-323});
  EXPECT_GT(from, 0);
  EXPECT_GT(to, from);
}

TEST(Ranges, AxisOfZerosIsNotLogarithmic) {
  const Figure figure = finished(figure_of({.name = "none", .curve = {{1, 2}, {0, 0}}}, true));
  EXPECT_FALSE(figure.y.log);
  EXPECT_EQ(figure.y.from, 0);
}

TEST(Ranges, LinearAxesOfPositiveValuesStartAtZeroUnlessTheyAreClose) {
  EXPECT_EQ(finished(figure_of({.curve = {{1, 2}, {2, 8}}})).y.from, 0);
  EXPECT_GT(finished(figure_of({.curve = {{1, 2}, {99, 100}}})).y.from, 90);
  const Figure constant = finished(figure_of({.curve = {{3}, {4}}}));
  EXPECT_LT(constant.x.from, 3);
  EXPECT_GT(constant.x.to, 3);
}

TEST(Ranges, WithoutAFiniteValueThereIsNoFigure) {
  EXPECT_THROW(finished(figure_of({.curve = {{1}, {inf}}})), Unsupported);
  EXPECT_THROW(finished(figure_of({.role = Role::reference, .curve = {{1}, {2}}})), Unsupported);
}

TEST(Legends, SayWhatIsLeftOut) {
  const auto name = [](Series series, bool log) { return finished(figure_of(std::move(series), log)).series[0].name; };
  EXPECT_EQ(name({.name = "c", .curve = {{1, 2}, {2, inf}}}, false), "c (infinite where not drawn)");
  EXPECT_EQ(name({.name = "c", .curve = {{1, 2}, {2, 0}}}, true), "c (0 where not drawn)");
  EXPECT_EQ(name({.name = "c", .curve = {{1, 2}, {2, nan}}}, false), "c (unknown where not drawn)");
  EXPECT_EQ(name({.name = "b", .curve = {{1}, {0.5 + 1e-9}}, .lower = Curve{{1}, {0.5}}}, false), "b");
  EXPECT_EQ(name({.name = "b", .curve = {{1}, {0.7}}, .lower = Curve{{1}, {0.5}}}, false), "b: between these ends");
}

// Bounds are moved by more than the evaluation of a rule loses, and probabilities stay probabilities.
TEST(Bounds, HaveRoomForRounding) {
  Figure figure = figure_of({.curve = {{1, 2}, {0.5, 1}}, .lower = Curve{{1, 2}, {0.5, 1}}});
  figure.y.to = 1;
  const Series series = finished(figure).series[0];
  EXPECT_GT(series.curve.y[0], 0.5);
  EXPECT_EQ(series.curve.y[1], 1);
  EXPECT_LT(series.lower->y[0], 0.5);
}

}  // namespace
}  // namespace renyi::api::figure::finish_test
