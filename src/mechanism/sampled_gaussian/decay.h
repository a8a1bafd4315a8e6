// How fast the tilted loss's characteristic function falls off
// (docs/math/privacy-loss.md, "Decay").
#pragma once

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

// phi(v) = exp(K(c+iv) - K(c)), the characteristic function of the tilted loss, for v in [y, 2y].
struct DecaySums {
  double spread = 0;     // sum over buckets J of width pi/(2y) of E[(L-L')^2; L, L' in J]
  double variation = 0;  // TV(p_c/l')
  bool resolved = true;  // most of the mass lies in buckets of several nodes
};
DecaySums decay_sums(const Lattice& lattice, double c, double y, Direction direction);

// At least ln |phi(v)| for v in [y, 2y]: from 1 - cos u >= 2 u^2/pi^2 on |u| <= pi,
//     |phi(v)|^2 <= 1 - (2 y^2/pi^2) sum_J E[(L-L')^2; L, L' in J].
double near_decay(const DecaySums& sums, double y);
// At least ln |phi(v)| for v >= y: integrating by parts, |phi(v)| <= TV(p_c/l')/v.
double far_decay(const DecaySums& sums, double y);

}  // namespace renyi::sampled_gaussian
