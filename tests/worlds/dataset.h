// Small datasets and all their neighbours.
#pragma once

#include <vector>

#include "renyi/mechanism.h"

namespace renyi::worlds {

// Records have values -1, 0 and 1. What zero-out leaves behind takes part in sampling and adds nothing.
using Record = int;
inline constexpr Record null = 2;
inline int contribution(Record record) { return record == null ? 0 : record; }

// In rising order: neither samplers nor mechanisms look at the order of records.
using Dataset = std::vector<Record>;

struct Pair {
  Dataset with;     // add-or-remove-one and zero-out: the one with the record
  Dataset without;  // replace-one: the one with another record instead
};

// Every two datasets of `size` records (`with`) that are neighbours, up to `unit` records apart, up to the order
// of records; each two once.
std::vector<Pair> neighbours(int size, Neighbors relation, int unit = 1);

}  // namespace renyi::worlds
