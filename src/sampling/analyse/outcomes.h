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

// Which of them it is, is part of the output.
std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components);

}  // namespace renyi::sampling
