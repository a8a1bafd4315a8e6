// Lattices of halving steps, each made on first use, once, and shared by threads.
#pragma once

#include <array>
#include <atomic>

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

class Lattices {
 public:
  explicit Lattices(const Params& params);
  ~Lattices();
  Lattices(const Lattices&) = delete;
  Lattices& operator=(const Lattices&) = delete;

  const Params& params() const { return base_.params(); }
  double base_step() const { return base_.step(); }
  // Level 0 serves real orders in direction remove; each further level has half the step.
  const Lattice& operator[](int level) const;
  // The level that real orders need, which levels_needed(0, direction) would say.
  int real_level(Direction direction) const { return direction == Direction::remove ? 0 : add_level_; }
  // log2 of how much finer than level 0 this imaginary part asks for.
  double levels_needed(double imaginary, Direction direction) const;

  static constexpr int levels = 24;

 private:
  Lattice base_;
  int add_level_;
  mutable std::array<std::atomic<const Lattice*>, levels - 1> finer_{};
};

}  // namespace renyi::sampled_gaussian
