#include "apps/cli/plot/axes.h"

#include <gtest/gtest.h>

#include <limits>

#include "renyi/error.h"

namespace renyi::cli::plot::axes_test {
namespace {

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

Figure figure_of(Series series, bool log = false) {
  return {.title = "T", .x = {.label = "x"}, .y = {.label = "y", .log = log}, .series = {std::move(series)}};
}

TEST(Ranges, HaveRoomForTicksWhereValuesDifferByRounding) {
  const Figure figure = with_ranges({.series = {{.points = {at(1, 3), at(2, 3 + 1e-15)}}}});
  EXPECT_GT(*figure.y.to - *figure.y.from, 1e-10);
  const auto [from, to] = widened({5e-324, 1e-323});
  EXPECT_GT(from, 0);
  EXPECT_GT(to, from);
}

TEST(Ranges, AxisOfZerosIsNotLogarithmic) {
  const Figure figure = with_ranges(figure_of({.name = "none", .points = {at(1, 0), at(2, 0)}}, true));
  EXPECT_FALSE(figure.y.log);
  EXPECT_EQ(figure.y.from, 0);
}

TEST(Ranges, LinearAxesOfPositiveValuesStartAtZeroUnlessTheyAreClose) {
  EXPECT_EQ(with_ranges(figure_of({.points = {at(1, 2), at(2, 8)}})).y.from, 0);
  EXPECT_GT(with_ranges(figure_of({.points = {at(1, 99), at(2, 100)}})).y.from, 90);
  const Figure constant = with_ranges(figure_of({.points = {at(3, 4)}}));
  EXPECT_LT(constant.x.from, 3);
  EXPECT_GT(constant.x.to, 3);
}

TEST(Ranges, WithoutAFiniteValueThereIsNoFigure) {
  EXPECT_THROW(with_ranges(figure_of({.points = {at(1, std::numeric_limits<double>::infinity())}})), Unsupported);
}

TEST(Legends, SayWhatIsLeftOut) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto name = [](Series series, bool log) {
    const Figure figure = with_ranges(figure_of(std::move(series), log));
    return name_in_legend(figure.series.front(), figure);
  };
  EXPECT_EQ(name({.name = "c", .points = {at(1, 2), at(2, inf)}}, false), "c (infinite where not drawn)");
  EXPECT_EQ(name({.name = "c", .points = {at(1, 2), at(2, 0)}}, true), "c (0 where not drawn)");
  EXPECT_EQ(name({.name = "c", .points = {at(1, 2), at(2, nan)}}, false), "c (unknown where not drawn)");
  EXPECT_EQ(name({.name = "b", .shape = Shape::band, .points = {{1, 0.5, 0.5 + 1e-9}}}, false), "b");
  EXPECT_EQ(name({.name = "b", .shape = Shape::band, .points = {{1, 0.5, 0.7}}}, false), "b: between these ends");
}

TEST(Pieces, EndWhereNothingCanBeDrawn) {
  const double inf = std::numeric_limits<double>::infinity();
  const Figure figure = with_ranges(figure_of({.points = {at(1, 2), at(2, inf), at(3, inf), at(4, 5), at(5, 6)}}));
  const auto pieces = pieces_of(figure.series.front(), &Point::high, figure);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], (Piece{{1, 2}}));
  EXPECT_EQ(pieces[1], (Piece{{4, 5}, {5, 6}}));
}

}  // namespace
}  // namespace renyi::cli::plot::axes_test
