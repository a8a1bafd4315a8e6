// Sizes of a training run as unknowns. The batch size determines the sampling and, if epochs are given, also how many
// steps there are; epochs are found as steps.
#pragma once

#include <cstdint>

#include "calibrate/plan_with_unknown.h"
#include "calibrate/search.h"
#include "renyi/calibrate.h"
#include "renyi/run.h"

namespace renyi::calibrate_detail {

// Returns the batch size of the run as the unknown of its plan. Throws InvalidArgument if the sizes do not fit
// together.
OpenNumber open_batch_size(const Plan& plan, const Unknown& unknown);

// Returns true if the number of steps depends on the batch size, because epochs are given.
bool steps_follow_from_batch(const RunSizes& sizes);

// Finds the last batch size that meets the target. If epochs are given, the cost is not monotone
// (docs/math/calibration.md, "Sizes of a run"): it also looks at the smallest batch sizes of smaller numbers of steps.
SearchResult last_batch_size(const RunSizes& sizes, const SettingCost& cost, const SearchAxis& axis,
                             const Start& start);

// The numbers of records that determine how many steps an epoch has.
struct EpochRule {
  std::int64_t dataset_size = 1;
  std::int64_t step_size = 1;

  std::int64_t steps(double epochs) const { return steps_from_epochs(epochs, dataset_size, step_size); }
  double epochs(std::int64_t steps) const { return epochs_from_steps(steps, dataset_size, step_size); }
};
// Returns the rule of a run whose epochs are unknown. Throws InvalidArgument if the sizes do not fit together.
EpochRule epoch_rule(const RunSizes& sizes);

}  // namespace renyi::calibrate_detail
