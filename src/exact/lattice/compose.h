// Laws on a common grid, convolved by the Fourier transform (docs/math/lattice.md, "Composition").
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "exact/lattice/cells.h"

namespace renyi::exact::lattice {

// Both sides of one step and how often it runs.
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
  double error = 0;      // of w, in the Euclidean norm
  double beyond = 0;     // tilted mass above the window, at most
  double outside = 0;    // tilted mass outside the window, at most: it may be anywhere in w
  double infinite = 0;   // P-mass of infinite loss, at most
  double slack = 0;      // the loss is off by at most this
  double relative = 0;   // every mass is off by at most this share
};

struct BothComposed {
  Composed upper;
  Composed lower;
  double needed = 0;  // points of the window, before rounding up to a power of two
};

// How the tails are bounded: by the moments at c + up and c - down.
struct TailOrders {
  double up = 1;
  double down = 1;
};
TailOrders tail_orders(const std::vector<CountedMasses>& steps, double h);

// Of the transform: long double where the rounding of double would drown the smallest deltas.
enum class Precision { plain, extended };

// Nothing if more than `most_points` would be needed, or rounding would drown the law.
std::optional<BothComposed> compose(const std::vector<CountedMasses>& steps, const Grid& grid, const TailOrders& orders,
                                    std::size_t most_points, Precision precision = Precision::plain);

// One step alone.
Composed alone(const CountedMasses& step, bool upper, const Grid& grid);

}  // namespace renyi::exact::lattice
