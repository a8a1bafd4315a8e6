// What a plan promises, as JSON (docs/format/requests.md, "explain").
#pragma once

#include "json/parse.h"
#include "renyi/explain.h"

namespace renyi::api {

json::Json write_promises(const Explanation& all);
json::Json write_reference_table();

}  // namespace renyi::api
