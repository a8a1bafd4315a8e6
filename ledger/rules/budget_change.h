// Whether the budget of a scope may be lowered or raised to another one.
#pragma once

#include "ledger/log/entry.h"

namespace renyi::ledger {

// Throws InvalidArgument unless the request lowers the budget, or raises it, with a reason, up to the cap.
void check_budget_change(const ScopeSettings& settings, const Request& request);

}  // namespace renyi::ledger
