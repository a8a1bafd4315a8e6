// Parameters are doubles, taken exactly; what follows from them is rounded outwards.
#include "certify/mechanism/closed_form.h"

namespace renyi::certify {
namespace {

// Exact: 53 bits times 53.
Ball times_chance(const RandomizedResponse& response) {
  const Precision exact(128);
  return Ball(response.truth_probability) * Ball(response.categories);
}

// Says its own category with probability p, each other one with (1-p)/(k-1); the likelier of the two has the larger
// loss.
TwoSided response_law(const RandomizedResponse& response) {
  const Ball p = response.truth_probability, k = response.categories;
  const Ball other = (1 - p) / (k - 1);
  const bool truthful = surely_less(1, times_chance(response));
  const Ball low = truthful ? other : p;
  return {.loss = log1p(abs(p * k - 1) / ((k - 1) * low)),
          .high = truthful ? p : other,
          .low = low,
          .rest = (k - 2) * other};
}

// Lemma C2: no epsilon-DP step has larger moments than binary randomized response with this loss.
TwoSided pure_law(const PureDp& pure) {
  const Ball epsilon(pure.epsilon);
  const Ball low = 1 / (exp(epsilon) + 1);
  return {.loss = epsilon, .high = 1 / (exp(-epsilon) + 1), .low = low, .rest = 0};
}

}  // namespace

bool is_trivial(const Mechanism& mechanism) {
  if (const auto* step = mechanism.get_if<RandomizedResponse>()) return arb_is_one(times_chance(*step).raw()) != 0;
  if (const auto* step = mechanism.get_if<PureDp>()) return step->epsilon == 0;
  if (const auto* step = mechanism.get_if<GaussianDp>()) return step->mu == 0;
  if (const auto* step = mechanism.get_if<SampledGaussian>()) return step->sampling_rate == 0;
  return false;
}

std::optional<Ball> gaussian_rate(const Mechanism& mechanism) {
  if (const auto* step = mechanism.get_if<Gaussian>()) {
    return square(Ball(step->l2_sensitivity) / step->stddev) / 2;
  }
  if (const auto* step = mechanism.get_if<GaussianDp>()) return square(Ball(step->mu)) / 2;
  if (const auto* step = mechanism.get_if<SampledGaussian>(); step && step->sampling_rate == 1) {
    return 1 / (2 * square(Ball(step->noise_multiplier)));
  }
  return std::nullopt;
}

Ball largest_loss(const Laplace& laplace) { return Ball(laplace.l1_sensitivity) / laplace.scale; }

std::optional<TwoSided> two_sided(const Mechanism& mechanism) {
  if (const auto* step = mechanism.get_if<RandomizedResponse>()) return response_law(*step);
  if (const auto* step = mechanism.get_if<PureDp>()) return pure_law(*step);
  return std::nullopt;
}

}  // namespace renyi::certify
