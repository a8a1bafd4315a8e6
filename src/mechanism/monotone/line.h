// The curve of revealed pairs on a vertical line: quadrature nodes become atoms of the tilted loss once, and each
// point is a sum over them (docs/math/sampled-pairs.md, "Lines").
#pragma once

#include <memory>
#include <vector>

#include "mechanism/monotone/pairs_curve.h"
#include "renyi/extras/curve.h"

namespace renyi::monotone {

// `base` is K at c. Returns a null pointer where the nodes would be too many, or do not reproduce the loss's variance.
std::unique_ptr<const VerticalLine> node_line(const std::vector<PairPart>& parts, double c, Direction direction,
                                              const LogMoment& base);

}  // namespace renyi::monotone
