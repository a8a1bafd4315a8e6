// {"op":"epsilon","steps":[...],"delta":1e-5} -> {"renyi":{"epsilon","order","conversion"}}
#include <array>

#include "api/ops.h"
#include "api/options.h"
#include "api/want.h"
#include "plan/plan_reader.h"

namespace renyi::api {
namespace {

constexpr std::array<std::string_view, 5> keys{"delta", "want", "tolerance", "orders", "conversion"};

json::Json run(const json::Field& request) {
  const Plan plan = plan::read_plan(request);
  const double delta = read_delta(request);
  const ConversionOptions options = read_conversion(request);
  return answer_parts(request, [&] { return write_bound(renyi_epsilon(plan, delta, options)); });
}

}  // namespace

constinit const Op epsilon_op{"epsilon", keys, run};

}  // namespace renyi::api
