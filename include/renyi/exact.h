// Types for exact (epsilon, delta): intervals that contain the exact value for the given steps, in addition to the
// Renyi bound (docs/math/exact-accounting.md). The functions of renyi/cost.h compute them.
//
// Exact intervals are valid if the parameters of all steps are fixed in advance. A step may depend on the outputs of
// earlier steps (adaptive composition).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi {

// The method that computed an exact interval.
enum class Engine {
  closed_form,  // a formula, for a single step, Gaussian steps only, or randomized responses only
  contour,      // the inverse Laplace integral of exp(K), where K is the log-moment curve (renyi/extras/curve.h)
  lattice,      // the privacy loss distribution on a grid, rounded up for upper bounds and down for lower bounds
  bounds,       // no engine above supports this plan at this point: the interval follows from bounds on its curve and
                // on its components
};
// Returns the name of the engine, such as "closed-form".
[[nodiscard]] std::string_view to_string(Engine engine) noexcept;

// An exact interval and the engine that computed it.
struct ExactInterval : Interval {
  Engine engine = Engine::bounds;
  bool limited = false;  // a limit of work, memory or time was reached, and the interval is wider than requested
  // Two methods gave intervals for this number that do not meet, and which: a defect of this library. The interval is
  // then from 0 to the largest end of both. Empty otherwise.
  std::string contradiction{};
};

// The exact epsilon or delta. Each direction is composed over all steps.
//
//     const renyi::ExactAnswer answer = renyi::epsilon(plan, 1e-5).exact.value();
//     answer.worst.upper;   // the epsilon to report
//     answer.remove.lower;  // a lower bound on the exact epsilon of the direction `remove`
struct ExactAnswer {
  ExactInterval worst;                      // the larger of the two directions
  Direction direction = Direction::remove;  // the direction that is larger
  ExactInterval remove;
  ExactInterval add;

  // Returns the contradiction of either direction; empty if there is none.
  [[nodiscard]] const std::string& contradiction() const {
    return remove.contradiction.empty() ? add.contradiction : remove.contradiction;
  }
};

// Options of the exact computation.
//
//     renyi::epsilon(plan, 1e-5, {.exactness = {.tolerance = 1e-3, .engine = renyi::Engine::lattice}});
struct ExactOptions {
  // The lattice refines an interval until its width is at most this number. For delta, the width is relative to delta.
  // The other engines always return the narrowest interval that they can compute.
  double tolerance = 1e-5;
  std::size_t memory = std::size_t{512} << 20;  // the largest memory that the engines may use, in bytes
  std::optional<Engine> engine{};               // the only engine to use; if not set, the first one that applies
};

}  // namespace renyi
