// What another tool recorded, as a plan.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/plan.h"

namespace renyi::api {

// Reading a record is all there is to do: what was run, as the record says.
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
