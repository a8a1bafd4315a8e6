// Tables of probabilities: CSV or JSON, made into the pair of a request.
#pragma once

#include <string>
#include <string_view>

#include "api/api.h"

namespace renyi::cli {

// A file, or standard input for "-". JSON if it starts with {, else CSV. Throws InvalidArgument naming file and line.
api::Json read_pair_table(const std::string& name);

// Lines "p,q" or "label,p,q"; the first may be a heading. `source` is what messages call it.
api::Json pair_from_csv(std::string_view text, const std::string& source);

}  // namespace renyi::cli
