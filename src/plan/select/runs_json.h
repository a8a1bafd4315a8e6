// The law of the number of runs, in plan files: {"law": name, its numbers}.
#pragma once

#include <functional>
#include <optional>

#include "json/field.h"
#include "renyi/select.h"

namespace renyi::plan {

// What stands for a number that is left open; nothing: it is not.
using StandIn = std::function<std::optional<double>(const json::Field& value, const Parameter& parameter)>;

Runs read_runs(const json::Field& runs, const StandIn& stand_in);
json::Json write_runs(const Runs& runs);

}  // namespace renyi::plan
