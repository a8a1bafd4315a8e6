// How records are drawn, in the words of a statement.
#pragma once

#include <string_view>
#include <vector>

#include "api/api.h"

namespace renyi::api {

struct SchemeWords {
  std::string_view scheme;
  std::string_view name;       // "Poisson sampling"
  std::string_view condition;  // what must be true of the batches
  bool usual_loader;           // does a usual data loader, which shuffles, do it?
};

// Of a name as facts have it.
const SchemeWords& words_for_scheme(std::string_view scheme);

// The schemes of a plan that no usual loader does.
std::vector<SchemeWords> unusual_schemes(const Json& facts);

}  // namespace renyi::api
