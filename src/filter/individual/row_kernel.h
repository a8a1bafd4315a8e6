// The balances of one record in many quantities, charged at once.
#pragma once

#include <cstddef>

namespace renyi::filter {

// What one charge of a record needs; all arrays have `size` elements.
struct Row {
  double* spent;
  const double* cost;
  double factor;  // times each cost, rounded up
  const double* limit;
  double* after;  // room for the sums
  std::size_t size;
  std::size_t needed;  // how many sums must be within their limits
};

// Adds the costs, rounded up, if enough sums stay within their limits, and returns whether they do. If they do not, the
// balances stay as they are or, if `takes_all`, rise to the limits.
bool charge_row(const Row& row, bool takes_all);

}  // namespace renyi::filter
