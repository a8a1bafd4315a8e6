// The tasks whose time, memory and instructions are measured. Each is one question, set up from scratch.
#pragma once

#include <span>
#include <string_view>

namespace bench {

// The interval that contains the answer; if there is only a bound, both members are equal to it.
struct Figure {
  double lower = 0;
  double upper = 0;
};

struct Task {
  std::string_view name;
  std::string_view what;
  int repetitions;  // number of runs for a median
  Figure (*run)();
};

std::span<const Task> tasks();
// Returns the task of that name. Throws std::invalid_argument, which lists the names.
const Task& task_named(std::string_view name);

}  // namespace bench
