// Copies and searches that cost more than they need to.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace copies {

using Names = std::vector<std::string>;

const Names& all_names();

// modernize-use-emplace
void builds_then_copies(std::vector<std::pair<int, int>>& pairs) { pairs.push_back(std::make_pair(1, 2)); }

// performance-for-range-copy
std::size_t copies_each(const Names& names) {
  std::size_t size = 0;
  for (const std::string name : names) {
    size += name.size();
  }
  return size;
}

// performance-implicit-conversion-in-loop
int converts_each(const std::map<int, std::string>& names) {
  int sum = 0;
  for (const std::pair<int, std::string>& name : names) {
    sum += name.first;
  }
  return sum;
}

// performance-inefficient-algorithm
bool searches_one_by_one(const std::set<int>& numbers) {
  return std::find(numbers.begin(), numbers.end(), 1) != numbers.end();
}

// performance-move-const-arg
Names moves_a_constant(const Names& names) { return std::move(names); }

// performance-no-automatic-move
Names copies_to_return(bool first) {
  const Names one{"one"};
  const Names two{"two"};
  if (first) {
    return one;
  }
  return two;
}

// performance-unnecessary-copy-initialization
std::size_t copies_to_look() {
  const Names names = all_names();
  return names.size();
}

// performance-unnecessary-value-param
std::size_t takes_a_copy(const Names names) { return names.size(); }

}  // namespace copies
