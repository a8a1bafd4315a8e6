// Readers that both forms of input share.
#pragma once

#include <string>

#include "json/field.h"
#include "renyi/release.h"

namespace renyi::release {

// Reads a statistic without its values: an object whose members are those of the JSON form.
[[nodiscard]] Statistic read_statistic(const json::Field& field);

// Adds a statistic and its values.
void add(Request& request, Statistic statistic, Values values);

// Refuses a release without statistics, and repeated names.
void check_names(const Terms& terms);

// Returns the terms as canonical JSON, of which a digest stands in the ledger and in the document. It has no values.
[[nodiscard]] std::string write_terms(const Terms& terms, const Adjacency& relation);

}  // namespace renyi::release
