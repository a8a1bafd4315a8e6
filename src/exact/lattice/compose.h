// Laws on a common grid, convolved by the Fourier transform (docs/math/lattice.md, "Composition").
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "exact/lattice/cells.h"

namespace renyi::exact::lattice {

// The upper and the lower side of one step, and how often it runs.
struct CountedMasses {
  Masses upper;
  Masses lower;
  double count = 1;
};

// Tilted masses w[k] at origin + k h, k = 0, 1, ...; they sum to about 1.
struct Composed {
  double origin = 0;
  double h = 1;
  double c = 1;
  std::vector<double> w;
  double log_scale = 0;  // P-mass at l is exp(log_scale - c l) w
  double error = 0;      // the error of w in the Euclidean norm
  double beyond = 0;     // an upper bound on the tilted mass above the window
  double outside = 0;    // an upper bound on the tilted mass outside the window, which may be anywhere in w
  double infinite = 0;   // an upper bound on the P-mass of infinite loss
  double slack = 0;      // a bound on the error of the loss
  double relative = 0;   // a bound on the relative error of every mass
};

struct BothComposed {
  Composed upper;
  Composed lower;
  double needed = 0;  // points that the window needs, before rounding up to a power of two
};

// The orders at which the tails are bounded: by the moments at c + up and c - down.
struct TailOrders {
  double up = 1;
  double down = 1;
};
TailOrders tail_orders(const std::vector<CountedMasses>& steps, double h);

// The precision of the transform: long double where the rounding of double would hide the smallest deltas.
enum class Precision { plain, extended };

// Returns std::nullopt if more than `most_points` would be needed, or if the masses would be lost in rounding.
std::optional<BothComposed> compose(const std::vector<CountedMasses>& steps, const Grid& grid, const TailOrders& orders,
                                    std::size_t most_points, Precision precision = Precision::plain);

// The law of one step alone, without composition.
Composed alone(const CountedMasses& step, bool upper, const Grid& grid);

}  // namespace renyi::exact::lattice
