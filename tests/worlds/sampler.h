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
Sampler with_replacement(int size, int batch);
// A Poisson sample; if it is larger than the limit, a uniformly random part of it of that size.
Sampler truncated_poisson(double rate, int size, int limit);

// A shuffled epoch is not one sample: the batches, in order, of a uniformly random permutation.
std::map<std::vector<Dataset>, long double> shuffled(const Dataset& data, int batches);

}  // namespace renyi::worlds
