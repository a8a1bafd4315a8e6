// What the points of a line beyond its end amount to, proven.
#pragma once

#include <memory>
#include <vector>

#include "certify/exact/decay.h"
#include "certify/exact/law.h"

namespace renyi::certify {

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
