// Converts a record of another tool to a plan.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/plan.h"

namespace renyi::api {

// The plan that was read from the record. Reading it is all the work.
struct ConvertRequest {
  Plan record;
};

struct ConvertAnswer {
  Plan plan;
};

ConvertRequest read_convert(const Document& request);
ConvertAnswer answer(const ConvertRequest& asked);
std::string write(const Document& request, const ConvertAnswer& answer);

}  // namespace renyi::api
