// What a plan is asked, as C sees the answers.
#pragma once

#include <cstddef>

#include "capi/guard.h"
#include "renyi/c.h"
#include "renyi/plan.h"

namespace renyi::capi {

// What a failed question leaves behind: true of every plan.
extern const renyi_result worst_epsilon;
extern const renyi_result worst_delta;

// The Renyi bound, and the exact interval where there is one.
renyi_result epsilon_of(const Plan& plan, double delta);
renyi_result delta_of(const Plan& plan, double epsilon);

// A question for divergences: where they go, and at which orders. Both may be one array.
struct RdpQuestion {
  const double* orders = nullptr;
  std::size_t size = 0;
  double* out = nullptr;
};

// Upper bounds, to out[0..size).
void write_rdp(const Plan& plan, const RdpQuestion& question);
// The same after a failure.
void write_infinite_rdp(const RdpQuestion& question) noexcept;

// Divergences of the plan that `plan` returns.
template <class MakePlan>
renyi_status answer_rdp(const MakePlan& plan, const RdpQuestion& question, renyi_error* error) noexcept {
  const renyi_status status = guarded(error, [&] { write_rdp(plan(), question); });
  if (status != RENYI_OK) write_infinite_rdp(question);
  return status;
}

}  // namespace renyi::capi
