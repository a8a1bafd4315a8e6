// Where on the line anything happens: peaks of given profiles, edges of the supports, the points to cut it at for
// quadrature, and whether an integral can be finite at the ends.
#pragma once

#include <functional>
#include <vector>

#include "divergence/density/line.h"

namespace renyi::divergence_detail {

// The logarithm of something positive, by the two log-densities at a point.
using Profile = std::function<double(const LogPair&)>;

struct Peak {
  double at = 0;
  double height = 0;
  double width = 0;  // about the distance over which the profile falls by 1
};

struct Landmarks {
  std::vector<Peak> peaks;    // ascending
  std::vector<double> edges;  // where a density begins or ends
};

Landmarks find_landmarks(const Line& line, const std::vector<Profile>& profiles);

// Points between which integrands built from these profiles are smooth and of one size: outwards from
// every peak in steps that double, until the profiles vanish or the interval ends. Ascending.
std::vector<double> break_points(const Line& line, const Landmarks& landmarks, const std::vector<Profile>& profiles);

// Also where the loss crosses epsilon, as seen from four points between each two break points.
std::vector<double> with_crossings(const Line& line, std::vector<double> breaks, double epsilon);

// The profile's mass per doubling of the distance (from the outermost peak outwards, to a finite end inwards)
// must fall. True: it does not, so the integral is infinite. Throws NotConverged when it falls too slowly to tell.
// `rounding` says how far a profile value may be off.
bool diverges_at_the_ends(const Line& line, const Landmarks& landmarks, const Profile& profile,
                          const Profile& rounding);

}  // namespace renyi::divergence_detail
