// Pairs of normal mixtures: a group of k records each of which is sampled with rate q and moves the query by 1 under
// noise N(0, s^2). The weights are those of Binomial(k, q).
#pragma once

#include <cstdint>
#include <memory>

#include "mechanism/monotone/monotone_pair.h"

namespace renyi::sampling {

using monotone::MonotonePair;
using monotone::Reading;

// 0 < rate < 1, group in [1, 10000], 1e-12 <= s <= 1e6; throws InvalidArgument otherwise.
struct GaussianGroup {
  double rate = 0;
  double noise_multiplier = 0;
  std::int64_t group = 1;
};

// P = sum_i w_i N(i, s^2) against Q = N(0, s^2), read as one-sided or (group 1 only) as symmetric.
std::shared_ptr<const MonotonePair> gaussian_pair(const GaussianGroup& group, Reading reading);

// P = sum_i w_i N(i, s^2) against Q = sum_i w_i N(-i, s^2). This pair is already symmetric.
std::shared_ptr<const MonotonePair> opposite_gaussian_pair(const GaussianGroup& group);

// P = (1-g) N(-1, s^2) + g N(1, s^2) against Q = (1-g) N(-1, s^2) + g N(0, s^2), read as symmetric: a record in a
// sample of fixed size against an emptied one, where another record takes its place if it is not drawn.
std::shared_ptr<const MonotonePair> emptied_gaussian_pair(double rate, double noise_multiplier);

}  // namespace renyi::sampling
