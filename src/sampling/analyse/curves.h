// The curve of a step on a sample, chosen by what is known about the step: additive noise, finitely many outcomes,
// noise on the integers, or densities.
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

// How the values of a step are computed. `by_numbers`: they are as precise as the few numbers that define the step, so
// that the rounding of these numbers matters. `integrated`: the error bounds of the integration already cover that
// rounding.
enum class Figures { integrated, by_numbers };

struct SampledStep {
  Mechanism step;
  Figures figures = Figures::integrated;
};

// The component that was drawn is part of the output. A single sampled Gaussian becomes the mechanism SampledGaussian.
SampledStep noise_step(const std::string& name, const std::vector<SampledNoise>& components);

struct SampledOutcomes {
  Inclusion inclusion;  // one-sided or symmetric
  OutcomePair pair;
};

// `whole` lists all outcomes; `window` lists those that matter for distributions with unlimited support.
enum class Listing { whole, window };

// The component that was drawn is part of the output. Mass that a whole listing lacks, beyond rounding, has infinite
// loss.
std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components,
                                                               Listing listing = Listing::whole);

struct SampledLattice {
  Inclusion inclusion;  // one-sided or symmetric
  LatticeNoise noise;
};

// The component that was drawn is part of the output.
std::shared_ptr<const Curve> lattice_curve(std::vector<SampledLattice> components);

// The curve of any pair of distributions on a sample, by quadrature of the mixture (docs/math/custom-mechanisms.md, "On
// a sample"). Returns nullptr for other steps, and if more than the presence of one record is compared.
std::shared_ptr<const Curve> densities_curve(const Curve& step, const Inclusion& inclusion);

}  // namespace renyi::sampling
