// Direct calls for DP-SGD.
#include <limits>
#include <string>

#include "capi/guard.h"
#include "capi/questions.h"
#include "renyi/c.h"
#include "renyi/calibrate.h"

namespace {

namespace capi = renyi::capi;
using renyi::Plan;
using renyi::SampledGaussian;

Plan run_of(double sampling_rate, double noise_multiplier, int64_t steps) {
  if (steps < 1) throw renyi::InvalidArgument("steps", std::to_string(steps), "an integer from 1 to 2^63-1");
  return Plan().add(SampledGaussian{sampling_rate, noise_multiplier}, steps);
}

double noise_for(double sampling_rate, int64_t steps, const renyi::Target& target) {
  const Plan plan = run_of(sampling_rate, SampledGaussian{}.noise_multiplier, steps);
  return renyi::calibrate(plan, renyi::Unknown{{0}, "noise_multiplier"}, target).value;
}

}  // namespace

renyi_status renyi_sampled_gaussian_epsilon(double sampling_rate, double noise_multiplier, int64_t steps, double delta,
                                            renyi_result* out, renyi_error* error) {
  return capi::answered(out, capi::worst_epsilon, error,
                        [&] { return capi::epsilon_of(run_of(sampling_rate, noise_multiplier, steps), delta); });
}

renyi_status renyi_sampled_gaussian_delta(double sampling_rate, double noise_multiplier, int64_t steps, double epsilon,
                                          renyi_result* out, renyi_error* error) {
  return capi::answered(out, capi::worst_delta, error,
                        [&] { return capi::delta_of(run_of(sampling_rate, noise_multiplier, steps), epsilon); });
}

renyi_status renyi_sampled_gaussian_rdp(double sampling_rate, double noise_multiplier, int64_t steps,
                                        const double* orders, size_t size, double* out, renyi_error* error) {
  return capi::answer_rdp([&] { return run_of(sampling_rate, noise_multiplier, steps); }, {orders, size, out}, error);
}

renyi_status renyi_sampled_gaussian_noise(double sampling_rate, int64_t steps, double epsilon, double delta,
                                          double* out, renyi_error* error) {
  return capi::answered(out, std::numeric_limits<double>::infinity(), error,
                        [&] { return noise_for(sampling_rate, steps, {.epsilon = epsilon, .delta = delta}); });
}
