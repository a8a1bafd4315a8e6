// Plans from the pieces C gives. They are read as plan files are, so that both allow the same and
// complain in the same words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "renyi/plan.h"

namespace renyi::capi {

// What renyi_plan_add is given.
struct NamedValues {
  const char* const* names = nullptr;
  const double* values = nullptr;
  std::size_t size = 0;
};

// Without steps; `neighbors` may be NULL. Throws InvalidArgument.
Plan empty_plan(const char* neighbors);

// Adds one mechanism. Throws InvalidArgument or Unsupported with the name of the parameter, and
// leaves the plan as it was.
void add_step(Plan& plan, const char* mechanism, const NamedValues& parameters, std::int64_t count);

}  // namespace renyi::capi
