// Where on the line anything happens: peaks of given profiles, edges of the supports.
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

}  // namespace renyi::divergence_detail
