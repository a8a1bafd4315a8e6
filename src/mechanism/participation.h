// How often one record takes part in a run of several steps, and how far apart.
#pragma once

#include <algorithm>
#include <cstdint>

namespace renyi::mechanism {

struct Participation {
  std::int64_t most = 1;        // steps that one record takes part in
  std::int64_t separation = 1;  // from one of them to the next, at least

  // As many as fit into a run: the steps 0, b, 2b, ... below `steps`.
  std::int64_t most_in(std::int64_t steps) const { return std::min(most, (steps - 1) / separation + 1); }
};

}  // namespace renyi::mechanism
