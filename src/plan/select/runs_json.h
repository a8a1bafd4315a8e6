// The law of the number of runs, in plan files: {"law": name, its numbers}.
#pragma once

#include "json/field.h"
#include "renyi/select.h"

namespace renyi::plan {

Runs read_runs(const json::Field& runs);
json::Json write_runs(const Runs& runs);

}  // namespace renyi::plan
