// Plans as handles.
#include "capi/guard.h"
#include "capi/plan_text.h"
#include "capi/questions.h"
#include "capi/text.h"
#include "renyi/c.h"
#include "renyi/plan_json.h"

struct renyi_plan {
  renyi::Plan value;
};

namespace {

namespace capi = renyi::capi;

// *plan, or InvalidArgument.
template <class Handle>
auto& opened(Handle* plan) {
  capi::require(plan, "plan", "a plan");
  return plan->value;
}

}  // namespace

renyi_plan* renyi_plan_new(const char* neighbors, renyi_error* error) {
  return capi::made(error, [&] { return new renyi_plan{capi::empty_plan(neighbors)}; });
}

renyi_plan* renyi_plan_from_json(const char* json, renyi_error* error) {
  return capi::made(error, [&] {
    capi::require(json, "json", "the text of a plan file");
    return new renyi_plan{renyi::read_plan(json)};
  });
}

char* renyi_plan_to_json(const renyi_plan* plan, renyi_error* error) {
  return capi::made(error, [&] { return capi::c_text(renyi::write_plan(opened(plan))); });
}

renyi_status renyi_plan_add(renyi_plan* plan, const char* mechanism, const char* const* names, const double* values,
                            size_t size, int64_t count, renyi_error* error) {
  return capi::guarded(error, [&] { capi::add_step(opened(plan), mechanism, {names, values, size}, count); });
}

void renyi_plan_free(renyi_plan* plan) { delete plan; }

renyi_status renyi_plan_epsilon(const renyi_plan* plan, double delta, renyi_result* out, renyi_error* error) {
  return capi::answered(out, capi::worst_epsilon, error, [&] { return capi::epsilon_of(opened(plan), delta); });
}

renyi_status renyi_plan_delta(const renyi_plan* plan, double epsilon, renyi_result* out, renyi_error* error) {
  return capi::answered(out, capi::worst_delta, error, [&] { return capi::delta_of(opened(plan), epsilon); });
}

renyi_status renyi_plan_rdp(const renyi_plan* plan, const double* orders, size_t size, double* out,
                            renyi_error* error) {
  return capi::answer_rdp([&]() -> const renyi::Plan& { return opened(plan); }, {orders, size, out}, error);
}
