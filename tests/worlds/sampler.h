// Every sample a sampler can draw from a small dataset, with its probability.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "worlds/dataset.h"

namespace renyi::worlds {

using Samples = std::map<Dataset, long double>;

struct Sampler {
  std::string name;
  std::string json;  // the member "sampling" of a step on `size` records; nothing: all of them
  std::function<Samples(const Dataset&)> samples;
};

Sampler everyone();
Sampler poisson(double rate);
Sampler fixed_size(int size, int batch);
// The same from at least so many places, those without a record being empty.
Sampler padded_fixed_size(int places, int batch);
Sampler with_replacement(int size, int batch);
// A Poisson sample; if it is larger than the limit, a uniformly random part of it of that size.
Sampler truncated_poisson(double rate, int size, int limit);

// An epoch is not one sample but all of its batches, in order.
using Epochs = std::map<std::vector<Dataset>, long double>;

// The batches of a uniformly random permutation.
Epochs shuffled(const Dataset& data, int batches);

// Every record independently lies in so many of the batches, all choices equally likely.
Epochs allocated(const Dataset& data, int batches, int participations);

}  // namespace renyi::worlds
