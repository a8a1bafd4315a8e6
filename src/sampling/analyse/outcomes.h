// Sampled pairs on finitely many outcomes.
#pragma once

#include <memory>
#include <vector>

#include "mechanism/own/discrete_curve.h"
#include "sampling/analyse/family.h"

namespace renyi::sampling {

struct SampledOutcomes {
  Inclusion inclusion;  // one-sided or symmetric
  OutcomePair pair;
};

// Whether the outcomes are all there are, or those that matter of laws without end.
enum class Listing { whole, window };

// Which of them it is, is part of the output. Mass that a whole listing lacks, beyond rounding, has infinite loss.
std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components,
                                                               Listing listing = Listing::whole);

}  // namespace renyi::sampling
