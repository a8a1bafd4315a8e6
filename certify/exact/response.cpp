#include "certify/exact/response.h"

namespace renyi::certify {
namespace {

// Any epsilon-DP pair is a post-processing of this one (Kairouz, Oh, Viswanath, ICML 2015, Theorem 3.3 and its proof).
Response response_of(const PureDp& step) {
  const Ball e = step.epsilon;
  return {.high = 1 / (1 + exp(-e)), .rest = 0, .low = 1 / (1 + exp(e)), .loss = e};
}

// Exact: 53 bits times 50.
Ball times_chance(const RandomizedResponse& step) {
  const Precision exact(192);
  return Ball(step.truth_probability) * Ball(step.categories);
}
bool is_truthful(const RandomizedResponse& step) { return surely_less(1, times_chance(step)); }

// Says its own category with probability p, each other one with (1-p)/(k-1).
Response response_of(const RandomizedResponse& step) {
  const Ball p = step.truth_probability, k = step.categories;
  const Ball other = (1 - p) / (k - 1);
  const bool truthful = is_truthful(step);
  const Ball high = truthful ? p : other, low = truthful ? other : p;
  return {.high = high, .rest = (k - 2) * other, .low = low, .loss = log1p(abs(p * k - 1) / ((k - 1) * low))};
}

}  // namespace

Response CountedResponse::response() const {
  if (const auto* pure = mechanism.get_if<PureDp>()) return response_of(*pure);
  return response_of(*mechanism.get_if<RandomizedResponse>());
}

bool CountedResponse::has_two_losses() const {
  const auto* response = mechanism.get_if<RandomizedResponse>();
  return response == nullptr || response->categories == 2;
}

bool is_response(const Mechanism& mechanism) {
  return mechanism.get_if<PureDp>() != nullptr || mechanism.get_if<RandomizedResponse>() != nullptr;
}

bool is_without_loss(const Mechanism& mechanism) {
  if (const auto* pure = mechanism.get_if<PureDp>()) return pure->epsilon == 0;
  const auto* response = mechanism.get_if<RandomizedResponse>();
  return response != nullptr && arb_is_one(times_chance(*response).raw()) != 0;
}

}  // namespace renyi::certify
