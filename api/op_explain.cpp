// {"op":"explain","steps":[...],"baseline":[0.5],"orders":[2],"delta":1e-5,"factors":[2],"group_size":4}
//   -> what the plan promises; {"op":"explain","reference_table":true} -> the published example
#include <array>

#include "api/ops.h"
#include "api/options.h"
#include "api/write_promises.h"
#include "renyi/explain.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 6> keys{"baseline", "orders",     "delta",
                                               "factors",  "group_size", "reference_table"};

ExplainOptions read_options(const Field& request) {
  ExplainOptions options;
  if (const auto field = request.find("baseline")) {
    options.baselines = read_numbers(*field, "probabilities in (0, 1)", [](double p) { return p > 0 && p < 1; });
    options.exact = ExactOptions{};  // for baselines by name only: it may take seconds
  }
  if (const auto field = request.find("orders")) options.orders = read_orders(*field);
  if (const auto field = request.find("factors")) {
    options.factors = read_numbers(*field, "numbers of at least 1", [](double b) { return b >= 1; });
  }
  if (request.find("delta")) options.delta = read_delta(request);
  if (const auto field = request.find("group_size")) {
    options.group_size = field->integer(2, std::int64_t{1} << most_doublings);
  }
  return options;
}

Json run(const Request& request) {
  if (const auto table = request.find("reference_table")) {
    if (table->value() != true) table->refuse("only true");
    request.allow_only(std::array<std::string_view, 3>{"op", "id", "reference_table"});
    return write_reference_table();
  }
  const Plan plan = request.plan();
  return write_promises(explain(plan, read_options(request)));
}

}  // namespace

constinit const Op explain_op{"explain", keys, run};

}  // namespace renyi::api
