// The answers of a ledger as JSON.
#pragma once

#include "api/ledger.h"
#include "json/json.h"

namespace renyi::api {

json::Json write_ledger(const LedgerAnswer& answer);

}  // namespace renyi::api
