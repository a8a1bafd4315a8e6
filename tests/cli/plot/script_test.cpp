// Figures as scripts.
#include "apps/cli/plot/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"

namespace renyi::cli::plot::script_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr Canvas picture{.medium = Medium::png};
constexpr Canvas terminal{.medium = Medium::terminal};
const double infinity = std::numeric_limits<double>::infinity();

Figure figure_of(Series series, bool log = false) {
  return {.title = "T", .x = {.label = "x"}, .y = {.label = "y", .log = log}, .series = {std::move(series)}};
}

TEST(PlotScript, HoldsItsDataAndNamesNoFile) {
  const std::string script =
      gnuplot_script(figure_of({.name = "curve", .points = {at(1, 0.5), at(2, 0.1 + 0.2)}}), picture);
  EXPECT_THAT(script, StartsWith("set terminal pngcairo"));
  EXPECT_THAT(script, HasSubstr("$data1 << END\n1 0.5\n2 0.30000000000000004\nEND\n"));
  EXPECT_THAT(script, HasSubstr("plot $data1 with lines"));
  EXPECT_THAT(script, HasSubstr("title 'curve' noenhanced"));
  EXPECT_THAT(script, Not(HasSubstr("set output")));
}

TEST(PlotScript, QuotesEveryText) {
  Figure figure = figure_of({.name = "a'b`c", .points = {at(1, 1)}});
  figure.title = "t'\n1";
  figure.subtitle = "s\\'\"";
  figure.x.label = "x'";
  figure.note = "n'\r";
  const std::string script = gnuplot_script(figure, picture);
  EXPECT_THAT(script, HasSubstr("set title 't''?1' offset"));
  EXPECT_THAT(script, HasSubstr("set label 1 's\\''\"' at graph"));
  EXPECT_THAT(gnuplot_script(figure, terminal),
              HasSubstr("set title 't''?1'.\"\\n\".'s\\''\"'.\"\\n\".'n''?'.\"\\n\".'upwards: y' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("set xlabel 'x''' offset 0,0.7 noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("title 'a''b`c' noenhanced"));
  EXPECT_THAT(script, HasSubstr("set label 2 'n''?' at graph"));
}

TEST(PlotScript, LogarithmicAxesHaveRangeAndTicks) {
  Figure figure = figure_of({.name = "c", .points = {at(1, 0.002), at(10, 30)}}, true);
  figure.x.log = true;
  const std::string script = gnuplot_script(figure, picture);
  EXPECT_THAT(script, HasSubstr("set logscale x\nset xrange [0.999999:10.00001]\nset xtics ('1' 1, '2' 2, '' 3 1,"));
  EXPECT_THAT(script, HasSubstr("set logscale y\nset yrange [0.001999998:50.00005]\n"));
}

TEST(PlotScript, AxisOfZerosIsNotLogarithmic) {
  const std::string script = gnuplot_script(figure_of({.name = "none", .points = {at(1, 0), at(2, 0)}}, true), picture);
  EXPECT_THAT(script, Not(HasSubstr("logscale")));
  EXPECT_THAT(script, HasSubstr("1 0\n2 0\n"));
}

TEST(PlotScript, WhatIsLeftOutIsSaidInTheLegend) {
  const std::string gaps = gnuplot_script(
      figure_of({.name = "c", .points = {at(1, 2), at(2, infinity), at(3, infinity), at(4, 5)}}), picture);
  EXPECT_THAT(gaps, HasSubstr("<< END\n1 2\n\n4 5\nEND\n"));
  EXPECT_THAT(gaps, HasSubstr("'c (infinite where not drawn)'"));
  const std::string zero = gnuplot_script(figure_of({.name = "c", .points = {at(1, 2), at(2, 0)}}, true), picture);
  EXPECT_THAT(zero, HasSubstr("'c (0 where not drawn)'"));
  const std::string unknown = gnuplot_script(figure_of({.name = "c", .points = {at(1, 2), at(2, NAN)}}), picture);
  EXPECT_THAT(unknown, HasSubstr("'c (unknown where not drawn)'"));
}

TEST(PlotScript, SeriesWithoutAPointKeepsItsName) {
  Figure figure = figure_of({.name = "c", .points = {at(1, infinity)}});
  EXPECT_THROW(gnuplot_script(figure, picture), Unsupported);
  figure.series.push_back({.name = "d", .points = {at(1, 1)}});
  const std::string script = gnuplot_script(figure, picture);
  EXPECT_THAT(script, HasSubstr("plot NaN with lines"));
  EXPECT_THAT(script, HasSubstr("'c (infinite where not drawn)'"));
}

TEST(PlotScript, NarrowBandsAreLinesAndWideOnesAreFilled) {
  Series band{.name = "b", .shape = Shape::band, .points = {{1, 0.5, 0.5 + 1e-9}, {2, 0.25, 0.25 + 1e-9}}};
  EXPECT_THAT(gnuplot_script(figure_of(band), picture), Not(HasSubstr("filledcurves")));
  band.points[1].high = 0.75;
  const std::string wide = gnuplot_script(figure_of(band), picture);
  EXPECT_THAT(wide, HasSubstr("1 0.5 0.500000001\n2 0.25 0.75\nEND"));
  EXPECT_THAT(wide, HasSubstr("title 'b: between these ends'"));
  EXPECT_THAT(wide, HasSubstr("$data1 using 1:2:3 with filledcurves"));
  EXPECT_THAT(wide, HasSubstr("$data2 with lines"));
  EXPECT_THAT(wide, HasSubstr("$data3 with lines"));
  EXPECT_THAT(gnuplot_script(figure_of(band), terminal), Not(HasSubstr("filledcurves")));
}

TEST(PlotScript, BandsReachTheEndOfALogarithmicAxis) {
  Figure figure = figure_of({.name = "b", .shape = Shape::band, .points = {{1, 0, 0.5}, {2, 1e-9, 0.5}}}, true);
  figure.y.from = 1e-6;
  const std::string script = gnuplot_script(figure, picture);
  EXPECT_THAT(script, HasSubstr("1 1e-06 0.5\n2 1e-06 0.5\nEND"));
  EXPECT_THAT(script, HasSubstr("<< END\n2 1e-09\nEND"));  // the lower end itself is not moved
}

TEST(PlotScript, RulesAndSpikes) {
  Figure figure = figure_of({.name = "here", .shape = Shape::rule, .points = {at(3, 0)}});
  figure.series.push_back({.shape = Shape::spike, .points = {at(1, 7)}, .labels = {"7.5"}});
  figure.y.names = {"it's"};
  const std::string script = gnuplot_script(figure, picture);
  EXPECT_THAT(script, HasSubstr("set arrow from first 3, graph 0 to first 3, graph 1 nohead"));
  EXPECT_THAT(script, HasSubstr("keyentry with lines"));
  EXPECT_THAT(script, HasSubstr("7 1 \"7.5\"\n"));
  EXPECT_THAT(script, HasSubstr("set ytics ('it''s' 1) noenhanced\n"));
}

TEST(PlotCanvas, IsChosenByTheEnding) {
  EXPECT_EQ(canvas_for("--out", "a.png").medium, Medium::png);
  EXPECT_EQ(canvas_for("--out", "a.b/c.SVG").medium, Medium::svg);
  EXPECT_EQ(canvas_for("--out", "a.pdf").medium, Medium::pdf);
  EXPECT_EQ(canvas_for("--out", "a.gp").medium, Medium::script);
  for (const char* name : {"", "png", ".png", "a.jpg", "a.png/", "a.png.", "a.png "}) {
    EXPECT_THROW(canvas_for("--out", name), InvalidArgument) << name;
  }
}

TEST(PlotCanvas, ScriptsForOthersChooseNoTerminal) {
  const Figure figure = figure_of({.name = "c", .points = {at(1, 1)}});
  EXPECT_THAT(gnuplot_script(figure, {.medium = Medium::script}), StartsWith("# Drawn by: gnuplot"));
  EXPECT_THAT(gnuplot_script(figure, {.medium = Medium::script}), Not(HasSubstr("\nset terminal")));
  EXPECT_THAT(gnuplot_script(figure, terminal), StartsWith("set terminal dumb size 80,30 noenhanced mono\n"));
}

}  // namespace
}  // namespace renyi::cli::plot::script_test
