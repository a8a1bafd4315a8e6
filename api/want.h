// Which parts of an answer are asked for.
#pragma once

#include <functional>

#include "json/field.h"

namespace renyi::api {

// Reads "want" (default: every part this version has) and "tolerance", and puts
// together the answer. A part that is asked for by name and cannot be given says
// why: {"unavailable":"..."}.
json::Json answer_parts(const json::Field& request, const std::function<json::Json()>& renyi_part);

}  // namespace renyi::api
