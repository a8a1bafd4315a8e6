// Balances as filters and ledgers write them.
#pragma once

#include <optional>
#include <vector>

#include "json/json.h"
#include "renyi/filter.h"

namespace renyi::api {

// [{"name","order"?,"spent","limit","left","within"},...].
json::Json write_balances(const std::vector<Balance>& balances);
// {"parameter","value","is_closest"?}, or null.
json::Json write_fitting(const std::optional<FittingStep>& fitting);

}  // namespace renyi::api
