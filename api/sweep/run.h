// A sweep over all cores: rows come out in order, whatever the order they are made in.
#pragma once

#include <cstdint>
#include <functional>

#include "api/sweep/blocks.h"
#include "api/sweep/rows.h"

namespace renyi::api::sweep {

struct RunOptions {
  std::uint64_t first = 0;  // rows before it are there already
  unsigned jobs = 1;
};

// Gives the rows from options.first on to `write`, block by block, in order. Asks `go_on` between blocks and every
// tenth of a second; once it says no, rows under way are finished and what is complete is written. Both are called by
// the calling thread. Returns how many rows there are now, those before options.first included.
std::uint64_t run(const Rows& rows, const RunOptions& options, const std::function<void(const Block&)>& write,
                  const std::function<bool()>& go_on);

}  // namespace renyi::api::sweep
