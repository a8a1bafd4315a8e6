// The output distributions of selection mechanisms on a few scores, computed directly from their definitions.
#pragma once

#include <vector>

namespace renyi::worlds {

using Scores = std::vector<long double>;
// The probability of each outcome.
using Outcomes = std::vector<long double>;

// One answer drawn with weights exp(epsilon u / (2 sensitivity)), sensitivity 1.
Outcomes exponential_mechanism(const Scores& scores, long double epsilon);

// Returns the distribution of the index of the largest score after Laplace noise of this scale, by integration over the
// noise of the winner.
Outcomes report_noisy_max(const Scores& scores, long double scale);

// All orders of the answers enumerated; each is taken with probability exp(epsilon (u - largest) / 2).
Outcomes permute_and_flip(const Scores& scores, long double epsilon);

// Every sequence of answers "above" and "below" until `cutoff` of them were above, by integration over the noise of the
// threshold, which is at 0.
Outcomes sparse_vector(const Scores& queries, long double threshold_scale, long double query_scale, int cutoff);

// Scores of a neighbour: each moved by -1, 0 or 1, or all of them by 0 or 1 only, or by 0 or -1 only.
std::vector<Scores> neighbours_of(const Scores& scores, bool monotonic);

// The largest |ln(p/q)| over all outcomes.
long double largest_loss(const Outcomes& p, const Outcomes& q);

}  // namespace renyi::worlds
