// Rows of comma-separated values. Numbers as the JSON answer has them: every digit.
#pragma once

#include <string>
#include <vector>

#include "api/api.h"

namespace renyi::cli {

std::string csv(const std::vector<std::string>& titles, const std::vector<std::vector<api::Json>>& rows);

}  // namespace renyi::cli
