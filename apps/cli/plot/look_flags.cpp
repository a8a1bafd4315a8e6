#include "apps/cli/plot/look_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "apps/cli/flags/number.h"
#include "apps/cli/flags/written_number.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace look_flags_file {
namespace {

constexpr const char* size_flag = "--size";
constexpr const char* dpi_flag = "--dpi";
constexpr const char* font_flag = "--font";
constexpr const char* font_size_flag = "--font-size";
constexpr const char* title_flag = "--title";
constexpr const char* x_flag = "--x-axis";
constexpr const char* y_flag = "--y-axis";

constexpr double inch = 72;
constexpr double least_length = 1 * inch, most_length = 50 * inch;

// Sizes with a name, and their fonts: one column and both columns of a page, and a figure on a slide.
struct NamedSize {
  std::string_view name;
  double width;
  double height;
  double font_size;
};
constexpr std::array<NamedSize, 3> named_sizes{{{"column", 3.3 * inch, 2.4 * inch, 8},
                                                {"two-column", 6.9 * inch, 3.6 * inch, 9},
                                                {"slide", 10 * inch, 5.6 * inch, 18}}};

struct Unit {
  std::string_view name;
  double points;
};
constexpr std::array<Unit, 5> units{
    {{"in", inch}, {"cm", inch / 2.54}, {"mm", inch / 25.4}, {"pt", 1}, {"px", inch / 96}}};

[[noreturn]] void refuse(const char* flag, std::string_view value, std::string allowed) {
  throw InvalidArgument(flag, fmt::format("\"{}\"", value), std::move(allowed));
}

constexpr const char* allowed_sizes =
    "column, two-column, slide, or width and height such as 3.3in,2.4in (in, cm, mm, pt or px), from 1in to 50in";

double length_of_side(std::string_view whole, std::string_view side) {
  for (const Unit& unit : units) {
    if (!side.ends_with(unit.name)) continue;
    const std::string_view digits = side.substr(0, side.size() - unit.name.size());
    if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string_view::npos) break;
    const double length = read_number(size_flag, digits) * unit.points;
    if (length >= least_length && length <= most_length) return length;
  }
  refuse(size_flag, whole, allowed_sizes);
}

void set_size(Canvas& canvas, std::string_view text) {
  const auto* named =
      std::find_if(named_sizes.begin(), named_sizes.end(), [&](const NamedSize& size) { return size.name == text; });
  if (named != named_sizes.end()) {
    canvas.width = named->width;
    canvas.height = named->height;
    canvas.font_size = named->font_size;
    return;
  }
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) refuse(size_flag, text, allowed_sizes);
  canvas.width = length_of_side(text, text.substr(0, comma));
  canvas.height = length_of_side(text, text.substr(comma + 1));
  constexpr double narrow = 4.5 * inch;
  canvas.font_size = canvas.width < narrow ? 8 : 10;
}

void set_font_size(Canvas& canvas, const std::string& text) {
  constexpr double least = 3, most = 100;
  canvas.font_size = read_number(font_size_flag, text);
  canvas.may_shrink = false;
  if (!(canvas.font_size >= least && canvas.font_size <= most)) {
    refuse(font_size_flag, text, "a number of points from 3 to 100");
  }
}

// The name stands in quotes in the document.
void set_font(Canvas& canvas, const std::string& text) {
  const bool is_name = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '-' || c == '_' || c == '.' || c < 0;
  });
  if (!is_name || text.find_first_not_of(' ') == std::string::npos) {
    refuse(font_flag, text, "the name of a font, such as Times New Roman");
  }
  canvas.font = text;
}

void set_dpi(Canvas& canvas, const std::string& text) {
  constexpr double most_pixels = 1e8;
  constexpr std::int64_t most_dpi = 2400;
  if (canvas.medium != Medium::png)
    refuse(dpi_flag, text, "nothing, unless the picture is a .png: others have no pixels");
  canvas.dpi = static_cast<int>(read_integer(dpi_flag, text, most_dpi));
  const double dots_an_area = std::pow(canvas.dpi / inch, 2);
  if (canvas.width * canvas.height * dots_an_area > most_pixels) {
    refuse(dpi_flag, text, "as many as make at most 100 million pixels");
  }
}

void set_scale(Question& question, const Flags& flags, const char* flag, const char* key) {
  const auto text = flags.text(flag);
  if (!text) return;
  if (*text != "linear" && *text != "log") refuse(flag, *text, "one of linear, log");
  question.set(key, *text, flag);
}

}  // namespace
}  // namespace look_flags_file

std::vector<FlagText> look_flags() {
  using namespace look_flags_file;
  const std::string group = "How it looks";
  return {
      {size_flag, "SIZE", "column, two-column, slide, or such as 3.3in,2.4in (default 6.4in,4.2in)", group},
      {dpi_flag, "N", "dots an inch of a .png (default 150)", group},
      {font_flag, "NAME", "font of all text (default DejaVu Sans)", group},
      {font_size_flag, "PT", "size of the font in points (default 10; 8 if narrow, 18 on slides)", group},
      {title_flag, "TEXT", "in the place of the title and the run below it; \"\" for none", group},
      {x_flag, "linear|log", "scale of the x axis (default by the kind)", group},
      {y_flag, "linear|log", "scale of the y axis (default by the kind)", group},
  };
}

Canvas canvas_asked(const Flags& flags, const std::string& out_flag, const std::optional<std::string>& file) {
  using namespace look_flags_file;
  if (!file) {
    for (const char* flag : {size_flag, dpi_flag, font_flag, font_size_flag}) {
      if (flags.given(flag)) refuse(flag, *flags.text(flag), fmt::format("nothing without {}", out_flag));
    }
    return canvas_of_standard_output();
  }
  Canvas canvas = canvas_for(out_flag, *file);
  if (const auto text = flags.text(size_flag)) set_size(canvas, *text);
  if (const auto text = flags.text(font_flag)) set_font(canvas, *text);
  if (const auto text = flags.text(font_size_flag)) set_font_size(canvas, *text);
  if (const auto text = flags.text(dpi_flag)) set_dpi(canvas, *text);
  return canvas;
}

void set_scales(Question& question, const Flags& flags) {
  look_flags_file::set_scale(question, flags, look_flags_file::x_flag, "x_scale");
  look_flags_file::set_scale(question, flags, look_flags_file::y_flag, "y_scale");
}

void set_title(Figure& figure, const Flags& flags) {
  if (const auto title = flags.text(look_flags_file::title_flag)) {
    figure.title = *title;
    figure.subtitle.clear();
  }
}

}  // namespace renyi::cli::plot
