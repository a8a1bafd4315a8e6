// What a plan promises, and the published example of such promises.
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
  bool reference_table = false;  // then no plan is asked about
};

struct ExplainAnswer {
  Explanation promises{};
  std::vector<ReferenceRow> reference_table{};  // where that was asked for; then there is nothing else
};

ExplainRequest read_explain(const Document& request);
ExplainAnswer answer(const ExplainRequest& asked);
std::string write(const Document& request, const ExplainAnswer& answer);

}  // namespace renyi::api
