// What a plan guarantees, and the published example of such guarantees.
#pragma once

#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/explain.h"
#include "renyi/papers/bad_outcomes.h"
#include "renyi/plan.h"

namespace renyi::api {

struct ExplainRequest {
  Plan plan{};
  ExplainOptions options{};
  bool reference_table = false;  // if set, the request is not about a plan
};

struct ExplainAnswer {
  Explanation promises{};
  std::vector<ReferenceRow> reference_table{};  // if requested, the other members are empty
};

ExplainRequest read_explain(const Document& request);
ExplainAnswer answer(const ExplainRequest& asked);
std::string write(const Document& request, const ExplainAnswer& answer);

}  // namespace renyi::api
