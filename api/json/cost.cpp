// {"op":"epsilon","steps":[...],"delta":1e-5} -> {"renyi":{"epsilon","order","conversion","delta_apart"?,"method"?},
//   "exact":{"lower","upper","engine","direction","remove":{...},"add":{...},"standing","note"?,"contradiction"?},"note"?,
//   "sampling"?,"under_poisson"?:{"epsilon_estimate"}}
// {"op":"delta","steps":[...],"epsilon":1.0} -> the same with "delta" instead of "epsilon"
#include "api/cost.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"

namespace renyi::api {
namespace cost_file {
namespace {

using json::Json;

constexpr std::array<std::string_view, 7> epsilon_keys{"delta",  "want",       "tolerance", "memory",
                                                       "orders", "conversion", "method"};
constexpr std::array<std::string_view, 7> delta_keys{"epsilon", "want",       "tolerance", "memory",
                                                     "orders",  "conversion", "method"};

CostRequest read_epsilon(const Request& request) {
  CostRequest asked{.plan = request.plan(), .quantity = Quantity::epsilon};
  asked.at = read_delta(request);
  asked.options = read_cost_options(request);
  return asked;
}

CostRequest read_delta_of(const Request& request) {
  CostRequest asked{.plan = request.plan(), .quantity = Quantity::delta};
  asked.at = api::read_epsilon(request);
  asked.options = read_cost_options(request);
  return asked;
}

}  // namespace
}  // namespace cost_file

constinit const Op epsilon_op{"epsilon", cost_file::epsilon_keys, run<cost_file::read_epsilon, write_cost>};
constinit const Op delta_op{"delta", cost_file::delta_keys, run<cost_file::read_delta_of, write_cost>};

CostRequest read_epsilon_cost(const Document& request) { return cost_file::read_epsilon(checked(epsilon_op, request)); }

CostRequest read_delta_cost(const Document& request) { return cost_file::read_delta_of(checked(delta_op, request)); }

std::string write(const Document& request, const Cost& cost) {
  return written(cost.quantity == Quantity::epsilon ? epsilon_op : delta_op, request, write_cost(cost));
}

}  // namespace renyi::api
