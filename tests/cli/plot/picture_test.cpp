// Pictures: that nothing overlaps, that every series is drawn, and that texts cannot become markup.
#include "apps/cli/plot/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "api/figure/finish.h"
#include "apps/cli/plot/heat.h"
#include "apps/cli/plot/legend.h"
#include "apps/cli/plot/terminal.h"
#include "apps/cli/plot/text.h"
#include "renyi/error.h"

namespace renyi::cli::plot::picture_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

using api::figure::finished;
using api::figure::Rule;

Series curve(std::string name, Role role, double factor) {
  Series series{.name = std::move(name), .role = role};
  for (int i = 0; i <= 50; ++i) series.curve.add(1 + i, factor * std::exp(i / 10.0));
  return series;
}

Figure figure_with_everything() {
  return finished(
      {.title = "A title that is long enough to need a second line in a narrow figure, δ = 10⁻⁵",
       .subtitle = "10000 × sampled-gaussian, sampling_rate=0.01, noise_multiplier=1.1",
       .note = "no exact figure: for a reason that has to be said",
       .x = {.label = "the label of the x axis", .log = true},
       .y = {.label = "the label of the y axis, which is long", .log = true},
       .series = {curve("exact", Role::exact, 1), curve("Rényi (upper bound)", Role::renyi, 2)},
       .marks = {{.x = 30, .text = "here: 10000"}, {.x = 9, .y = 4, .text = "a point", .role = Role::highlight}}});
}

// Losses with a density, and two with a probability of their own.
Figure figure_with_masses() {
  return finished(
      {.title = "masses",
       .x = {.label = "loss"},
       .y = {.label = "density"},
       .masses = Axis{.label = "probability of a single loss", .from = 0},
       .series = {{.name = "density",
                   .shape = Shape::area,
                   .bound = api::figure::Bound::estimate,
                   .curve = {{0, 1}, {0.2, 0.1}}},
                  {.name = "masses", .shape = Shape::masses, .curve = {{0, 1}, {0.3, 0.5}}, .on_masses = true}}});
}

Figure heat_map() {
  Figure figure{.title = "heat",
                .x = {.label = "steps", .names = {"100", "1000", "10000"}},
                .y = {.label = "noise", .names = {"1", "2"}},
                .heat = Heat{"ε", {1, 2.345, 1000, std::nan(""), std::numeric_limits<double>::infinity(), 0.001}}};
  return finished(figure);
}

void expect_apart(const Picture& picture, const Canvas& canvas) {
  for (std::size_t i = 0; i < picture.texts.size(); ++i) {
    const Box box = box_of(picture.texts[i]);
    EXPECT_TRUE(box.left >= 0 && box.top >= 0 && box.right <= canvas.width && box.bottom <= canvas.height)
        << picture.texts[i].text;
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(box.touches(box_of(picture.texts[k]))) << picture.texts[i].text << " | " << picture.texts[k].text;
    }
  }
}

TEST(PlotPicture, HasTextsApartAtEverySize) {
  for (const Figure& figure : {figure_with_everything(), figure_with_masses(), heat_map()}) {
    for (const double part : {1.0, 0.8, 0.5, 2.0}) {
      Canvas canvas;
      canvas.width *= part;
      canvas.height *= part;
      canvas.font_size = part < 0.6 ? 8 : 10;
      expect_apart(picture_of(figure, canvas), canvas);
    }
  }
}

TEST(PlotPicture, RefusesASizeWithoutSpace) {
  Canvas canvas{.width = 90, .height = 90, .font_size = 20, .may_shrink = false};
  EXPECT_THROW(picture_of(figure_with_everything(), canvas), InvalidArgument);
}

TEST(PlotPicture, ShrinksTheFontOnlyIfItMay) {
  Canvas canvas{.width = 240, .height = 160, .font_size = 9};
  EXPECT_LT(picture_of(figure_with_everything(), canvas).texts.back().size, 9 * 1.15);
  canvas.may_shrink = false;
  EXPECT_THROW(picture_of(figure_with_everything(), canvas), InvalidArgument);
}

