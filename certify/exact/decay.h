// Bounds how fast moments decrease along a vertical line, and thereby the sum over the points beyond an endpoint.
// Lemmas: docs/math/certified-contour.md.
#pragma once

#include <memory>
#include <vector>

#include "certify/ball/ball.h"
#include "certify/exact/operating_point.h"

namespace renyi::certify {

// The decay of |phi|, phi(y) = E[exp(zL)]/E[exp(cL)] at z = c + iy: the characteristic function of one step's loss,
// tilted by c.
class Decay {
 public:
  virtual ~Decay() = default;
  // Upper bounds on ln|phi| on [y, ratio y] and on [y, infinity). Both are at most 0, for exact y > 0 and ratio > 1.
  virtual Ball within(const Ball& y, const Ball& ratio) const = 0;
  virtual Ball beyond(const Ball& y) const = 0;
};

std::unique_ptr<Decay> decay_of(const Mechanism& mechanism, Direction direction, const Ball& c);

// Returns the upper endpoint of a bound of ln|phi|, or 0 if the bound is useless.
Ball useful(const Ball& bound);

// A bound on the omitted points, or the y from which on none can be proven.
struct LeftOut {
  Ball bound;
  double stuck = 0;  // the y where the proof fails; 0 if it succeeds
};

class Truncation {
 public:
  Truncation(const Steps& steps, Direction direction, const Ball& c);

  // Returns an upper bound on (h/pi) times the sum over y_j = j h > y of |phi(y_j)| / |z_j (z_j + 1)|, z = c + iy, if
  // that is at most `limit`.
  LeftOut beyond(const Ball& y, const Ball& spacing, const Ball& limit) const;

 private:
  struct Part {
    std::unique_ptr<Decay> decay;
    Ball count;
  };
  Ball zone(const Ball& y, const Ball& ratio, const Ball& spacing) const;
  Ball rest(const Ball& y, const Ball& spacing) const;

  Ball c_;
  std::vector<Part> parts_;
};

}  // namespace renyi::certify
