// Randomized responses, and pure-DP steps, which they dominate: losses +l, 0 and -l.
#pragma once

#include <cstdint>

#include "certify/mechanism/closed_form.h"

namespace renyi::certify {

struct CountedResponse {
  Mechanism mechanism;
  std::int64_t count = 1;

  // At the working precision.
  TwoSided law() const;
  bool has_two_losses() const;  // no loss of 0
};

}  // namespace renyi::certify
