// Pairs of laws in requests: {"family":"normal","p":{"mean":0,"stddev":1},"q":{...}} and the like.
#pragma once

#include <string_view>

#include "api/api.h"
#include "json/field.h"
#include "renyi/divergence.h"

namespace renyi::api {

// Throws InvalidArgument with the path of what is wrong.
DistributionPair read_pair(const json::Field& pair);

}  // namespace renyi::api
