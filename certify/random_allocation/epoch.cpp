// Recognizes epochs of random allocation in a plan.
#include <cmath>

#include "certify/random_allocation/moment.h"

namespace renyi::certify {
namespace allocation_epoch_file {
namespace {

constexpr double most_steps = 1e6;
// Below the least noise multiplier the floating-point library bounds an epoch by one step, which has a closed form.
constexpr double least_noise = 0.25, most_noise = 1000;

// The pair of docs/math/random-allocation.md is that of one record which is added, removed or zeroed out.
bool is_of_one_record(const Adjacency& relation) {
  return relation.unit == 1 && relation.neighbors != Neighbors::replace_one;
}

}  // namespace
}  // namespace allocation_epoch_file

std::optional<AllocatedGaussian> allocated_gaussian(const Mechanism& mechanism) {
  namespace file = allocation_epoch_file;
  const Sampling* sampling = mechanism.sampling();
  if (sampling == nullptr || sampling->scheme != Scheme::random_allocation) return std::nullopt;
  const auto step = mechanism.unsampled().get_if<Gaussian>();
  const double t = sampling->batches;
  // Every record takes part in one step: any other parameter would differ from this.
  if (!(*sampling == Sampling::random_allocation(t))) return std::nullopt;
  if (!step || !(t >= 2 && t <= file::most_steps && t == std::floor(t))) return std::nullopt;
  const double noise = step->stddev / step->l2_sensitivity;
  if (!(noise >= file::least_noise && noise <= file::most_noise)) return std::nullopt;
  return AllocatedGaussian{static_cast<std::int64_t>(t), step->stddev, step->l2_sensitivity};
}

std::vector<CountedMechanism> steps_to_certify(const Plan& plan) {
  std::vector<CountedMechanism> steps = plan.merged();
  const std::vector<CountedMechanism> analysed = plan.analysed();
  const bool one = allocation_epoch_file::is_of_one_record(plan.adjacency());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // An epoch that is analysed as a mechanism of the catalogue is bounded by one step, and so is what is certified.
    const bool known = analysed[i].mechanism.identity() != nullptr;
    if (!one || !known || !allocated_gaussian(steps[i].mechanism)) steps[i] = analysed[i];
  }
  return steps;
}

}  // namespace renyi::certify
