// Whether a step, or some step with the guarantee that is given, costs what its pair of laws costs.
#pragma once

#include "renyi/plan.h"

namespace renyi::plan {

// Returns what exact figures of this step are exact for, in whatever plan it stands: a step that is not `dominated`
// attains its pair in both directions, on one pair of datasets (docs/math/sampling.md, "Standing"). `analysed` is the
// mechanism that is analysed instead of the specified one. A step without exact figures is `attained`: it decides
// nothing.
Standing step_standing(const Mechanism& specified, const Mechanism& analysed, const Adjacency& relation);

// Returns whether the analysed step has a loss of its own that only dominates that of the specified step: epochs that
// do not reveal in which batch a record lies, and samples of which no dataset has a record as often as is analysed.
bool overstates_loss(const Mechanism& specified, const Adjacency& relation);

}  // namespace renyi::plan
