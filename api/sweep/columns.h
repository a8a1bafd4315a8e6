// Figures of an answer as cells of a table, named as the commands name them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "api/api.h"

namespace renyi::api::sweep {

struct Column {
  std::string_view title;
  std::array<std::string_view, 3> path{};  // of the figure in an answer; empty at its end
};

// Those of the request's operation, without the parts it does not want.
std::vector<Column> columns_of(const Json& request);

// The figure of a column, or nothing.
const Json* find(const Json& answer, const Column& column);

// What else an answer says of its figures: notes, and why a part is missing.
std::string notes_in(const Json& answer);

// Why there is no figure at all, where that is so; otherwise nothing.
const Json* why_unanswered(const Json& answer);

}  // namespace renyi::api::sweep
