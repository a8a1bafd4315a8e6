// Where the line is cut into pieces for quadrature.
#pragma once

#include <vector>

#include "divergence/density/landmarks.h"

namespace renyi::divergence_detail {

// Points between which integrands built from these profiles are smooth and of one size: outwards from
// every peak in steps that double, until the profiles vanish or the interval ends. Ascending.
std::vector<double> break_points(const Line& line, const Landmarks& landmarks, const std::vector<Profile>& profiles);

// Also where the loss crosses epsilon, as seen from four points between each two break points.
std::vector<double> with_crossings(const Line& line, std::vector<double> breaks, double epsilon);

}  // namespace renyi::divergence_detail
