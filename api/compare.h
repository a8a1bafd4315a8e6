// The epsilon that each composition theorem proves for a plan, side by side.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/plan.h"

namespace renyi::api {

struct CompareAsked {
  Plan plan;
  double delta = 0;
  CompareOptions options{};
};

CompareAsked read_compare(const Document& request);
Comparison answer(const CompareAsked& asked);
std::string write(const Document& request, const Comparison& answer);

}  // namespace renyi::api
