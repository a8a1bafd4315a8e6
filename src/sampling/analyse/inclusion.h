// How one record, or one user's records, enter a sample: the cases that a sampling scheme and a neighbouring relation
// leave to be analysed (docs/math/sampling.md, "Who gets what").
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/rounding.h"
#include "renyi/sampling.h"

namespace renyi::sampling {

enum class Shape {
  one_sided,  // (1-g) Q + g P against Q
  symmetric,  // the larger of that and its mirror image, at every threshold
  emptied,    // as symmetric, where the record is emptied: only normal noise is analysed so, others as symmetric
  opposite,   // (1-g) A + g B against (1-g) A + g B': two records, each compared with none
};

// What two outcomes of the sampled step differ by.
enum class Distance {
  presence,  // a record is present or absent
  exchange,  // a record is replaced by another
};

struct Inclusion {
  double weight = 1;  // which inclusion was drawn counts as part of the output
  double rate = 0;
  Distance distance = Distance::presence;
  double copies = 1;  // the number of copies of the record
  Shape shape = Shape::one_sided;
  std::int64_t group = 1;  // the number of records that enter independently, each at that rate
};

// Shuffled epochs are analysed elsewhere (`epoch` in analyse.cpp). Throws Unsupported for what is not analysed.
// `rounding` is that of a rate that is a quotient.
std::vector<Inclusion> inclusions(const Sampling& sampling, const Adjacency& relation,
                                  numerics::Rounding rounding = numerics::Rounding::up);

// Records that enter independently, with their number made part of the output. This never costs less than the exact
// value.
std::vector<Inclusion> revealed_group(const Inclusion& inclusion);

}  // namespace renyi::sampling
