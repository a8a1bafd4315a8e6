// The curve of several one-dimensional pairs of which one is drawn and revealed: E[exp(zL)] = sum_c w_c E_c[exp(zL)]
// (docs/math/sampled-pairs.md).
#pragma once

#include <memory>
#include <vector>

#include "mechanism/law.h"
#include "mechanism/monotone/moments.h"
#include "mechanism/monotone/monotone_pair.h"
#include "renyi/extras/curve.h"

namespace renyi::monotone {

// With `other`, both pairs are symmetric ones of the same total variation, and each gives one half of the component: in
// direction remove the losses above 0 are those of `pair` and the losses below 0 those of `other`, in direction add the
// other way round. `pair` read as symmetric by itself then costs at least as much.
struct WeightedPair {
  double weight = 0;
  std::shared_ptr<const MonotonePair> pair{};
  std::shared_ptr<const MonotonePair> other{};
};

// A pair, or the half of it that counts.
struct PairPart {
  double weight = 0;
  std::shared_ptr<const MonotonePair> pair{};
  Side side = Side::all;
};
std::vector<PairPart> parts_of(const std::vector<WeightedPair>& components, Direction direction);

class PairsCurve final : public Curve {
 public:
  // The weights are in (0, 1] and add up to at most 1; the remaining mass has loss 0. `knowledge` states whether this
  // is the distribution of the loss, or of a dominating pair. Throws InvalidArgument otherwise.
  PairsCurve(std::vector<WeightedPair> components, Knowledge knowledge);

  const std::vector<WeightedPair>& components() const { return components_; }

  Knowledge knowledge() const override { return knowledge_; }
  mechanism::Law law() const override { return mechanism::RevealedPairs{this}; }
  bool is_symmetric() const override;
  std::optional<Direction> larger_direction() const override;
  Growth growth() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  double largest_z(Direction direction) const;
  LogMoment summed(double z, Direction direction) const;
  // Bounds K where the exponents are beyond the range of summation.
  LogMoment far_out(double z, Direction direction) const;
  // Bounds K by the bounds of the components, and from below also by what is otherwise known of K and of its slope.
  struct Minimum {
    double value = 0;
    double slope = 0;
  };
  LogMoment bounded(double z, Direction direction, const Minimum& known) const;

  std::vector<WeightedPair> components_;
  Knowledge knowledge_;
};

}  // namespace renyi::monotone
