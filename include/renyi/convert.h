// Records of other tools, as plans (docs/format/convert.md). Class names are looked up in a fixed table:
// nothing a record names is imported or run.
#pragma once

#include <string>
#include <string_view>

#include "renyi/plan.h"

namespace renyi {

// `non_private`: the record holds a step with no privacy at all, whose epsilon is infinite. No plan can say
// that: `plan` then holds the other steps, and `non_private_at` the path of the first such step.
struct Converted {
  Plan plan;
  bool non_private = false;
  std::string non_private_at{};
};

// Both throw InvalidArgument or Unsupported with the path into the record.

// The history of an Opacus accountant: [[noise_multiplier, sample_rate, steps], ...], or its state
// {"history": [...], "mechanism": "rdp"}.
Converted convert_opacus(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

// An event of dp_accounting in its named-tuple form: objects
// {"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1},
// or arrays ["dp_accounting.dp_event", "GaussianDpEvent", 1.1].
Converted convert_dp_events(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

}  // namespace renyi
