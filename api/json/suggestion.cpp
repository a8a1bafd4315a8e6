#include "api/suggestion.h"

#include "names/suggestion.h"

namespace renyi::api {

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto found = names::nearest(word, views);
  return {found.begin(), found.end()};
}

std::string_view remark_on(std::string_view word) { return names::remark_on(word); }

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return names::did_you_mean(word, views);
}

}  // namespace renyi::api
