// Divergences of laws on finitely many outcomes (docs/math/divergences.md, "Discrete laws").
#pragma once

#include "divergence/atoms.h"
#include "divergence/pair_model.h"

namespace renyi::divergence_detail {

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
