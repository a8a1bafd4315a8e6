#include "apps/cli/warnings.h"

#include <fmt/format.h>

#include "apps/cli/number.h"

namespace renyi::cli {

// Publishing one record chosen at random is (0, 1/N)-private.
std::vector<std::string> warnings(const Question& question) {
  const auto delta = question.request.find("delta");
  if (!question.facts.dataset_size || delta == question.request.end() || !delta->is_number()) return {};
  const auto records = static_cast<double>(*question.facts.dataset_size);
  if (delta->get<double>() * records < 1) return {};
  return {
      fmt::format("delta = {} is not below 1/N = {}: so large a delta allows publishing a record outright; "
                  "choose one well below 1/N",
                  rounded(delta->get<double>()), rounded(1 / records))};
}

}  // namespace renyi::cli
