// Where on the page a value lies, and a curve as polygons that follow its rule.
#pragma once

#include <utility>
#include <vector>

#include "api/figure/figure.h"

namespace renyi::cli::plot {

using api::figure::Axis;
using api::figure::Curve;
using api::figure::Figure;
using api::figure::Heat;
using api::figure::Mark;
using api::figure::Role;
using api::figure::Series;
using api::figure::Shape;

// Maps the values of an axis to positions from `begin` to `end`.
class Scale {
 public:
  Scale(const Axis& axis, double begin, double end);
  double at(double value) const;

 private:
  double along(double value) const;

  bool log_;
  double from_ = 0;
  double to_ = 1;
  double begin_;
  double end_;
};

// The axis to which the values of the series belong.
const Axis& y_axis(const Series& series, const Figure& figure);

// Whether the series is a band whose width can be seen.
bool is_band(const Series& series, const Figure& figure);

// The parts of a curve between points that cannot be drawn, as (x, value): so many values of its rule that straight
// lines between them are nowhere further from it than a fraction of a pixel. A curve that falls to 0 leaves a
// logarithmic axis through its lower end.
using Piece = std::vector<std::pair<double, double>>;
std::vector<Piece> pieces_of(const Curve& curve, const Axis& x, const Axis& y);

}  // namespace renyi::cli::plot
