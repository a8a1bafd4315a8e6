// The verbs of a ledger that a server offers, and the members of its calls.
#pragma once

#include <string_view>
#include <vector>

#include "api/ledger.h"

namespace renyi::api {

// All verbs but init and import, which make a ledger.
std::vector<LedgerVerb> offered_verbs();
// The members that the body of a call may have.
std::vector<std::string_view> keys_of_call(LedgerVerb verb);

}  // namespace renyi::api
