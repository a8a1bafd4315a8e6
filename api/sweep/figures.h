// The figure of every configuration of a grid: what a table or a heat map shows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sweep/grid.h"
#include "api/sweep/rows.h"

namespace renyi::api::sweep {

struct Figure {
  std::optional<double> value{};        // not set if there is no answer
  std::optional<std::int64_t> whole{};  // the value, if it is a whole number
  bool is_upper = true;                 // whether rounding up is on the private side; else rounding down is
  std::string failure{};                // why there is no answer
  std::string failure_path{};           // the path in the request that this is about
};

// The figures of a grid with its axes, in the order of the rows: the last axis varies fastest.
struct Figures {
  std::string name;            // "epsilon", "delta", or the number that was solved for
  bool by_renyi_only = false;  // whether exact intervals were not asked for
  std::vector<Axis> axes;
  std::vector<Figure> values;
};

// Computes one figure per configuration on several threads: of an epsilon or a delta, the upper end of the exact
// interval, or the Renyi bound if there is no exact one; of a calibration, the value. `go_on` is called from time to
// time, and the result is incomplete once it returns false.
Figures figures_of(const Grid& grid, unsigned jobs, const std::function<bool()>& go_on);

// Reads the same from the rows of a complete sweep, as `Rows` wrote them, with their header.
Figures figures_in(const Grid& grid, Format format, std::string_view rows);

// Returns the numbers and words of the request that are no axes, as text: "dataset_size=60000, delta=1e-5".
std::string fixed_numbers(const Grid& grid);

}  // namespace renyi::api::sweep
