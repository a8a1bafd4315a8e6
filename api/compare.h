// Compares the epsilons that the composition theorems prove for a plan.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/plan.h"

namespace renyi::api {

struct CompareRequest {
  Plan plan;
  double delta = 0;
  CompareOptions options{};
};

CompareRequest read_compare(const Document& request);
Comparison answer(const CompareRequest& asked);
std::string write(const Document& request, const Comparison& answer);

}  // namespace renyi::api
