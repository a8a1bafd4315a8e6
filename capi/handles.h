// The values behind the handles of c.h.
#pragma once

#include "capi/guard.h"
#include "renyi/filter.h"
#include "renyi/ledger.h"
#include "renyi/plan.h"

struct renyi_plan {
  renyi::Plan value;
};

struct renyi_filter {
  renyi::Filter value;
};

struct renyi_ledger {
  renyi::Ledger value;
};

namespace renyi::capi {

// Returns the value behind a handle, or throws InvalidArgument if it is NULL.
template <class Handle>
auto& opened(Handle* handle, std::string_view name, std::string_view allowed) {
  require(handle, name, allowed);
  return handle->value;
}

}  // namespace renyi::capi
