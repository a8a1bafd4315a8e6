#include "apps/cli/plot/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace svg_file {
namespace {

// Hundredths of a point are finer than any printer.
std::string length(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string path_of(const Places& places) {
  std::string path;
  for (const auto& [x, y] : places) path += fmt::format("{}{} {}", path.empty() ? "M" : "L", length(x), length(y));
  return path;
}

std::string attributes_of(const Stroke& stroke) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{}\"", stroke.colour, length(stroke.width));
  if (!stroke.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

const char* name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::start: return "start";
    case Anchor::middle: return "middle";
    case Anchor::end: break;
  }
  return "end";
}

// Most letters lie between these heights above and below the baseline, relative to the size of the font.
constexpr double ascent = 0.76, descent = 0.24;

}  // namespace
}  // namespace svg_file

Box box_of(const Text& text) {
  const double width = text_width(text.text, text.size);
  const double before = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
  const double up = svg_file::ascent * text.size, down = svg_file::descent * text.size;
  if (text.turned) return {text.x - up, text.y + before - width, text.x + down, text.y + before};
  return {text.x - before, text.y - up, text.x - before + width, text.y + down};
}

Svg::Svg(const Canvas& canvas) : canvas_(canvas) {}

void Svg::line(const Places& places, const Stroke& stroke) {
  body_ += fmt::format("<path d=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\"/>\n", svg_file::path_of(places),
                       svg_file::attributes_of(stroke));
}

void Svg::polygon(const Places& places, std::string_view colour, double opacity) {
  body_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"{}\"/>\n", svg_file::path_of(places), colour,
                       svg_file::length(opacity));
}

void Svg::rectangle(const Box& box, std::string_view colour, double opacity) {
  body_ +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", svg_file::length(box.left),
                  svg_file::length(box.top), svg_file::length(box.width()), svg_file::length(box.height()), colour,
                  opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", svg_file::length(opacity)) : "");
}

void Svg::circle(double x, double y, double radius, std::string_view fill, const Stroke& stroke) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" {}/>\n", svg_file::length(x),
                       svg_file::length(y), svg_file::length(radius), fill, svg_file::attributes_of(stroke));
}

void Svg::text(const Text& text) {
  if (text.text.empty()) return;
  const std::string x = svg_file::length(text.x), y = svg_file::length(text.y);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y,
                       svg_file::length(text.size), svg_file::name_of(text.anchor), text.colour,
                       text.turned ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "", in_xml(text.text));
  texts_.push_back(text);
}

void Svg::begin_clipped(const Box& box) {
  body_ += "<clipPath id=\"plot\">\n";
  rectangle(box, "#000000");
  body_ += "</clipPath>\n<g clip-path=\"url(#plot)\">\n";
}

void Svg::end_clipped() { body_ += "</g>\n"; }

std::string Svg::document(const std::string& title) const {
  // Inches keep the size in print; a user unit is a point.
  constexpr double points_an_inch = 72;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.6g}in\" height=\"{:.6g}in\" viewBox=\"0 0 {} {}\" "
      "font-family=\"{}\">\n{}"
      "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n"
      "{}</svg>\n",
      canvas_.width / points_an_inch, canvas_.height / points_an_inch, svg_file::length(canvas_.width),
      svg_file::length(canvas_.height), in_xml(fmt::format("'{}', Verdana, sans-serif", canvas_.font)),
      title.empty() ? "" : fmt::format("<title>{}</title>\n", in_xml(title)), body_);
}

}  // namespace renyi::cli::plot
