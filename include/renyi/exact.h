// Exact (epsilon, delta): intervals that hold the truth for the steps as given, beside the Renyi bound
// (docs/math/exact-accounting.md). renyi/cost.h asks for them.
//
// Exact figures hold for step parameters that are fixed in advance; outputs may be adaptive.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi {

// How an exact interval was found.
enum class Engine {
  closed_form,  // one step, Gaussians only, randomized response only
  contour,      // the inverse Laplace integral of exp(K)
  lattice,      // the law of the loss on a grid, rounded to either side
  bounds,       // none of these serves the plan here: what its curve and its parts prove
};
[[nodiscard]] std::string_view to_string(Engine engine) noexcept;

struct ExactInterval : Interval {
  Engine engine = Engine::bounds;
  bool limited = false;  // the lattice stopped at its cap of memory or work, wider than asked
};

// Each direction composed through all steps, and the larger of the two.
struct ExactAnswer {
  ExactInterval worst;
  Direction direction = Direction::remove;  // which is the larger
  ExactInterval remove;
  ExactInterval add;
};

struct ExactOptions {
  // The width the lattice refines to: of epsilon, or of delta relative to itself. The other engines are always as
  // narrow as they can be.
  double tolerance = 1e-5;
  std::size_t memory = std::size_t{512} << 20;  // the lattice's cap, in bytes
  std::optional<Engine> engine{};               // only this one; nothing: the first that serves
};

}  // namespace renyi
