// Where an order's integrand lives: the peaks its sum starts from.
#pragma once

#include <optional>

#include "mechanism/sampled_gaussian/lattice.h"

namespace renyi::sampled_gaussian {

// Peaks of the centred integrand r^a - 1 - a (r-1) times the density of N(0, s^2),
// each to within a fraction of s (docs/math/sampled-gaussian.md, "Windows").
// `left` lies in x < 1/2, the others in x >= 1/2.
struct Peaks {
  double left = 0;
  double right = 0;               // the peak, or the lower one of two
  std::optional<double> upper{};  // a second one, near x = a
};

// a >= 1 (direction remove).
Peaks peaks_above_one(const Params& params, double a);
// a = -lambda <= 0 (direction add).
Peaks peaks_below_zero(const Params& params, double lambda);

// Where to sum: as above, but the peaks in x >= 1/2 that are not `upper` lie somewhere in [right, right_end].
struct Reach {
  double left = 0;
  double right = 0;
  double right_end = 0;
  std::optional<double> upper{};
};

// Where all peaks are so near to the origin that nodes up to the last of them are cheaper to sum than it is to find;
// `near` is how far that goes. a >= 1 and a = -lambda <= 0, as above.
std::optional<Reach> near_above_one(const Params& params, double a, double near);
std::optional<Reach> near_below_zero(const Params& params, double lambda);

}  // namespace renyi::sampled_gaussian
