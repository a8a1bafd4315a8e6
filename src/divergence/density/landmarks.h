// Locates the features of an integrand on the real line: the peaks of given profiles, the edges of the supports, the
// points at which to cut the line for quadrature, and whether an integral can be finite at the ends.
#pragma once

#include <functional>
#include <vector>

#include "divergence/density/line.h"

namespace renyi::divergence_detail {

// The logarithm of a positive function, computed from the two log-densities at a point.
using Profile = std::function<double(const LogPair&)>;

struct Peak {
  double at = 0;
  double height = 0;
  double width = 0;  // approximate distance over which the profile falls by 1
};

struct Landmarks {
  std::vector<Peak> peaks;    // ascending
  std::vector<double> edges;  // points where a density begins or ends
};

Landmarks find_landmarks(const Line& line, const std::vector<Profile>& profiles);

// Returns points between which integrands built from these profiles are smooth and of one size: outwards from every
// peak in steps that double, until the profiles vanish or the interval ends. Ascending.
std::vector<double> break_points(const Line& line, const Landmarks& landmarks, const std::vector<Profile>& profiles);

// Adds the points where the loss crosses epsilon, as far as four points between each two break points show them.
std::vector<double> with_crossings(const Line& line, std::vector<double> breaks, double epsilon);

// The profile's mass per doubling of the distance (from the outermost peak outwards, to a finite end inwards)
// must fall. True: it does not, so the integral is infinite. Throws NotConverged when it falls too slowly to tell.
// `rounding` returns the error of a profile value.
bool diverges_at_the_ends(const Line& line, const Landmarks& landmarks, const Profile& profile,
                          const Profile& rounding);

}  // namespace renyi::divergence_detail
