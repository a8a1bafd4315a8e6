// Finitely many outcomes, each with P's mass and the loss ln(p/q) there.
#pragma once

#include <vector>

namespace renyi::divergence_detail {

struct Atom {
  double p = 0;           // relative error at most 4 units
  double log_p = 0;       // kept because p itself may underflow in products
  double loss = 0;        // infinite where Q has no mass
  double loss_error = 0;  // absolute
};

struct Atoms {
  std::vector<Atom> shared;  // both have mass
  double p_only = 0;         // P's mass where Q has none
  double q_only = 0;         // and the other way round
  bool never_meet() const { return shared.empty(); }
};

// ln(p/q) and its error. `gap` is p - q, which may be known better than p and q.
struct Loss {
  double value = 0;
  double error = 0;
};
Loss loss_of(double p, double q, double gap);

}  // namespace renyi::divergence_detail
