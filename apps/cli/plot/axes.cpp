#include "apps/cli/plot/axes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "api/figure/sampling.h"

namespace renyi::cli::plot {

const Axis& y_axis(const Series& series, const Figure& figure) {
  return series.on_masses && figure.masses ? *figure.masses : figure.y;
}

bool is_band(const Series& series, const Figure& figure) {
  if (!series.lower) return false;
  for (std::size_t i = 0; i < series.lower->size(); ++i) {
    const double upper = value_at(series.curve, series.lower->x[i]);
    if (api::figure::is_wide({series.lower->y[i], upper}, y_axis(series, figure))) return true;
  }
  return false;
}

Scale::Scale(const Axis& axis, double begin, double end) : log_(axis.log), begin_(begin), end_(end) {
  from_ = along(axis.from.value());
  to_ = along(axis.to.value());
}

double Scale::along(double value) const { return log_ ? std::log(value) : value; }

double Scale::at(double value) const { return begin_ + (end_ - begin_) * (along(value) - from_) / (to_ - from_); }

namespace axes_file {
namespace {

using api::figure::Point;

class Polygons {
 public:
  Polygons(const Curve& curve, const Axis& x, const Axis& y)
      : curve_(curve), x_axis_(x), y_axis_(y), x_(x, 0, 1), y_(y, 0, 1), below_(*y.from / (y.log ? 100 : 1)) {}

  std::vector<Piece> pieces() {
    for (std::size_t i = 0; i < curve_.size(); ++i) {
      const Point point = curve_.point(i);
      if (!is_drawable(point.x, x_axis_) || !std::isfinite(point.y)) {
        connected_ = false;
        continue;
      }
      // A curve of zeros is not drawn on a logarithmic axis, the end of one that falls to 0 is.
      const bool shown = is_drawable(point.y, y_axis_) || (connected_ && is_drawable(curve_.y[i - 1], y_axis_)) ||
                         (i + 1 < curve_.size() && is_drawable(curve_.y[i + 1], y_axis_));
      if (!shown) {
        connected_ = false;
        continue;
      }
      if (!connected_) pieces_.emplace_back();
      if (connected_) between(curve_.point(i - 1), point);
      add(point.x, point.y);
      connected_ = true;
    }
    return std::move(pieces_);
  }

 private:
  void add(double x, double y) { pieces_.back().emplace_back(x, is_drawable(y, y_axis_) ? y : below_); }

  void between(const Point& a, const Point& b) {
    using api::figure::Rule;
    if (curve_.rule == Rule::next) return add(a.x, b.y);
    if (curve_.rule == Rule::previous) return add(b.x, a.y);
    if (!(b.x > a.x)) return;
    // The first halvings are always made: a curve may cross its chord in the middle.
    constexpr int halvings = 3;
    divide(a, b, a, b, halvings);
  }

  double height(double y) const { return is_drawable(y, y_axis_) ? y_.at(y) : y_.at(below_); }

  // Adds the values between p and q, which lie on the rule between a and b.
  void divide(const Point& a, const Point& b, const Point& p, const Point& q, int at_least, int depth = 0) {
    constexpr int deepest = 18;
    constexpr double visible = 1e-4;  // relative to the height of the plot
    const double x = x_axis_.log ? std::sqrt(p.x) * std::sqrt(q.x) : p.x + (q.x - p.x) / 2;
    if (!(x > p.x && x < q.x) || depth == deepest) return;
    const Point middle{x, value_between(curve_.rule, a, b, x)};
    const double off = std::abs(height(middle.y) - (height(p.y) + height(q.y)) / 2);
    if (depth >= at_least && !(off > visible)) return;
    divide(a, b, p, middle, at_least, depth + 1);
    add(middle.x, middle.y);
    divide(a, b, middle, q, at_least, depth + 1);
  }

  const Curve& curve_;
  const Axis& x_axis_;
  const Axis& y_axis_;
  Scale x_;
  Scale y_;
  double below_;
  std::vector<Piece> pieces_{};
  bool connected_ = false;
};

}  // namespace
}  // namespace axes_file

std::vector<Piece> pieces_of(const Curve& curve, const Axis& x, const Axis& y) {
  return axes_file::Polygons(curve, x, y).pieces();
}

}  // namespace renyi::cli::plot
