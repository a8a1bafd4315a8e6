#include "api/compare.h"

namespace renyi::api {

Comparison answer(const CompareAsked& asked) { return compare(asked.plan, asked.delta, asked.options); }

}  // namespace renyi::api
