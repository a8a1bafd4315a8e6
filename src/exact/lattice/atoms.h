// Steps that need no grid: randomized responses and short lists of losses, whose sums are kept as a list of atoms.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exact/lattice/compose.h"
#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "renyi/plan.h"

namespace renyi::exact::lattice {

// The atoms of the sum of several lattice laws.
struct Atoms {
  std::vector<double> s{0.0};
  std::vector<double> w{1.0};  // tilted masses, which sum to about 1
  double log_scale = 0;
  double slack = 0;
  double relative = 0;
  double unsure = 0;    // tilted mass that may be missing or in excess
  double infinite = 0;  // an upper bound on the P-mass of infinite loss
};

// Returns all sums of an atom of the list and one of the law; std::nullopt if they are too many. The masses of sums
// lighter than `negligible` are added to `unsure`.
std::optional<Atoms> convolved(const Atoms& atoms, const Composed& law, double negligible);

// `count` randomized responses with losses +e, -e and 0, whose P-probabilities are high, low = high exp(-e) and rest.
// They are composed exactly on a lattice of their own.
struct Response {
  double e = 0;
  double e_error = 0;
  double high = 0;
  double low = 0;
  double rest = 0;
  std::int64_t count = 1;
};

// Returns the response of a step with the given distribution and curve.
Response response_of(const mechanism::CategoricalResponse& law, const Curve& curve, std::int64_t count);
Response response_of(const mechanism::TwoLosses& law, const Curve& curve, std::int64_t count);

// Returns the composed law of all copies of a response under the tilt c; std::nullopt where it has too many points.
std::optional<Composed> composed_response(const Response& response, const Curve& curve, double c);

// A few copies of a discrete loss with few atoms: every sum of losses is listed, and nothing is rounded to a grid.
struct Listed {
  std::shared_ptr<const mechanism::AtomicCurve> curve{};
  std::int64_t count = 1;
  Direction direction = Direction::remove;
};

// Returns the number of multisets of atoms, (n+k-1)! / (n! (k-1)!), or infinity.
double outcomes(const Listed& step);

// Returns all sums of an atom of the list and one of the step's, under the tilt c. The masses of sums lighter than
// `negligible` are added to `unsure`.
Atoms convolved(const Atoms& atoms, const Listed& step, double c, double negligible);

}  // namespace renyi::exact::lattice
