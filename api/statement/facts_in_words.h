// What the facts guarantee and assume, in numbers and short words that several sections share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"

namespace renyi::api {

// Is this part there, or why there is none?
bool is_given(const Json& part);

// The epsilon that `renyi epsilon` prints first: the upper end of the exact interval, or the Renyi bound.
const Json& best_epsilon(const Json& facts);
// An engine served it; otherwise it is a bound.
bool is_exact(const Json& facts);
// (epsilon, delta) that promises something.
bool is_guarantee(const Json& facts);

// "(2.38169, 1e-5)-differential privacy", the epsilon rounded up.
std::string guarantee_in_words(const Json& facts);
// The delta as it was given, every digit.
std::string delta_in_full(const Json& facts);
// Of "contour": "a contour integral".
std::string_view engine_in_words(std::string_view engine);
// "adding or removing any one record"
std::string change_in_words(const Json& facts);

// How records are drawn.
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

// How often a record may contribute.
struct ContributionWords {
  std::string in_short{};   // "each record in at most 1 round of tree-aggregation"
  std::string condition{};  // "each record contributes to at most 1 round of each run of tree-aggregation"
  std::string verdict{};    // what a data loader does that breaks it
};

// Of the steps whose figures assume such a rule.
std::vector<ContributionWords> contributions_in_words(const Json& facts);

}  // namespace renyi::api
