#include "api/convert.h"

namespace renyi::api {

ConvertAnswer answer(const ConvertAsked& asked) { return {asked.record}; }

}  // namespace renyi::api
