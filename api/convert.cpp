#include "api/convert.h"

namespace renyi::api {

ConvertAnswer answer(const ConvertRequest& asked) { return {asked.record}; }

}  // namespace renyi::api
