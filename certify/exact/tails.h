// One step's loss as the lattice uses it: the masses above any loss, in closed form.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "certify/ball/ball.h"
#include "renyi/plan.h"

namespace renyi::certify {

// The distance of neighbouring points of a grid, as a quotient of exact numbers.
struct Spacing {
  Ball numerator = 1;
  Ball denominator = 1;

  // It is computed at the working precision.
  Ball h() const { return numerator / denominator; }
};

// The masses of {L > l} under P and under Q.
struct Tail {
  Ball p;
  Ball q;
};

// The same masses in doubles, to choose grids by; `below` is the P-mass of {L <= l}.
struct RoughTail {
  double p = 0;
  double q = 0;
  double below = 0;
};

// A loss with a density, except for atoms at its endpoints; the atom at the largest loss counts as above it.
class StepTails {
 public:
  virtual ~StepTails() = default;
  virtual Tail above(const Ball& loss) const = 0;
  // If the smallest loss has an atom: the masses above the smallest loss, without that atom.
  virtual Tail above_bottom() const { return {1, 1}; }
  virtual RoughTail rough(double loss) const = 0;
  // The smallest and the largest loss, which may be infinite.
  virtual Ball bottom() const = 0;
  virtual Ball top() const = 0;
  virtual bool has_atoms() const { return false; }
  // Returns the distance of the endpoints in spacings if it is provably a whole number; otherwise 0.
  virtual std::int64_t cells(const Spacing&) const { return 0; }
};

std::unique_ptr<StepTails> laplace_tails(const Laplace& step);
std::unique_ptr<StepTails> sampled_gaussian_tails(const SampledGaussian& step, Direction direction);
// Combines all Gaussian steps into one, of loss N(mu^2/2, mu^2) under P.
std::unique_ptr<StepTails> gaussian_tails(const std::vector<CountedMechanism>& gaussians);

}  // namespace renyi::certify
