#include "api/sweep/whole.h"

#include <algorithm>
#include <array>
#include <string>

#include "renyi/mechanism.h"
#include "renyi/sampling.h"
#include "renyi/select.h"

namespace renyi::api::sweep {
namespace {

using json::Json;

// Those that belong to no mechanism: of steps, of the plan, of what is asked.
constexpr std::array<std::string_view, 3> always_whole{"count", "unit", "memory"};

bool whole_in(std::span<const Parameter> parameters, std::string_view key) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == key && parameter.whole; });
}

std::string text_in(const Json& parent, const char* key) {
  const auto found = parent.find(key);
  return found != parent.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

bool takes_whole_numbers(const Json& parent, std::string_view key) {
  if (!parent.is_object()) return false;
  if (std::find(always_whole.begin(), always_whole.end(), key) != always_whole.end()) return true;
  if (const Mechanism* mechanism = find_mechanism(text_in(parent, "mechanism"))) {
    return whole_in(mechanism->parameters(), key);
  }
  const std::string scheme = text_in(parent, "scheme"), law = text_in(parent, "law");
  const auto scheme_says = [&](Scheme known) { return to_string(known) == scheme && whole_in(parameters(known), key); };
  const auto law_says = [&](RunsLaw known) { return to_string(known) == law && whole_in(parameters(known), key); };
  return std::any_of(all_schemes.begin(), all_schemes.end(), scheme_says) ||
         std::any_of(all_runs_laws.begin(), all_runs_laws.end(), law_says);
}

}  // namespace renyi::api::sweep
