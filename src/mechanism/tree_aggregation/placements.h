// The worst ways to place a record's participations on the leaves of a tree (docs/math/trees-and-matrices.md, "Several
// participations"): every way that is not beaten by another one in what it costs and in the room it leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanism/participation.h"

namespace renyi::mechanism {

// Some participations within a stretch of leaves. They can be pushed so that `left` leaves before the first and `right`
// leaves after the last are free, as long as these are at most `both` together.
struct Placement {
  std::int64_t squares = 0;  // over the nodes of the stretch: (participations below the node)^2, summed
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t both = 0;
};

class Placements {
 public:
  // In a complete tree with 2^height leaves.
  static Placements in_tree(int height, const Participation& rule);
  // In trees one after the other, as the binary digits of `leaves` say: the complete nodes of a run that long.
  static Placements in_run(std::int64_t leaves, const Participation& rule);

  // One stretch after the other.
  static Placements side_by_side(const Placements& first, const Placements& second, const Participation& rule);
  static Placements repeated(const Placements& run, std::int64_t times, const Participation& rule);

  std::int64_t largest() const;  // sum of squares

 private:
  static Placements single(int height, const Participation& rule);
  void add(std::size_t count, Placement placement, const Participation& rule);
  void add_shifted(const Placements& one, std::int64_t before, std::int64_t after, const Participation& rule);
  void add_pairs(const Placements& first, const Placements& second, const Participation& rule);
  void keep_undominated();

  std::int64_t leaves_ = 0;
  std::vector<std::vector<Placement>> of_count_{};  // [m - 1]: those of m participations
};

}  // namespace renyi::mechanism
