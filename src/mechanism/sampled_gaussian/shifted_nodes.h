// The Sampled Gaussian's tilted loss on a line x + i eta above the real axis, where the factors exp(ivl) of the
// characteristic function are damped instead of turned faster and faster (docs/math/privacy-loss.md, "Shifted nodes").
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

class ShiftedNodes {
 public:
  // The line is that for which eta/s^2 is `angle`, below pi/2. `log_mass` is K(c).
  ShiftedNodes(const Params& params, double c, Direction direction, double log_mass, double angle);

  bool empty() const { return turn_.empty(); }
  // Returns how many nodes are not damped to nothing at y.
  std::size_t alive(double y) const;
  double mass() const { return mass_; }  // the sum of the weights' moduli, at least 1

  // Returns an upper bound on ln |phi(v)| for every v >= y.
  double decay_beyond(double y) const;

  struct Value {
    std::complex<double> phi;
    double error = 0;
  };
  // Computes phi at y = first + j step, j = 0, ..., for at most most_rotations points.
  void phis(double first, double step, std::span<Value> values) const;

 private:
  double offset_ = 0;  // ln(1-q), of which the losses below are distances
  Direction direction_ = Direction::remove;
  double mass_ = 0;   // the sum of the weights' moduli
  double noise_ = 0;  // the sum of the weights' moduli times their relative rounding, in units of 2^-53
  double step_error_ = 0;
  std::vector<double> turn_{};       // Re l - ln(1-q), rising
  std::vector<double> damp_{};       // Im l, rising
  std::vector<double> size_{};       // the weight's modulus
  std::vector<double> re_{}, im_{};  // the weight
};

}  // namespace renyi::sampled_gaussian
