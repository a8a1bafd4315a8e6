// Certified curves of mechanisms that certify/ does not know by their type. Each has a file of its own; these are the
// entries of catalogue/mechanisms.def with `proved`.
#pragma once

#include <span>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// The functions for a loss whose two directions are the same. `values` are those of Mechanism::values().
struct Proof {
  using Values = std::span<const double>;
  Ball (*log_moment)(Values values, const Ball& z);  // K(z), z > 0
  Ball (*mean_loss)(Values values);                  // D_1
  Ball (*max_loss)(Values values);                   // D_inf, which may be infinite
};

// Returns the proof of a mechanism that certify/ does not know by its type; nullptr if there is none.
const Proof* proof_of(const Mechanism& mechanism);

}  // namespace renyi::certify
