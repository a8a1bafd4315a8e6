// How often a record may contribute, in the words of a statement.
#pragma once

#include <string>
#include <vector>

#include "api/api.h"

namespace renyi::api {

struct ContributionWords {
  std::string in_short{};   // "each record in at most 1 round of tree-aggregation"
  std::string condition{};  // "each record contributes to at most 1 round of each run of tree-aggregation"
  std::string verdict{};    // what a data loader does that breaks it
};

// Of the steps whose figures assume such a rule.
std::vector<ContributionWords> contributions_in_words(const Json& facts);

}  // namespace renyi::api
