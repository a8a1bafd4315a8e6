// Distributions on finitely many outcomes, each with P's mass and the loss ln(p/q) there, and their divergences
// (docs/math/divergences.md, "Discrete laws").
#pragma once

#include <algorithm>
#include <vector>

#include "divergence/pair.h"
#include "numerics/mass.h"

namespace renyi::divergence_detail {

struct Atom {
  numerics::Mass p{};     // relative error at most 4 units
  double loss = 0;        // infinite where Q has no mass
  double loss_error = 0;  // absolute
};

struct Atoms {
  std::vector<Atom> shared;  // outcomes where both have mass
  double p_only = 0;         // P's mass where Q has none
  double q_only = 0;         // Q's mass where P has none
  bool never_meet() const { return shared.empty(); }
  // True if both distributions are the same: every loss is 0, exactly.
  bool are_one_law() const {
    return p_only == 0 && q_only == 0 && std::all_of(shared.begin(), shared.end(), [](const Atom& atom) {
             return atom.loss == 0 && atom.loss_error == 0;
           });
  }
};

// ln(p/q) and its error. `gap` is p - q, which may be known better than p and q.
struct Loss {
  double value = 0;
  double error = 0;
};
Loss loss_of(double p, double q, double gap);

class DiscreteModel final : public PairModel {
 public:
  // The outcomes of (P, Q), and those of (Q, P).
  DiscreteModel(Atoms atoms, Atoms swapped_atoms);

  Bounded renyi(double z) const override;
  Bounded hockey_stick(double epsilon) const override;
  std::shared_ptr<const PairModel> swapped() const override;

  const Atoms& atoms() const { return *atoms_; }

 private:
  DiscreteModel(std::shared_ptr<const Atoms> atoms, std::shared_ptr<const Atoms> other);
  Bounded largest_loss() const;

  std::shared_ptr<const Atoms> atoms_;
  std::shared_ptr<const Atoms> swapped_atoms_;
};

}  // namespace renyi::divergence_detail
