// Which kind of filter lets most steps of an expected workload run within a target.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/filter_design.h"
#include "renyi/plan.h"

namespace renyi::api {

struct FilterDesignRequest {
  Plan plan;
  double epsilon = 0;
  double delta = 0;
  FilterDesignOptions options{};
};

FilterDesignRequest read_filter_design(const Document& request);
FilterDesign answer(const FilterDesignRequest& asked);
std::string write(const Document& request, const FilterDesign& answer);

}  // namespace renyi::api
