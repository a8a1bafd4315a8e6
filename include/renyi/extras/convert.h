// Converts records of other privacy tools to plans (docs/format/convert.md). Class names in a record are looked up in a
// fixed table: nothing that a record names is imported or executed.
#pragma once

#include <string_view>

#include "renyi/plan.h"

namespace renyi {

// Both functions throw InvalidArgument or Unsupported with the path of the faulty element in the record.

// Converts the history of an Opacus accountant, [[noise_multiplier, sample_rate, steps], ...], or its state,
// {"history": [...], "mechanism": "rdp"}.
//
//     const renyi::Plan plan = renyi::convert_opacus("[[1.1, 0.01, 10000]]");
[[nodiscard]] Plan convert_opacus(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

// Converts an event of dp_accounting in its named-tuple form: as an object
// {"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1},
// or as an array ["dp_accounting.dp_event", "GaussianDpEvent", 1.1].
//
//     const renyi::Plan plan = renyi::convert_dp_events(R"(["dp_accounting.dp_event", "GaussianDpEvent", 1.1])");
[[nodiscard]] Plan convert_dp_events(std::string_view json, Neighbors neighbors = Neighbors::add_or_remove_one);

}  // namespace renyi
