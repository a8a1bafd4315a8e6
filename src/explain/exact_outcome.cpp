// An event is a test: rejecting where it happens has the type I error p on one dataset and, on
// its neighbour, a power of at most 1 - f(p). The opposite event has at most 1 - f(1 - p), so
// the event at least f(1 - p). docs/math/promises.md, "Exact".
#include <algorithm>

#include "numerics/rounding.h"
#include "renyi/explain.h"
#include "renyi/tradeoff.h"

namespace renyi {

std::vector<ProbabilityRange> exact_outcomes(const Plan& plan, std::span<const double> baselines,
                                             const ExactOptions& options) {
  std::vector<double> errors;
  for (const double p : baselines) {
    errors.push_back(p);
    // f falls: a larger error gives a smaller f, which is sound.
    errors.push_back(std::min(1.0, numerics::next_up(1 - p)));
  }
  const std::vector<TradeoffPoint> points = tradeoff(plan, errors, options);
  std::vector<ProbabilityRange> ranges;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    ranges.push_back({points[i + 1].worst.type_two.lower, std::min(1.0, points[i].worst.power.upper)});
  }
  return ranges;
}

}  // namespace renyi
