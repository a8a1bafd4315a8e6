// Records of other tools, as plans (docs/format/convert.md). Class names are looked up in a fixed table:
// nothing a record names is imported or run.
#pragma once

#include <string_view>

#include "renyi/plan.h"

namespace renyi {

// Both throw InvalidArgument or Unsupported with the path into the record.

// The history of an Opacus accountant: [[noise_multiplier, sample_rate, steps], ...], or its state
// {"history": [...], "mechanism": "rdp"}.
Plan convert_opacus(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

// An event of dp_accounting in its named-tuple form: objects
// {"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1},
// or arrays ["dp_accounting.dp_event", "GaussianDpEvent", 1.1].
Plan convert_dp_events(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

}  // namespace renyi
