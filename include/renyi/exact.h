// Exact (epsilon, delta): intervals that hold the truth for the steps as given, beside
// the Renyi bound (docs/math/exact-accounting.md).
//
// Exact figures hold for step parameters fixed in advance; outputs may be adaptive.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "renyi/account.h"
#include "renyi/analysis.h"
#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi {

namespace exact {
class Memory;
}

// How an exact figure was found.
enum class Engine {
  closed_form,  // one step, Gaussians only, randomized response only
  contour,      // the inverse Laplace integral of exp(K)
  lattice,      // the law of the loss on a grid, rounded to either side
  bounds,       // none of these serves the plan here: what its curve and its parts prove
};
std::string_view to_string(Engine engine) noexcept;

// The truth lies in [lower, upper].
struct ExactFigure {
  double lower = 0;
  double upper = 0;
  Engine engine = Engine::bounds;
  bool limited = false;  // the lattice stopped at its cap of memory or work, wider than asked
};

// Each direction composed through all steps, and the larger of the two.
struct ExactAnswer {
  ExactFigure worst;
  Direction direction = Direction::remove;  // which is the larger
  ExactFigure remove;
  ExactFigure add;
};

struct ExactOptions {
  // The width the lattice refines to: of epsilon, or of delta relative to itself. The
  // other engines are always as narrow as they can be.
  double tolerance = 1e-5;
  std::size_t memory = std::size_t{512} << 20;  // the lattice's cap, in bytes
  std::optional<Engine> engine{};               // only this one; nothing: the first that serves
};

class ExactAccountant {
 public:
  // Throws Unsupported where a step enters by bounds on its divergences only, and no pair that dominates it is known.
  explicit ExactAccountant(const Analysis& analysis, const ExactOptions& options = {});
  // The steps as Plan::analysed() gives them, and their composed curve if it is at hand: it is not set up again.
  ExactAccountant(std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve,
                  const ExactOptions& options = {});

  // epsilon in [0, inf]. Throws Unsupported where the engine asked for does not serve.
  ExactAnswer delta(double epsilon) const;
  // delta in [0, 1].
  ExactAnswer epsilon(double delta) const;
  // The Renyi bound of the same plan, which the engines start from: it is found once for both.
  EpsilonBound renyi_epsilon(double delta) const;
  DeltaBound renyi_delta(double epsilon) const;

 private:
  template <class Ask>
  ExactAnswer both(const Ask& ask) const;
  ExactAnswer delta_of_one(double epsilon) const;
  ExactAnswer epsilon_of_one(double delta) const;
  ExactFigure finite_delta(double epsilon, Direction direction) const;
  ExactFigure finite_epsilon(double delta, Direction direction) const;
  bool is_dominated() const;

  std::vector<ExactAccountant> alternatives_{};  // of plans with parallel parts; else none
  std::vector<CountedMechanism> steps_;          // as the engines see them: losses are finite, pairs are known
  std::shared_ptr<const Curve> whole_;           // of the plan
  std::shared_ptr<const Curve> curve_;           // of the steps
  std::shared_ptr<const Curve> cap_;             // whose Renyi bound no answer exceeds, of finite losses too
  ExactOptions options_;
  std::shared_ptr<exact::Memory> memory_;  // of laws composed for earlier questions
  // Of the steps with every number rounded the other way, from which the lower ends are; nothing where none is rounded.
  std::shared_ptr<const ExactAccountant> least_{};
};

}  // namespace renyi
