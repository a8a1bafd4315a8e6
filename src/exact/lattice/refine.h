// From a coarse grid to one fine enough.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "exact/lattice/delta_law.h"
#include "exact/lattice/parts.h"

namespace renyi::exact::lattice {

// What a law says of the question, and how wide that is beside what was asked for (<= 1: enough).
struct Reading {
  Ends ends;
  double excess = 0;
  double tilt = 1;       // the order that suits it best
  double log_delta = 0;  // what was found of delta's logarithm
};
using Read = std::function<std::optional<Reading>(const DeltaLaw&)>;

struct Start {
  double c = 1;
  double log_delta = -20;  // ln of delta, about
};

// The narrowest interval found, and the law of the last grid.
struct Refined {
  std::optional<ExactFigure> figure;
  std::shared_ptr<const DeltaLaw> law;
};

// Reads the laws of finer and finer grids until one is enough or the work would be too much. Nothing if
// there is no reading at all.
Refined refine(const Parts& parts, const Start& start, std::size_t memory, const Read& read);

}  // namespace renyi::exact::lattice
