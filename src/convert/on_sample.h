// What runs on a sample is one mechanism on it.
#pragma once

#include <string>

#include "convert/parts.h"

namespace renyi::convert {

// Where in the record: the sampled event, and what it holds.
struct SampledPlace {
  std::string path;
  std::string inside;
  Neighbors neighbors = Neighbors::add_or_remove_one;
};

// Gaussians on one sample are one Gaussian, and a single step is itself; throws Unsupported for anything else. No part
// is without privacy, and there is at least one.
Part on_sample(const Parts& parts, const Sampling& sampling, const SampledPlace& place);

}  // namespace renyi::convert
