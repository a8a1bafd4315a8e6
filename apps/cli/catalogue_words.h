// An entry of the catalogue in words.
#pragma once

#include <string>
#include <vector>

#include "api/api.h"

namespace renyi::cli {

// A number of a mechanism: "stddev", or "points[].order" of a table.
struct CatalogueNumber {
  std::string name;
  std::string meaning;
  std::string allowed;
  std::string fallback;  // empty: it must be given
  std::string effect;    // "more costs less"; empty where that is not so simple
};
// Those of one list of parameters.
std::vector<CatalogueNumber> numbers_in(const api::Json& parameters, const std::string& prefix = {});
// All of an entry, tables included.
std::vector<CatalogueNumber> numbers_of(const api::Json& entry);

// "stddev, l2_sensitivity = 1, or noise_multiplier for stddev"
std::string parameters_in_short(const api::Json& entry);
// "rows of order, divergence"
std::string shape_of(const api::Json& table);
// "exact", "exact, in part bounds", "Renyi bounds": what can be had of it.
std::string figures_in_short(const api::Json& entry);
std::string sampling_in_words(const api::Json& entry);
std::string groups_in_words(const api::Json& entry);
std::string certified_in_words(const api::Json& entry);

// A sentence with a capital letter and a full stop.
std::string sentence(std::string text);

}  // namespace renyi::cli
