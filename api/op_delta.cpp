// {"op":"delta","steps":[...],"epsilon":1.0} -> {"renyi":{"delta","order","conversion"}}
#include <array>

#include "api/ops.h"
#include "api/options.h"
#include "api/want.h"
#include "plan/plan_reader.h"

namespace renyi::api {
namespace {

constexpr std::array<std::string_view, 5> keys{"epsilon", "want", "tolerance", "orders", "conversion"};

json::Json run(const json::Field& request) {
  const Plan plan = plan::read_plan(request);
  const double epsilon = read_epsilon(request);
  const ConversionOptions options = read_conversion(request);
  return answer_parts(request, [&] { return write_bound(renyi_delta(plan, epsilon, options)); });
}

}  // namespace

constinit const Op delta_op{"delta", keys, run};

}  // namespace renyi::api
