#include "api/explain.h"

#include "renyi/papers/bad_outcomes.h"

namespace renyi::api {

ExplainAnswer answer(const ExplainRequest& asked) {
  if (asked.reference_table) return {.reference_table = reference_table()};
  return {.promises = explain(asked.plan, asked.options)};
}

}  // namespace renyi::api
