// What passes over the data mean in steps: the rules by which trainings are told in epochs and batches.
#pragma once

#include <cstdint>

namespace renyi {

// ceil(epochs * dataset_size / batch_size), of epochs as they are written: 0.1 of them, of 1000 records in tens, are 10
// steps. Throws InvalidArgument unless that is 1 to 2^63-1. Both sizes are at least 1.
std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size);

// Of one epoch: ceil(dataset_size / batch_size); the last batch may be smaller.
std::int64_t batches_of_epoch(std::int64_t dataset_size, std::int64_t batch_size);

// The rate at which Poisson sampling draws batches of that size on average, to nearest.
double poisson_rate(std::int64_t dataset_size, std::int64_t batch_size);

}  // namespace renyi
