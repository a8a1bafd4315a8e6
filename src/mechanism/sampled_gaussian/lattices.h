// Lattices of halving steps, each made on first use, once, and shared by threads.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

class Lattices {
 public:
  explicit Lattices(const Params& params);

  const Params& params() const { return params_; }
  double base_step() const { return base_step_; }
  // Level 0 serves real orders in direction remove; each further level has half the step.
  const Lattice& operator[](int level) const;
  // log2 of how much finer than level 0 this imaginary part asks for.
  double levels_needed(double imaginary, Direction direction) const;

  static constexpr int levels = 24;

 private:
  Params params_;
  double base_step_;
  mutable std::array<std::once_flag, levels> made_;
  mutable std::array<std::unique_ptr<const Lattice>, levels> lattices_;
};

}  // namespace renyi::sampled_gaussian
