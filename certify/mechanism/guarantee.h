// Steps known by a bound on their divergences (docs/math/privacy-notions.md): zcdp, tcdp, cdp and moments.
#pragma once

#include <optional>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// D_(1+z) <= at_one + growth z for z up to `last`; no bound is known beyond.
struct Guarantee {
  Ball at_one;
  Ball growth;
  Ball last = Ball::infinity();

  // Returns the bound on D_(1+z), which is infinite for z beyond `last`; z = 0 is order 1.
  Ball divergence(const Ball& z) const;
  Ball max_loss() const;
};
std::optional<Guarantee> guarantee_of(const Mechanism& mechanism);

}  // namespace renyi::certify
