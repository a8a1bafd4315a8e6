// Branch and bound: the axis is divided into pieces, each with an upper bound; the piece with the largest bound is
// split until that bound is no more than a value that some point attains.
#include "relate/supremum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "renyi/limits.h"

namespace renyi::relate {

namespace supremum_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The rounding error of the chord's values, which are flat at the computed peak.
constexpr double chord_rounding = 1e-11;
constexpr double value_rounding = 1e-14;
// The ratio of neighbouring points at the start, and the ratio by which the outer pieces are split.
constexpr double grid_ratio = 4, outer_ratio = 32;
constexpr double grid_end = 1e4;
constexpr double nearest = 1e-60, farthest = 1e100;

struct Point {
  double x = 0;
  Interval k{0, 0};
};

// The piece [from.x, to.x]; from.x may be 0 and to.x infinite: k is then not used there.
struct Piece {
  Point from, to;
  double bound = infinity;
  bool operator<(const Piece& other) const { return bound < other.bound; }
};

// k is below its chord (convexity), so F(x, k) is below F(x, chord).
double chord_bound(const Objective& objective, const Piece& piece) {
  const double x1 = piece.from.x, x2 = piece.to.x, k1 = piece.from.k.upper, k2 = piece.to.k.upper;
  if (!std::isfinite(k1) || !std::isfinite(k2)) return infinity;
  const double slope = (k2 - k1) / (x2 - x1);
  const double x = std::clamp(objective.peak(k1 - slope * x1, slope), x1, x2);
  const double k = k1 + (k2 - k1) * ((x - x1) / (x2 - x1));
  return objective.value(x, k + chord_rounding * std::abs(k));
}

double bound_of(const Objective& objective, const Piece& piece) {
  if (piece.from.x == 0) return objective.before(piece.to.x, piece.to.k.upper);
  const double known = objective.beyond(piece.from.x);
  return std::isinf(piece.to.x) ? known : std::min(known, chord_bound(objective, piece));
}

class BranchAndBound {
 public:
  BranchAndBound(const Objective& objective, const Search& search)
      : objective_(objective), search_(search), lower_(search.at_least) {}

  Interval run() {
    start();
    while (evaluations_ < search_.most_evaluations && !pieces_.empty() && pieces_.top().bound > goal()) {
      const Piece piece = pieces_.top();
      try {
        split(piece);
      } catch (const LimitReached&) {  // the bounds of the pieces hold however early the search ends
        break;
      }
    }
    if (!pieces_.empty()) settled_ = std::max(settled_, pieces_.top().bound);
    return {lower_, std::max(settled_, lower_)};
  }

 private:
  double goal() const { return lower_ + std::max(search_.absolute, search_.relative * std::abs(lower_)); }

  Point visit(double x) {
    stop_if_asked();
    ++evaluations_;
    const Point point{x, objective_.convex(x)};
    const double here = objective_.value(x, point.k.lower - value_rounding * std::abs(point.k.lower));
    if (here > lower_ && std::isfinite(here)) lower_ = here;  // false for NaN
    return point;
  }

  void add(const Point& from, const Point& to) {
    Piece piece{from, to};
    const double bound = bound_of(objective_, piece);
    piece.bound = std::isnan(bound) ? infinity : bound;
    pieces_.push(piece);
  }

  void start() {
    const bool ends = std::isfinite(search_.last);
    const double last = ends ? search_.last : grid_end;
    Point from = visit(std::min(search_.first, ends ? 0.5 * last : search_.first));
    add({}, from);
    while (from.x < last) {
      const double next = from.x * grid_ratio;
      const Point to = visit(next < last ? next : last);
      add(from, to);
      from = to;
    }
    if (!ends) add(from, {infinity, {}});
  }

  // Takes the first piece from the queue when its parts are known.
  void split(const Piece& piece) {
    const double x = middle(piece);
    if (x > piece.from.x && x < piece.to.x) {  // false for NaN
      const Point point = visit(x);
      pieces_.pop();
      add(piece.from, point);
      add(point, piece.to);
    } else {
      pieces_.pop();
      settled_ = std::max(settled_, piece.bound);
    }
  }

  // Returns the point at which the piece is split, or NaN if it is not to be split.
  double middle(const Piece& piece) const {
    const double a = piece.from.x, b = piece.to.x;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (a == 0) return search_.split_first && b > nearest ? b / outer_ratio : none;
    if (std::isinf(b)) return a < farthest / outer_ratio ? a * outer_ratio : none;
    return std::sqrt(a) * std::sqrt(b);
  }

  const Objective& objective_;
  const Search& search_;
  double lower_;
  double settled_ = -infinity;  // the largest bound of pieces that are not split further
  int evaluations_ = 0;
  std::priority_queue<Piece> pieces_;
};

}  // namespace
}  // namespace supremum_file

Interval supremum(const Objective& objective, const Search& search) {
  return supremum_file::BranchAndBound(objective, search).run();
}

}  // namespace renyi::relate
