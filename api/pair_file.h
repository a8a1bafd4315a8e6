// Tables of probabilities as JSON files: {"p":[...],"q":[...],"normalize":true}.
#pragma once

#include <string_view>

#include "api/api.h"

namespace renyi::api {

// The "pair" of a divergence request, from the text of such a file. The numbers are checked when the
// request is evaluated. Throws InvalidArgument.
Json pair_from_file(std::string_view text);

}  // namespace renyi::api
