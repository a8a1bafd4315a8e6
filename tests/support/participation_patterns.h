// Every way in which one record can take part in some rounds.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace renyi::test {

using Pattern = std::vector<std::size_t>;

// Calls visit(pattern) for every set of at most `most` of the columns, any two of them `separation` apart or more.
inline void for_each_pattern(std::size_t columns, std::size_t most, std::size_t separation,
                             const std::function<void(const Pattern&)>& visit) {
  Pattern pattern;
  const std::function<void(std::size_t)> extend = [&](std::size_t from) {
    visit(pattern);
    if (pattern.size() == most) return;
    for (std::size_t j = from; j < columns; ++j) {
      pattern.push_back(j);
      extend(j + separation);
      pattern.pop_back();
    }
  };
  extend(0);
}

}  // namespace renyi::test
