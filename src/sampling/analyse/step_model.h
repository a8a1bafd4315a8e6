// What is known of the step that runs on the sample: enough to put pairs of it at a distance.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "mechanism/lattice_pair.h"
#include "mechanism/monotone/monotone_pair.h"
#include "numerics/mass.h"
#include "renyi/mechanism.h"
#include "sampling/analyse/inclusion.h"

namespace renyi::sampling {

// Additive noise of a size relative to one unit of distance: the pair is the noise and the noise moved.
struct Noise {
  enum class Kind { gaussian, laplace, any } kind = Kind::gaussian;
  double scale = 1;  // standard deviation or Laplace scale
  Knowledge knowledge = Knowledge::loss;
  std::shared_ptr<const monotone::MonotonePair> pair{};  // of any other noise
};

// A pair of laws on finitely many outcomes.
struct OutcomePair {
  struct Outcome {
    numerics::Mass q{};
    numerics::Mass p{};  // formed from Q's it would carry the error of the loss
    double loss = 0;     // ln(P/Q)
    double loss_error = 0;
  };
  std::vector<Outcome> outcomes{};
  double p_only = 0;      // P's mass where Q has none
  double q_only = 0;      // and the other way round
  bool symmetric = true;  // the loss of (Q, P) has the same law
  Knowledge knowledge = Knowledge::loss;
};

// A noise on the integers and the noise moved, of unlimited support.
struct LatticeNoise {
  std::shared_ptr<const Curve> curve{};
  const mechanism::LatticePair* noise = nullptr;  // of the curve's law

  const mechanism::LatticePair& pair() const { return *noise; }
};

// Bounds on its divergences, stated for the plan's relation.
struct CurveOnly {
  std::shared_ptr<const Curve> curve;
};

class StepModel {
 public:
  // Throws Unsupported for what cannot be sampled. `rounding`: of the distance that noise or a guarantee is moved by.
  StepModel(const Mechanism& mechanism, const Adjacency& relation, numerics::Rounding rounding);

  // The pair at this distance; throws Unsupported where the step's guarantee does not reach.
  std::variant<Noise, OutcomePair, LatticeNoise, CurveOnly> at(const Inclusion& inclusion) const;

 private:
  double units(const Inclusion& inclusion) const;
  bool rounds_up() const { return rounding_ == numerics::Rounding::up; }
  // How much noise there is for one unit of that distance.
  double noise(double scale, double sensitivity, const Inclusion& inclusion) const;

  const Mechanism& mechanism_;
  std::shared_ptr<const Curve> curve_;
  Adjacency relation_;
  numerics::Rounding rounding_;
};

}  // namespace renyi::sampling
