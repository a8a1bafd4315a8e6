// Upper bounds on the characteristic function of a Sampled Gaussian's tilted loss, which tell where a vertical line may
// end (docs/math/privacy-loss.md, "Decay").
#pragma once

#include <vector>

#include "mechanism/sampled_gaussian/tilted_nodes.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// The points v in [first, last] of a vertical line.
struct Zone {
  double first = 0;
  double last = 0;
};

// Returns an upper bound on ln |phi(v)| for v in the zone: with L, L' independent tilted losses and buckets J of width
// pi over the zone's end,
//     |phi(v)|^2 = E cos(v(L-L')) <= 1 - sum_J E[1 - cos(v(L-L')); L, L' in J].
double near_decay(const TiltedNodes& nodes, const Zone& zone);

// A point that cuts the range of the loss in two: one part has this mass, and the density of the other has this
// variation, jump included.
struct Cut {
  double mass = 0;
  double variation = 0;
};
// Returns every cut after a node, with either part first, that is not worse than another one.
std::vector<Cut> cuts(const TiltedNodes& nodes);

// Returns an upper bound on ln |phi(v)| for every v >= y: integrating one part by parts, |phi(v)| <= mass +
// variation/v.
double far_decay(const std::vector<Cut>& cuts, double y);

// The loss cut in two parts: the near one contains the bulk, the losses of those who were not sampled, and the far one
// the rest. The characteristic function of the near part is summed at both ends of a zone, and that of the far part is
// bounded by its variation (docs/math/privacy-loss.md, "Decay").
class SplitLoss {
 public:
  SplitLoss(const TiltedNodes& nodes, Direction direction);

  // Returns an upper bound on ln |phi(v)| for v in the zone: the least over all cuts.
  double decay(const Zone& zone) const;

 private:
  // The atoms in the order of their distance from the bulk.
  std::vector<double> distance_;
  std::vector<double> weight_;
  std::vector<double> far_;  // the variation of the density beyond an atom, jump included
};

}  // namespace renyi::sampled_gaussian
