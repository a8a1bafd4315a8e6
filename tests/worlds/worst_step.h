// The worst step with a guarantee: of all mechanisms that keep it, the one whose output on a sample tells two datasets
// apart best.
#pragma once

#include <string>
#include <vector>

#include "worlds/dataset.h"
#include "worlds/sampler.h"

namespace renyi::worlds {

// A guarantee is a concave limit G: of any event, the probabilities a and b on two neighbours satisfy a <= G(b). It is
// kept as the lines slope * b + offset of which G is the smallest, or, for a curve, lines that touch it.
struct Line {
  long double slope, offset;
};
struct Promise {
  std::string json;  // the members of a step that state it
  std::vector<Line> lines;
  double accuracy = 1e-9;  // how far the lines may lie above the curve
};
Promise promised_dp(double epsilon, double delta);
Promise promised_gdp(double mu);

// Returns the largest hockey-stick divergence at this epsilon, in either direction, between the outputs on samples of
// the two datasets. The best test of a step is an event, so that the probabilities of one event on every sample are the
// variables of a linear program. The guarantee is demanded between neighbouring samples of records of the two
// datasets, which is all that a bound from above needs.
long double worst_delta(const Pair& datasets, Neighbors relation, const Sampler& sampler, const Promise& promise,
                        double epsilon);

}  // namespace renyi::worlds
