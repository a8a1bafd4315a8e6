// What is known of the step that runs on the sample: enough to put pairs of it at a distance.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "mechanism/lattice/lattice_pair.h"
#include "renyi/mechanism.h"
#include "sampling/analyse/inclusion.h"

namespace renyi::sampling {

// Additive noise of a size relative to one unit of distance: the pair is the noise and the noise moved.
struct Noise {
  enum class Kind { gaussian, laplace } kind = Kind::gaussian;
  double scale = 1;  // standard deviation or Laplace scale
  Knowledge knowledge = Knowledge::loss;
};

// A pair of laws on finitely many outcomes.
struct OutcomePair {
  struct Outcome {
    double q = 0;  // Q's mass
    double log_q = 0;
    double loss = 0;  // ln(P/Q)
    double loss_error = 0;
    double p = 0;  // P's mass, which formed from Q's would carry the error of the loss
  };
  std::vector<Outcome> outcomes{};
  double p_only = 0;      // P's mass where Q has none
  double q_only = 0;      // and the other way round
  bool symmetric = true;  // the loss of (Q, P) has the same law
  Knowledge knowledge = Knowledge::loss;
};

// A noise on the integers and the noise moved, of unlimited support.
struct LatticeNoise {
  std::shared_ptr<const Curve> curve;  // which is a LatticePair too

  const mechanism::LatticePair& pair() const { return dynamic_cast<const mechanism::LatticePair&>(*curve); }
};

// Bounds on its divergences, stated for the plan's relation.
struct CurveOnly {
  std::shared_ptr<const Curve> curve;
};

class Family {
 public:
  // Throws Unsupported for what cannot be sampled.
  Family(const Mechanism& mechanism, const Adjacency& relation);

  // The pair at this distance; throws Unsupported where the step's guarantee does not reach.
  std::variant<Noise, OutcomePair, LatticeNoise, CurveOnly> at(const Inclusion& inclusion) const;

 private:
  double units(const Inclusion& inclusion) const;

  const Mechanism& mechanism_;
  Adjacency relation_;
};

}  // namespace renyi::sampling
