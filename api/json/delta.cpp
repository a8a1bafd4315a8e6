// {"op":"delta","steps":[...],"epsilon":1.0} -> {"renyi":{"delta","order","conversion","delta_apart"?,"method"?},
//   "exact":{"lower","upper","engine","direction","remove":{...},"add":{...}},"note"?,"sampling"?,
//   "under_poisson"?:{"delta_estimate"}}
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"

namespace renyi::api {
namespace delta_file {
namespace {

constexpr std::array<std::string_view, 7> keys{"epsilon", "want",       "tolerance", "memory",
                                               "orders",  "conversion", "method"};

DeltaBound bound_of(const Plan& plan, double epsilon, const ConversionOptions& options, const Wanted& wanted) {
  return wanted.method ? renyi_delta(plan, epsilon, *wanted.method, options) : renyi_delta(plan, epsilon, options);
}

Accounts accounts_at(double epsilon, const ConversionOptions& options, const Wanted& wanted) {
  Accounts accounts;
  accounts.renyi = [=](const Plan& plan) { return bound_of(plan, epsilon, options, wanted).delta; };
  if (wanted.exact) {
    accounts.exact = [=](const Plan& plan) { return ExactAccountant(plan, wanted.options).delta(epsilon).worst.upper; };
  }
  return accounts;
}

json::Json run(const Request& request) {
  const Plan plan = request.plan();
  const double epsilon = read_epsilon(request);
  const ConversionOptions options = read_conversion(request);
  const Wanted wanted = read_want(request);
  json::Json answer = json::Json::object();
  if (wanted.renyi) {
    answer["renyi"] = write_bound(bound_of(plan, epsilon, options, wanted));
    if (wanted.method) answer["renyi"]["method"] = std::string(to_string(*wanted.method));
  }
  if (wanted.exact) {
    answer["exact"] =
        exact_part(wanted, Figure::delta, [&] { return ExactAccountant(plan, wanted.options).delta(epsilon); });
    note_promises(answer, answer["exact"], plan);
  }
  note_overflow(answer, plan);
  note_under_poisson(answer, plan, "delta", accounts_at(epsilon, options, wanted));
  return answer;
}

}  // namespace
}  // namespace delta_file

constinit const Op delta_op{"delta", delta_file::keys, delta_file::run};

}  // namespace renyi::api
