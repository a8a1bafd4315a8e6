// The samplers, each with two classes of calls that its time must not tell apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Experiment {
  std::string sampler;
  std::string classes;
  // Makes ready for a call whose input is of the second class, or of the first one; where the class is that of an
  // outcome, all inputs are the same. Then the call, of which the time is taken.
  std::function<void(bool)> prepare;
  std::function<void()> call;
  // Whether the outcome of the call is of the second class; empty where the class is that of the input.
  std::function<bool()> is_second;
};

std::vector<Experiment> experiments();

// A call that is told apart by a few dozen nanoseconds: who does not see it would see nothing else.
Experiment planted();

}  // namespace bench
