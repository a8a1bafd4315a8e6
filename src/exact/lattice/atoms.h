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

// The sum of several lattice laws.
struct Atoms {
  std::vector<double> s{0.0};
  std::vector<double> w{1.0};  // tilted masses, about 1 in all
  double log_scale = 0;
  double slack = 0;
  double relative = 0;
  double unsure = 0;    // tilted mass that may be missing, or too much
  double infinite = 0;  // P-mass of infinite loss, at most
};

// All sums of an atom of the list and one of the law; nothing if they are too many. Those lighter than
// `negligible` are added to what is unsure.
std::optional<Atoms> convolved(const Atoms& atoms, const Composed& law, double negligible);

// Randomized responses: losses +e, -e and 0, composed exactly on a lattice of their own.
// `count` steps of loss +e, -e or 0 with P-probabilities high, low = high exp(-e) and rest.
struct Response {
  double e = 0;
  double e_error = 0;
  double high = 0;
  double low = 0;
  double rest = 0;
  std::int64_t count = 1;
};

// Of a step with that law and curve.
Response response_of(const mechanism::CategoricalResponse& law, const Curve& curve, std::int64_t count);
Response response_of(const mechanism::TwoLosses& law, const Curve& curve, std::int64_t count);

// The composed law of one of them under the tilt c; nothing where it has too many points.
std::optional<Composed> composed_response(const Response& response, const Curve& curve, double c);

// Few copies of a discrete loss with few atoms: every sum of losses is listed, and nothing is rounded to a grid.
struct Listed {
  std::shared_ptr<const mechanism::AtomicCurve> curve{};
  std::int64_t count = 1;
  Direction direction = Direction::remove;
};

// How many multisets of atoms there are: (n+k-1)! / (n! (k-1)!), or infinity.
double outcomes(const Listed& step);

// All sums of an atom of the list and one of the step's, under the tilt c. Those lighter than `negligible` are added to
// what is unsure.
Atoms convolved(const Atoms& atoms, const Listed& step, double c, double negligible);

}  // namespace renyi::exact::lattice
