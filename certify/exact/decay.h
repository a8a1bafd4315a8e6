// How fast moments fall along a line, and so what its points beyond an end amount to, proven. Lemmas:
// docs/math/certified-contour.md.
#pragma once

#include <memory>
#include <vector>

#include "certify/ball.h"
#include "certify/exact/operating_point.h"

namespace renyi::certify {

// Of |phi|, phi(y) = E[exp(zL)]/E[exp(cL)] at z = c + iy: the characteristic function of one step's loss, tilted by c.
class Decay {
 public:
  virtual ~Decay() = default;
  // Upper bounds of ln|phi| on [y, ratio y] and on [y, infinity); both at most 0, for exact y > 0 and ratio > 1.
  virtual Ball within(const Ball& y, const Ball& ratio) const = 0;
  virtual Ball beyond(const Ball& y) const = 0;
};

std::unique_ptr<Decay> decay_of(const Mechanism& mechanism, Direction direction, const Ball& c);

// The upper end of a bound of ln|phi|, and 0 where it says nothing.
Ball useful(const Ball& bound);

// A bound of what is left out, or where none can be proven.
struct LeftOut {
  Ball bound;
  double stuck = 0;  // the y where the proof ends; 0 if it does not
};

class Truncation {
 public:
  Truncation(const Steps& steps, Direction direction, const Ball& c);

  // At least (h/pi) times the sum over y_j = j h > y of |phi(y_j)| / |z_j (z_j + 1)|, z = c + iy, if that is at
  // most `limit`.
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
