// Models the step that runs on the sample, so that pairs at a given distance can be formed.
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

// Additive noise, with a scale relative to one unit of distance. The pair is the noise and the shifted noise.
struct Noise {
  enum class Kind { gaussian, laplace, any } kind = Kind::gaussian;
  double scale = 1;  // standard deviation or Laplace scale
  Knowledge knowledge = Knowledge::loss;
  std::shared_ptr<const monotone::MonotonePair> pair{};  // any other noise
};

// A pair of distributions on finitely many outcomes.
struct OutcomePair {
  struct Outcome {
    numerics::Mass q{};
    numerics::Mass p{};  // if it were formed from q, it would carry the error of the loss
    double loss = 0;     // ln(P/Q)
    double loss_error = 0;
  };
  std::vector<Outcome> outcomes{};
  double p_only = 0;      // P's mass on outcomes that Q cannot produce
  double q_only = 0;      // Q's mass on outcomes that P cannot produce
  bool symmetric = true;  // the loss of (Q, P) has the same distribution
  Knowledge knowledge = Knowledge::loss;
};

// A noise on the integers and its shifted copy, with unlimited support.
struct LatticeNoise {
  std::shared_ptr<const Curve> curve{};
  const mechanism::LatticePair* noise = nullptr;  // points into the curve's distribution

  const mechanism::LatticePair& pair() const { return *noise; }
};

// Only bounds on the step's divergences are known, stated for the plan's neighbouring relation.
struct CurveOnly {
  std::shared_ptr<const Curve> curve;
};

class StepModel {
 public:
  // Throws Unsupported for what cannot be sampled. `rounding` is that of the distance by which noise or a guarantee is
  // moved.
  StepModel(const Mechanism& mechanism, const Adjacency& relation, numerics::Rounding rounding);

  // Returns the pair at this distance; throws Unsupported if the step's guarantee does not cover it.
  std::variant<Noise, OutcomePair, LatticeNoise, CurveOnly> at(const Inclusion& inclusion) const;

 private:
  double units(const Inclusion& inclusion) const;
  bool rounds_up() const { return rounding_ == numerics::Rounding::up; }
  // Returns the noise relative to one unit of that distance.
  double noise(double scale, double sensitivity, const Inclusion& inclusion) const;

  const Mechanism& mechanism_;
  std::shared_ptr<const Curve> curve_;
  Adjacency relation_;
  numerics::Rounding rounding_;
};

}  // namespace renyi::sampling
