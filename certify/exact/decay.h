// How fast |phi| falls, phi(y) = E[exp(zL)]/E[exp(cL)] at z = c + iy: the characteristic function of one step's loss,
// tilted by c. Lemmas: docs/math/certified-contour.md.
#pragma once

#include <memory>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

class Decay {
 public:
  virtual ~Decay() = default;
  // Upper bounds of ln|phi| on [y, ratio y] and on [y, infinity); both at most 0, for exact y > 0 and ratio > 1.
  virtual Ball within(const Ball& y, const Ball& ratio) const = 0;
  virtual Ball beyond(const Ball& y) const = 0;
};

std::unique_ptr<Decay> decay_of(const Mechanism& mechanism, Direction direction, const Ball& c);
// One file each.
std::unique_ptr<Decay> gaussian_decay(const Ball& rate);
std::unique_ptr<Decay> bounded_decay(const Mechanism& mechanism, Direction direction, const Ball& c);
std::unique_ptr<Decay> sampled_gaussian_decay(const SampledGaussian& mechanism, Direction direction, const Ball& c);

// The upper end of a bound of ln|phi|, and 0 where it says nothing.
Ball useful(const Ball& bound);

}  // namespace renyi::certify
