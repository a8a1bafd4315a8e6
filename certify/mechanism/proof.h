// Certified curves of mechanisms that certify/ does not know by their type: a file each, by the rows of
// catalogue/mechanisms.def that say `proved`.
#pragma once

#include <span>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// Of a loss whose two directions are the same. `values` are those of Mechanism::values().
struct Proof {
  using Values = std::span<const double>;
  Ball (*log_moment)(Values values, const Ball& z);  // K(z), z > 0
  Ball (*mean_loss)(Values values);                  // D_1
  Ball (*max_loss)(Values values);                   // D_inf, which may be infinite
};

// That of the mechanism, which is none that certify/ knows by its type; nullptr where there is none.
const Proof* proof_of(const Mechanism& mechanism);

}  // namespace renyi::certify
