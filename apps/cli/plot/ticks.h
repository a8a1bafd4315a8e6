// The ticks of an axis and their labels, all in one style.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/cli/plot/axes.h"

namespace renyi::cli::plot {

struct Tick {
  double at = 0;
  std::string label{};  // empty for a small tick
};

using Ticks = std::vector<Tick>;

// Returns ticks of a logarithmic axis from `from` to `to`, both positive: powers of ten, `every` of which have a label,
// with labels at 2 and 5 times these if `multiples` is true.
Ticks log_ticks(double from, double to, int every, bool multiples);

// Returns ticks at all multiples of `step` from `from` to `to`.
Ticks even_ticks(double from, double to, double step);

// Returns the densest ticks whose labels fit, for an axis whose ends are determined: names, round numbers, or powers of
// ten. If none fit, the ones with the fewest labels are returned.
Ticks ticks_of(const Axis& axis, const std::function<bool(const Ticks&)>& fit);

}  // namespace renyi::cli::plot
