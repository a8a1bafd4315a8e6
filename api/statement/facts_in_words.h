// The guarantee and the assumptions of the facts, as numbers and short phrases that several sections share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/statement/facts.h"

namespace renyi::api {

// Returns true if (epsilon, delta) is a guarantee at all.
bool is_guarantee(const Facts& facts);

// "(2.38169, 1e-5)-differential privacy", the epsilon rounded up.
std::string guarantee_in_words(const Facts& facts);
// The delta as it was given, with every digit.
std::string delta_in_full(const Facts& facts);
// "a contour integral"
std::string_view engine_in_words(Engine engine);
// "adding or removing any one record"
std::string change_in_words(const Facts& facts);

// Describes how records are drawn.
struct SchemeWords {
  Scheme scheme;
  std::string_view name;       // "Poisson sampling"
  std::string_view condition;  // the condition that the batches must meet
  bool usual_loader;           // whether a usual data loader, which shuffles, does it
};

const SchemeWords& words_for_scheme(Scheme scheme);

// Returns the schemes of a plan that no usual data loader implements.
std::vector<SchemeWords> unusual_schemes(const Facts& facts);

// Describes how often a record may contribute.
struct ContributionWords {
  std::string in_short{};   // "each record in at most 1 round of tree-aggregation"
  std::string condition{};  // "each record contributes to at most 1 round of each run of tree-aggregation"
  std::string verdict{};    // how a data loader may violate it
};

// Describes the steps whose values assume such a rule.
std::vector<ContributionWords> contributions_in_words(const Facts& facts);

}  // namespace renyi::api
