// What is said in words, and the example that the paper works out.
#include <array>

#include "renyi/explain.h"

namespace renyi {

std::span<const Property> standing_properties() noexcept {
  static constexpr std::array<Property, 2> table{{
      {"post-processing", "whatever is computed from the results alone, now or later, keeps every promise above",
       "van Erven and Harremoes 2014, Theorem 9"},
      {"adaptive composition",
       "further runs on the same data add their divergences order by order, also when a later run is chosen after "
       "seeing earlier results, as long as its parameters are those planned in advance",
       "Mironov 2017, Proposition 1"},
  }};
  return table;
}

// Mironov 2017, section VII, "Baseline-dependent guarantees", gives order 10; the others are the
// same formula.
std::vector<ReferenceRow> reference_table() {
  std::vector<ReferenceRow> rows;
  for (const double baseline : {0.5, 1e-3, 1e-6}) {
    for (const double order : {1.1, 10.0, 100.0}) {
      rows.push_back({baseline, order, outcome_at_order(order, reference_epsilon, baseline)});
    }
  }
  return rows;
}

}  // namespace renyi
