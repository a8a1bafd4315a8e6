// The epsilon of a plan at a delta, and its delta at an epsilon: the answer is a Cost.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/cost.h"

namespace renyi::api {

struct CostRequest {
  Plan plan;
  Quantity quantity = Quantity::epsilon;
  double at = 0;
  CostOptions options{};
};

CostRequest read_epsilon_cost(const Document& request);
CostRequest read_delta_cost(const Document& request);
inline Cost answer(const CostRequest& asked) {
  return asked.quantity == Quantity::epsilon ? epsilon(asked.plan, asked.at, asked.options)
                                             : delta(asked.plan, asked.at, asked.options);
}
std::string write(const Document& request, const Cost& cost);

}  // namespace renyi::api
