// From the words of a training run to a rate and a number of steps.
#pragma once

#include <cstdint>

namespace renyi::cli {

// steps = ceil(epochs * dataset_size / batch_size). Throws InvalidArgument when
// there are none, or more than 2^63-1.
std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size);

}  // namespace renyi::cli
