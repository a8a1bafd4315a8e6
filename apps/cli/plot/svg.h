// Writes the elements of an SVG document, and records where its texts are.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/plot/canvas.h"

namespace renyi::cli::plot {

// A rectangle of the page, whose y axis points down.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool touches(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

enum class Anchor { start, middle, end };

struct Text {
  std::string text{};
  double x = 0;
  double y = 0;  // the baseline
  double size = 10;
  Anchor anchor = Anchor::start;
  const char* colour = "#222222";
  bool turned = false;  // reads upwards
};

// Returns the rectangle that the text may cover.
Box box_of(const Text& text);

struct Stroke {
  std::string_view colour = "#222222";
  double width = 1;
  std::string dashes{};  // lengths with blanks between them
};

using Places = std::vector<std::pair<double, double>>;

class Svg {
 public:
  explicit Svg(const Canvas& canvas);

  void line(const Places& places, const Stroke& stroke);
  void polygon(const Places& places, std::string_view colour, double opacity);
  void rectangle(const Box& box, std::string_view colour, double opacity = 1);
  void circle(double x, double y, double radius, std::string_view fill, const Stroke& stroke);
  void text(const Text& text);

  // What is written until the end of the group is cut at the box.
  void begin_clipped(const Box& box);
  void end_clipped();

  const std::vector<Text>& texts() const { return texts_; }
  // Returns the whole document; the title is for readers who do not see the picture.
  std::string document(const std::string& title) const;

 private:
  Canvas canvas_;
  std::string body_;
  std::vector<Text> texts_;
};

}  // namespace renyi::cli::plot
