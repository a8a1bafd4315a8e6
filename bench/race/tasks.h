// What is timed, weighed and counted: one question each, set up from nothing.
#pragma once

#include <span>
#include <string_view>

namespace bench {

// The interval that holds the answer; a bound alone is both ends.
struct Figure {
  double lower = 0;
  double upper = 0;
};

struct Task {
  std::string_view name;
  std::string_view what;
  int repetitions;  // for a median
  Figure (*run)();
};

std::span<const Task> tasks();
// Throws std::invalid_argument, listing the names.
const Task& task_named(std::string_view name);

}  // namespace bench
