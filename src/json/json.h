// The JSON value of this project. It keeps the order of keys, so that what is written back looks like what was read. It
// is only declared here: files that access its contents include <nlohmann/json.hpp>.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace renyi::json {

using Json = nlohmann::ordered_json;

}  // namespace renyi::json
