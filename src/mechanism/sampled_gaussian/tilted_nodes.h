// The nodes of one lattice as atoms of the loss tilted by exp(c L), in rising order of the loss.
#pragma once

#include <vector>

#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/phase_sums.h"
#include "mechanism/sampled_gaussian/tilted_chunk.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

struct TiltedNodes : TiltedMoments {
  std::vector<double> loss;
  std::vector<double> weight;   // they add up to 1
  std::vector<double> density;  // of the loss

  Atoms atoms() const { return {loss.data(), weight.data(), loss.size()}; }
  double largest() const;  // |L|
};

// `log_mass` is K(c). Empty where the nodes would be too many.
TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass);

// At least ln |phi(v)| for v in [y, 2y]: with L, L' independent tilted losses and buckets J of width pi/(2y),
//     |phi(v)|^2 = E cos(v(L-L')) <= 1 - sum_J E[1 - cos(v(L-L')); L, L' in J].
double near_decay(const TiltedNodes& nodes, double y);

// Where the loss is cut in two: one part has this mass, and the density of the other this variation, jump included.
struct Cut {
  double mass = 0;
  double variation = 0;
};
// Every cut after a node, with either part first, that is not worse than another one.
std::vector<Cut> cuts(const TiltedNodes& nodes);

// At least ln |phi(v)| for every v >= y: integrating one part by parts, |phi(v)| <= mass + variation/v.
double far_decay(const std::vector<Cut>& cuts, double y);

}  // namespace renyi::sampled_gaussian
