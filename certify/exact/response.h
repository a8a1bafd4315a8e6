// Randomized responses, and pure-DP steps, which they dominate: losses +l, 0 and -l.
#pragma once

#include <cstdint>
#include <optional>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// The P-masses of the losses +loss, 0 and -loss; under Q the first and the last change places.
struct Response {
  Ball high;
  Ball rest;
  Ball low;
  Ball loss;
};

struct CountedResponse {
  Mechanism mechanism;
  std::int64_t count = 1;

  // At the working precision.
  Response response() const;
  bool has_two_losses() const;  // no loss of 0
};

bool is_response(const Mechanism& mechanism);
// Whether every loss of the response is 0.
bool is_without_loss(const Mechanism& mechanism);

}  // namespace renyi::certify
