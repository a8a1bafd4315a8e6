// Checks that every tag of a page is closed, in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace renyi::test {

// The name of the first tag that is not closed where it should be, or is closed without being open; empty: all is well.
inline std::string unbalanced_tag(std::string_view page) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string_view::npos; ++at) {
    const std::string_view tag = page.substr(at + 1, page.find('>', at) - at - 1);
    if (tag.starts_with('!') || tag.ends_with('/')) continue;
    const std::string name(tag.substr(tag.starts_with('/') ? 1 : 0, tag.find(' ')));
    if (!tag.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

}  // namespace renyi::test
