// Small datasets and all their neighbours.
#pragma once

#include <vector>

#include "renyi/mechanism.h"

namespace renyi::worlds {

// Records have values -1, 0 and 1. The empty record of zero-out takes part in sampling and contributes nothing.
using Record = int;
inline constexpr Record null = 2;
inline int contribution(Record record) { return record == null ? 0 : record; }

// Records are in ascending order: neither sampling schemes nor mechanisms depend on the order of records.
using Dataset = std::vector<Record>;

struct Pair {
  Dataset with;     // add-or-remove-one and zero-out: the one with the record
  Dataset without;  // replace-one: the one with another record instead
};

// Returns all pairs of neighbouring datasets in which `with` has `size` records and that differ in up to `unit`
// records. The order of records does not matter, and each pair occurs once.
std::vector<Pair> neighbours(int size, Neighbors relation, int unit = 1);

}  // namespace renyi::worlds
