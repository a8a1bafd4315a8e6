// Equally spaced nodes of a pair of distributions as atoms of its tilted loss (docs/math/sampled-pairs.md, "Lines").
#pragma once

#include <vector>

#include "mechanism/monotone/cover.h"
#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/sampled_gaussian/line.h"

namespace renyi::monotone {

// The tilt by exp(c L - log_mass), log_mass = K(c).
struct LossTilt {
  double c = 0;
  Direction direction = Direction::remove;
  double log_mass = 0;
  double log_mass_error = 0;
};

// One pair, and the panels outside of which its tilted loss is negligible.
struct CoveredPair {
  PairPart part{};
  Cover where{};
};

// A node in one direction; an atom has no density.
struct LossNode {
  double loss = 0;
  double weight = 0;
  double density = 0;
};

// The nodes of all pairs together. Nodes with an even and with an odd index lie at even and odd multiples of the step,
// some of them with weight 0 to make it so: the rule with twice the step consists of either half.
struct LossNodes : sampled_gaussian::TiltedMoments {
  std::vector<double> loss{};
  std::vector<double> weight{};
  std::vector<double> speed{};  // the derivative of the loss with respect to the variable that has equal steps
  double largest = 0;           // largest |L|
  double nodes = 0;             // those with a weight

  sampled_gaussian::Atoms atoms() const { return {loss.data(), weight.data(), loss.size()}; }
};

// Returns no nodes where there would be too many.
LossNodes loss_nodes(const std::vector<CoveredPair>& pairs, const LossTilt& tilt, double step);

// Returns the nodes of one pair in rising order of the loss, with the density of the loss and without padding or atoms.
sampled_gaussian::TiltedNodes sorted_nodes(const CoveredPair& pair, const LossTilt& tilt, double step);

// Returns the atoms of one pair, except for the one at loss 0.
std::vector<LossNode> atoms_of(const CoveredPair& pair, const LossTilt& tilt);

}  // namespace renyi::monotone
