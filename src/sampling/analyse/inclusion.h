// How one record, or one person's records, enter a sample: what a scheme and a relation leave to be analysed
// (docs/math/sampling.md, "Who gets what").
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/rounding.h"
#include "renyi/sampling.h"

namespace renyi::sampling {

enum class Shape {
  one_sided,  // (1-g) Q + g P against Q
  symmetric,  // the larger of that and its mirror image, at every threshold
  opposite,   // (1-g) A + g B against (1-g) A + g B': two records, each against none
};

// How far apart two outcomes of the sampled step are.
enum class Distance {
  presence,  // a record more or less
  exchange,  // a record in the place of another
};

struct Inclusion {
  double weight = 1;  // which one it is, counts as part of the output
  double rate = 0;
  Distance distance = Distance::presence;
  double copies = 1;  // of the record
  Shape shape = Shape::one_sided;
  std::int64_t group = 1;  // records that enter by themselves, each at that rate
};

// Shuffled epochs are none of this: `shuffled`. Throws Unsupported for what is not analysed. `rounding`: of a rate that
// is a quotient.
std::vector<Inclusion> inclusions(const Sampling& sampling, const Adjacency& relation,
                                  numerics::Rounding rounding = numerics::Rounding::up);

// Records that enter by themselves, their number made part of the output: never less than the truth.
std::vector<Inclusion> revealed_group(const Inclusion& inclusion);

}  // namespace renyi::sampling
