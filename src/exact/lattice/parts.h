// A plan as the lattice sees it: steps that go to the grid, and randomized responses and short lists that need none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exact/engine.h"
#include "exact/lattice/listed.h"
#include "exact/lattice/responses.h"
#include "exact/lattice/step_law.h"

namespace renyi::exact::lattice {

struct ResponsePart {
  Response response;
  std::shared_ptr<const Curve> curve;
};

struct Parts {
  std::vector<std::unique_ptr<StepLaw>> laws;
  std::vector<ResponsePart> responses;
  std::vector<Listed> lists;

  // Steps on the grid.
  double count() const;
  // Atoms of the responses and the lists together, about.
  double listed() const;
  // The variance of the grid's part under the tilt c.
  double variance(double c) const;
};

// Nothing for a plan that is hopeless here.
std::optional<Parts> parts_of(const Question& question);

}  // namespace renyi::exact::lattice
