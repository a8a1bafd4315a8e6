// The nodes of a lattice as atoms of the tilted loss (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// The nodes of one lattice as atoms of the loss tilted by exp(c L), in rising order of the loss.
struct TiltedNodes : TiltedMoments {
  std::vector<double> loss;
  std::vector<double> weight;   // they add up to 1
  std::vector<double> density;  // density of the loss

  Atoms atoms() const { return {loss.data(), weight.data(), loss.size()}; }
  double largest() const;  // largest |L|
};

// `log_mass` is K(c). The result is empty if there would be too many nodes.
TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass);

}  // namespace renyi::sampled_gaussian
