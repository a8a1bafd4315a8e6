// What the facts guarantee and assume, in numbers and short words that several sections share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/statement/facts.h"

namespace renyi::api {

// (epsilon, delta) that promises something.
bool is_guarantee(const Facts& facts);

// "(2.38169, 1e-5)-differential privacy", the epsilon rounded up.
std::string guarantee_in_words(const Facts& facts);
// The delta as it was given, every digit.
std::string delta_in_full(const Facts& facts);
// "a contour integral"
std::string_view engine_in_words(Engine engine);
// "adding or removing any one record"
std::string change_in_words(const Facts& facts);

// How records are drawn.
struct SchemeWords {
  Scheme scheme;
  std::string_view name;       // "Poisson sampling"
  std::string_view condition;  // what must be true of the batches
  bool usual_loader;           // does a usual data loader, which shuffles, do it?
};

const SchemeWords& words_for_scheme(Scheme scheme);

// The schemes of a plan that no usual loader does.
std::vector<SchemeWords> unusual_schemes(const Facts& facts);

// How often a record may contribute.
struct ContributionWords {
  std::string in_short{};   // "each record in at most 1 round of tree-aggregation"
  std::string condition{};  // "each record contributes to at most 1 round of each run of tree-aggregation"
  std::string verdict{};    // what a data loader does that breaks it
};

// Of the steps whose figures assume such a rule.
std::vector<ContributionWords> contributions_in_words(const Facts& facts);

}  // namespace renyi::api
