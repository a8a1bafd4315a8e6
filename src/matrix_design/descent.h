// The method of Broyden, Fletcher, Goldfarb and Shanno with limited memory: a local minimum of a smooth function.
#pragma once

#include <functional>
#include <vector>

namespace renyi::matrix_design {

// A value of the function and its gradient.
struct ValueAndGradient {
  double value = 0;
  std::vector<double> gradient{};
};
using SmoothFunction = std::function<ValueAndGradient(const std::vector<double>& point)>;

struct DescentOptions {
  int steps = 60;
  double least_gain = 1e-9;  // ends when a step lowers the value by less
};

// Returns the best point that was found. The value there is not above that at the start.
std::vector<double> descend(const SmoothFunction& function, const std::vector<double>& start,
                            const DescentOptions& options = {});

}  // namespace renyi::matrix_design
