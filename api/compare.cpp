#include "api/compare.h"

namespace renyi::api {

Comparison answer(const CompareRequest& asked) { return compare(asked.plan, asked.delta, asked.options); }

}  // namespace renyi::api
