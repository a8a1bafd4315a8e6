// The density g of x = ln R under Q, where R = (X_1 + ... + X_t)/t is the likelihood ratio of random allocation, with
// relative accuracy in both tails (docs/math/random-allocation.md, "The density").
#pragma once

#include <complex>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "mechanism/random_allocation/transform.h"

namespace renyi::random_allocation {

// Inverts the transform M(u/t)^t on paths through points of the real axis. Paths are computed when they are first
// needed and serve many x. Not safe to use from several threads.
class Density {
 public:
  Density(double steps, double s);

  // Returns ln g(x); minus infinity where it is below the range of doubles by far.
  double log_at(double x);

 private:
  struct Node {
    std::complex<double> point;  // t v
    std::complex<double> level;  // t (ln M + v), with the logarithm of the weight
  };
  // A node of the integral of the jump across the cut.
  struct CutNode {
    double point = 0;  // t lambda, v = -lambda
    double level = 0;  // t Re(ln M + v), with the logarithms of sin(t arg M) and of the weight
  };
  // A path from the real w upwards.
  struct Path {
    double w = 0;
    double point = 0;      // t v at w
    double level = 0;      // t Re(ln M + v) at w
    double mean = 0;       // the x for which w is the saddle point is near ln(mean)
    double deviation = 0;  // standard deviation of R under the tilted law
    double curvature = 0;  // root of the second derivative of the exponent in w
    double step = 0;
    bool ready = false;
    bool has_cut = false;
    double cut_end = 0;  // the cut is tabulated down to this ln w
    std::vector<Node> nodes{};
    std::vector<CutNode> cut{};

    double level_at(double excess) const { return point * excess + level; }
  };

  Path start(double w) const;
  // Computes the path's nodes, for R down to 1 + least.
  void prepare(Path& path, double least) const;
  void add_panel(Path& path) const;
  double log_cut(Path& path, double excess) const;
  // Returns the path whose integrand is least for R = 1 + excess.
  Path& best(double excess);

  double steps_;
  Transform transform_;
  double widest_;                 // no path starts left of -widest
  std::deque<Path> paths_{};      // w falls with the index
  std::optional<Path> beyond_{};  // for x right of the last path's saddle point
  std::size_t last_ = 0;          // where the next search starts
};

}  // namespace renyi::random_allocation
