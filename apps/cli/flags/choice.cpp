#include "apps/cli/flags/choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/suggestion.h"
#include "renyi/error.h"

namespace renyi::cli {

void refuse_choice(std::string_view flag, std::string_view value, const std::vector<std::string>& choices) {
  throw InvalidArgument(std::string(flag), fmt::format("\"{}\"{}", value, api::did_you_mean(value, choices)),
                        fmt::format("one of {}", fmt::join(choices, ", ")));
}

}  // namespace renyi::cli
