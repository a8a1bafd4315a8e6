// {"op":"epsilon","steps":[...],"delta":1e-5} -> {"renyi":{"epsilon","order","conversion","delta_apart"?,"method"?},
//   "exact":{"lower","upper","engine","direction","remove":{...},"add":{...}},"note"?,"sampling"?,
//   "under_poisson"?:{"epsilon_estimate"}}
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"

namespace renyi::api {
namespace epsilon_file {
namespace {

constexpr std::array<std::string_view, 7> keys{"delta",  "want",       "tolerance", "memory",
                                               "orders", "conversion", "method"};

EpsilonBound bound_of(const Plan& plan, double delta, const ConversionOptions& options, const Wanted& wanted) {
  return wanted.method ? renyi_epsilon(plan, delta, *wanted.method, options) : renyi_epsilon(plan, delta, options);
}

Accounts accounts_at(double delta, const ConversionOptions& options, const Wanted& wanted) {
  Accounts accounts;
  accounts.renyi = [=](const Plan& plan) { return bound_of(plan, delta, options, wanted).epsilon; };
  if (wanted.exact) {
    accounts.exact = [=](const Plan& plan) { return ExactAccountant(plan, wanted.options).epsilon(delta).worst.upper; };
  }
  return accounts;
}

json::Json run(const Request& request) {
  const Plan plan = request.plan();
  const double delta = read_delta(request);
  const ConversionOptions options = read_conversion(request);
  const Wanted wanted = read_want(request);
  json::Json answer = json::Json::object();
  if (wanted.renyi) {
    answer["renyi"] = write_bound(bound_of(plan, delta, options, wanted));
    if (wanted.method) answer["renyi"]["method"] = std::string(to_string(*wanted.method));
  }
  if (wanted.exact) {
    answer["exact"] =
        exact_part(wanted, Figure::epsilon, [&] { return ExactAccountant(plan, wanted.options).epsilon(delta); });
    note_promises(answer, answer["exact"], plan);
  }
  note_overflow(answer, plan);
  note_under_poisson(answer, plan, "epsilon", accounts_at(delta, options, wanted));
  return answer;
}

}  // namespace
}  // namespace epsilon_file

constinit const Op epsilon_op{"epsilon", epsilon_file::keys, epsilon_file::run};

}  // namespace renyi::api
