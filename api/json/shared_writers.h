// Writers of answers that the facts of a statement embed unchanged.
#pragma once

#include "api/relate.h"
#include "api/tradeoff.h"
#include "json/json.h"
#include "renyi/explain.h"

namespace renyi::api {

json::Json write_shares(const StepShares& shares);
json::Json write_promises(const Explanation& all);
json::Json write_relation(const NamedRelation& relation);
json::Json write_tradeoff(const TradeoffAnswer& answer);

}  // namespace renyi::api
