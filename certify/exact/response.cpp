#include "certify/exact/response.h"

namespace renyi::certify {

// Any epsilon-DP pair is a post-processing of the one that pure-dp has here (Kairouz, Oh, Viswanath, ICML 2015, Theorem
// 3.3 and its proof).
TwoSided CountedResponse::law() const { return *two_sided(mechanism); }

bool CountedResponse::has_two_losses() const {
  const auto* response = mechanism.get_if<RandomizedResponse>();
  return response == nullptr || response->categories == 2;
}

}  // namespace renyi::certify
