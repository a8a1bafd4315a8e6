// Parameters are doubles, taken exactly; what follows from them is rounded outwards.
#include "certify/mechanism/closed_form.h"

namespace renyi::certify {
namespace {

// p = 1/k: the product of two doubles is exact at 128 bits.
bool is_uniform(const RandomizedResponse& response) {
  const Precision exact(128);
  return arb_is_one((Ball(response.truth_probability) * Ball(response.categories)).raw()) != 0;
}

TwoSided response_law(const RandomizedResponse& response) {
  const Ball p(response.truth_probability);
  const Ball others = Ball(response.categories) - 1;
  const Ball r = (1 - p) / others;
  return {.loss = log(p / r), .high = p, .low = r, .rest = (others - 1) * r};
}

// Lemma C2: no epsilon-DP step has larger moments than binary randomized response with this loss.
TwoSided pure_law(const PureDp& pure) {
  const Ball epsilon(pure.epsilon);
  const Ball low = 1 / (exp(epsilon) + 1);
  return {.loss = epsilon, .high = 1 / (exp(-epsilon) + 1), .low = low, .rest = 0};
}

}  // namespace

bool is_trivial(const Mechanism& mechanism) {
  if (const auto* step = mechanism.get_if<RandomizedResponse>()) return is_uniform(*step);
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
