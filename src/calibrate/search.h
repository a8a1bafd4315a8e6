// Where the cost meets the target: the boundary, reported from the private side, in few evaluations.
#pragma once

#include <optional>
#include <string>

#include "calibrate/cost.h"
#include "calibrate/line.h"

namespace renyi::calibrate_detail {

// Where a search begins, and how fast the excess changes there if that is known.
struct Start {
  Setting setting;
  std::optional<double> slope{};
};

struct Found {
  Setting setting;
  double unspent = 0;    // of the target's epsilon, at most, for want of narrower intervals; 0: next to nothing
  std::string beyond{};  // why the next values are not analysed
};

// The boundary, within 1e-9 of ln(value); of whole numbers the last private one. Stops where the private end is as near
// to the target as its interval is wide: no finer answer has a meaning. Throws Unsupported if nothing is private.
Found search(const Cost& cost, const Line& line, const Start& start);

// A place where the excess is next to nothing, on either side, or the nearest there is.
Start roughly(const Cost& cost, const Line& line);

}  // namespace renyi::calibrate_detail
