#include "api/tradeoff.h"

#include <algorithm>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::api {

namespace tradeoff_file {
namespace {

// Returns true if the interval is too wide to be called exact.
bool is_wide(const Interval& range) {
  constexpr double widest = 1e-3;
  return !(range.upper - range.lower <= widest);
}

bool is_wide(const LeastError& least) { return is_wide(least.type_two) || is_wide(least.power); }

bool has_wide(const TradeoffPoint& point) {
  return is_wide(point.worst) || is_wide(point.remove) || is_wide(point.add);
}

}  // namespace
}  // namespace tradeoff_file

TradeoffAnswer answer(const TradeoffRequest& asked) {
  using namespace tradeoff_file;
  try {
    const Analysis analysis(asked.plan);
    TradeoffAnswer found{.points = tradeoff(analysis, asked.type_one_errors, asked.options),
                         .advantage = advantage(analysis, asked.options)};
    if (is_wide(found.advantage) || std::any_of(found.points.begin(), found.points.end(), has_wide)) {
      found.note = "some intervals are wide: no engine is narrow there";
    }
    return found;
  } catch (const Unsupported& error) {
    throw Unsupported(error.path(), error.why(), "give the mechanism itself");
  }
}

}  // namespace renyi::api
