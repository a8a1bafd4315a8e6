// Randomized responses: losses +e, -e and 0, composed exactly on a lattice of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exact/lattice/compose.h"
#include "renyi/plan.h"

namespace renyi::exact::lattice {

// `count` steps of loss +e, -e or 0 with P-probabilities high, low = high exp(-e) and rest.
struct Response {
  double e = 0;
  double e_error = 0;
  double high = 0;
  double low = 0;
  double rest = 0;
  std::int64_t count = 1;
};

// Randomized response of any arity, or any pure-DP step; nothing for other mechanisms.
std::optional<Response> response_of(const CountedMechanism& step);

// The composed law of one of them under the tilt c; nothing where it has too many points.
std::optional<Composed> composed_response(const Response& response, const Curve& curve, double c);

}  // namespace renyi::exact::lattice
