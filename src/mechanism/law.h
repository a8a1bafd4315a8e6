// What a curve knows about its pair of distributions beyond K. The exact engines, sampling and the other privacy
// notions (zCDP, tCDP, CDP, GDP) choose their methods by it, and by nothing else. A mechanism's own source states it,
// through its curve.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "renyi/extras/curve.h"
#include "renyi/extras/divergence.h"
#include "renyi/interval.h"
#include "renyi/mechanism.h"

namespace renyi::monotone {
class PairsCurve;
}  // namespace renyi::monotone

namespace renyi::mechanism {

class AtomicCurve;
class LatticePair;

// Numbers are kept as they were given, so that quotients of them can be formed to any precision.

// N(shift, stddev^2) against N(0, stddev^2).
struct NormalShift {
  double shift = 0;
  double stddev = 1;

  double mu() const { return shift / stddev; }
};

// (1-rate) N(0, s^2) + rate N(1, s^2) against N(0, s^2), 0 < rate < 1.
struct SampledNormal {
  double rate = 0;
  double noise_multiplier = 1;
};

// Laplace noise against the same noise shifted: the loss is e = shift/scale with probability 1/2, -e with exp(-e)/2,
// and between them has the density exp((l-e)/2)/4.
struct DoubleExponential {
  double shift = 0;
  double scale = 1;

  double largest_loss() const { return shift / scale; }
};

// The loss has the density exp(l/2)/(4 sinh(epsilon/2)) on [-epsilon, epsilon].
struct ExponentialOnInterval {
  double epsilon = 0;
};

// Randomized response: the true category with the given probability, otherwise one of the other categories. The losses
// are e, -e and 0.
struct CategoricalResponse {
  double truth_probability = 0;
  double categories = 2;
};

// Losses epsilon and -epsilon, and no other.
struct TwoLosses {
  double epsilon = 0;
};

// Countably many losses; for noise on the integers also the noise itself, which can be mixed.
struct AtomicLoss {
  const AtomicCurve* curve = nullptr;
  const LatticePair* lattice = nullptr;
};

// Pairs on the real line whose loss never falls with x. One of them is drawn, and the output reveals which one.
struct RevealedPairs {
  const monotone::PairsCurve* curve = nullptr;
};

// Two distributions whose divergences are integrated separately at each order.
struct AnyPair {
  const DistributionPair* pair = nullptr;
};

// No pair is known, only that D_a <= xi + rho a at every order.
struct DivergenceLine {
  double xi = 0;
  double rho = 0;
};

// No pair is known, only that the loss has mean at most mu and is subgaussian with standard tau about its mean.
struct SubgaussianLoss {
  double mu = 0;
  double tau = 0;
};

// Nothing is known beyond K.
struct OnlyMoments {};

// The pointers refer to the curve or to parts of it, and are valid as long as the curve lives.
struct Law : std::variant<OnlyMoments, NormalShift, SampledNormal, DoubleExponential, ExponentialOnInterval,
                          CategoricalResponse, TwoLosses, AtomicLoss, RevealedPairs, AnyPair, DivergenceLine,
                          SubgaussianLoss> {
  using variant::variant;

  template <class Kind>
  const Kind* get_if() const noexcept {
    return std::get_if<Kind>(this);
  }
  template <class Kind>
  bool is() const noexcept {
    return get_if<Kind>() != nullptr;
  }
};

// Returns the law of a mechanism that is not sampled if it is of that kind. If the law points into the curve, call
// Curve::law() instead and keep the curve alive.
template <class Kind>
requires std::is_trivially_copyable_v<Kind> &&(!requires(Kind k) { *k.curve; }) &&
    (!requires(Kind k) { *k.pair; })std::optional<Kind> law_of(const Mechanism& mechanism) {
  const Law law = mechanism.curve()->law();
  const Kind* kind = law.get_if<Kind>();
  return kind == nullptr ? std::nullopt : std::optional(*kind);
}

// True if the law is that of a randomizer which people usually apply to their own values: randomized response, or any
// pure-DP step.
inline bool is_local_randomizer(const Law& law) { return law.is<CategoricalResponse>() || law.is<TwoLosses>(); }

// True if a response has only two possible losses: the sum of the losses of many runs is then a random walk.
inline bool is_binary(const Law& law) {
  const auto* response = law.get_if<CategoricalResponse>();
  return law.is<TwoLosses>() || (response != nullptr && response->categories == 2);
}

}  // namespace renyi::mechanism
