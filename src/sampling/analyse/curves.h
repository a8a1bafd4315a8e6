// The curve of a step on a sample, by what is known of the step: additive noise, finitely many outcomes, noise on the
// integers, densities.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanism/custom/discrete_curve.h"
#include "renyi/extras/curve.h"
#include "renyi/mechanism.h"
#include "sampling/analyse/inclusion.h"
#include "sampling/analyse/step_model.h"

namespace renyi::sampling {

struct SampledNoise {
  Inclusion inclusion;
  Noise noise;
};

// Whether figures of a step are as sharp as the few numbers it is made of: then it matters that these are rounded.
// Others are integrated, and the errors of that hold what a rounding does.
enum class Figures { integrated, by_numbers };

struct SampledStep {
  Mechanism step;
  Figures figures = Figures::integrated;
};

// Which of them it is, is part of the output. One sampled Gaussian is that mechanism itself.
SampledStep noise_step(const std::string& name, const std::vector<SampledNoise>& components);

struct SampledOutcomes {
  Inclusion inclusion;  // one-sided or symmetric
  OutcomePair pair;
};

// Whether the outcomes are all there are, or those that matter of laws without end.
enum class Listing { whole, window };

// Which of them it is, is part of the output. Mass that a whole listing lacks, beyond rounding, has infinite loss.
std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components,
                                                               Listing listing = Listing::whole);

struct SampledLattice {
  Inclusion inclusion;  // one-sided or symmetric
  LatticeNoise noise;
};

// Which of them it is, is part of the output.
std::shared_ptr<const Curve> lattice_curve(std::vector<SampledLattice> components);

// The curve of any pair of laws on a sample, by quadrature of the mixture (docs/math/custom-mechanisms.md, "On a
// sample"); nullptr for other steps, and where more than one record with none is compared.
std::shared_ptr<const Curve> densities_curve(const Curve& step, const Inclusion& inclusion);

}  // namespace renyi::sampling