TEST(PlotPicture, EscapesEveryText) {
  Figure figure = figure_with_everything();
  figure.title = "</svg><script>";
  figure.subtitle = "a & b";
  figure.note = "<";
  figure.x.label = "x<";
  figure.y.label = "y<";
  figure.series[0].name = "n<&>";
  const std::string svg = picture_of(figure, {}).svg;
  EXPECT_EQ(count(svg, "</svg>"), 1U);
  EXPECT_THAT(svg, HasSubstr("&lt;/svg&gt;&lt;script&gt;"));
  EXPECT_THAT(svg, HasSubstr("n&lt;&amp;&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(PlotPicture, SaysItsSizeInInches) {
  const std::string svg = picture_of(figure_with_everything(), {.width = 237.6, .height = 172.8, .font_size = 7}).svg;
  EXPECT_THAT(svg, HasSubstr("width=\"3.3in\" height=\"2.4in\" viewBox=\"0 0 237.6 172.8\""));
  EXPECT_THAT(svg, HasSubstr("font-family=\"'DejaVu Sans', Verdana, sans-serif\""));
}

TEST(PlotPicture, FillsWideBandsOnly) {
  const auto band = [](double upper) {
    return finished({.series = {{.name = "b", .curve = {{1, 2}, {0.5, upper}}, .lower = Curve{{1, 2}, {0.5, 0.2}}}}});
  };
  EXPECT_THAT(picture_of(band(0.2), {}).svg, Not(HasSubstr("fill-opacity=\"0.18\"")));
  EXPECT_THAT(picture_of(band(0.75), {}).svg, HasSubstr("fill-opacity=\"0.18\""));
}

TEST(PlotPicture, DrawsMassesOnAnAxisOfTheirOwn) {
  const Picture picture = picture_of(figure_with_masses(), {});
  EXPECT_THAT(picture.svg, HasSubstr("probability of a single loss"));
  const auto is_tick = [](const Text& text) { return text.text == "0.50" || text.text == "0.5"; };
  EXPECT_TRUE(std::any_of(picture.texts.begin(), picture.texts.end(), is_tick));
}

TEST(PlotPicture, RunsDifferByColourAndDashes) {
  Figure figure;
  for (std::size_t i = 0; i < 7; ++i) {
    Series series = curve("run", Role::exact, 1.0 + static_cast<double>(i));
    series.run = i;
    figure.series.push_back(std::move(series));
  }
  const std::string svg = picture_of(finished(figure), {}).svg;
  for (const char* colour : {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"}) {
    EXPECT_THAT(svg, HasSubstr(colour));
  }
}

TEST(PlotLegend, FindsTheFreeCorner) {
  const Box plot{0, 0, 100, 100};
  const Segment rising{0, 100, 100, 0}, upper_left{0, 0, 20, 20};
  EXPECT_EQ(free_place(plot, 30, 30, {}), std::pair(70.0, 0.0));
  EXPECT_EQ(free_place(plot, 30, 30, {rising}), std::pair(0.0, 0.0));
  EXPECT_EQ(free_place(plot, 30, 30, {rising, upper_left}), std::pair(70.0, 70.0));
  EXPECT_EQ(free_place(plot, 90, 90, {rising}), std::nullopt);
  EXPECT_TRUE(crosses({-10, 50, 110, 50}, {40, 40, 60, 60}));
  EXPECT_FALSE(crosses({-10, 70, 110, 70}, {40, 40, 60, 60}));
  EXPECT_TRUE(crosses({50, 50, 50, 50}, {40, 40, 60, 60}));  // a point
}

TEST(PlotHeat, RoundsUpToThreeDigits) {
  EXPECT_EQ(cell_text(43.5123), "43.6");
  EXPECT_EQ(cell_text(4.36), "4.36");
  EXPECT_EQ(cell_text(9.991), "10.00");
  EXPECT_EQ(cell_text(0.0123401), "0.0124");
  EXPECT_EQ(cell_text(123456), "1.24×10⁵");
  EXPECT_EQ(cell_text(12345.6), "12400");
  EXPECT_EQ(cell_text(1.2301e-7), "1.24×10⁻⁷");
  EXPECT_EQ(cell_text(0), "0");
  EXPECT_EQ(cell_text(std::nan("")), "–");
  EXPECT_EQ(cell_text(std::numeric_limits<double>::infinity()), "∞");
}

TEST(PlotHeat, ColoursGrowDarker) {
  const auto lightness = [](double along) { return std::stoi(Colours::at(along).substr(3, 2), nullptr, 16); };
  for (int i = 0; i < 20; ++i) EXPECT_GT(lightness(i / 20.0), lightness((i + 1) / 20.0));
  EXPECT_TRUE(Colours({1, 100}).axis().log);
  EXPECT_FALSE(Colours({1, 2}).axis().log);
}

TEST(PlotTerminal, HasNoWideLinesAndNoSymbols) {
  for (const int columns : {40, 80, 200}) {
    std::istringstream text(
        terminal_picture(figure_with_everything(), {.medium = Medium::terminal, .columns = columns}));
    for (std::string line; std::getline(text, line);) {
      EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
      for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
    }
  }
}

TEST(PlotTerminal, ShowsHeatMapsAsTables) {
  const std::string text = terminal_picture(heat_map(), {.medium = Medium::terminal});
  EXPECT_THAT(text, HasSubstr("1.00"));
  EXPECT_THAT(text, HasSubstr("2.35"));
  EXPECT_THAT(text, HasSubstr("inf"));
}

}  // namespace
}  // namespace renyi::cli::plot::picture_test
