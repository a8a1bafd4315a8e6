#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi {

std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size) {
  constexpr long double most = 9223372036854775807.0L;
  // The double next to 0.1 lies above it: if the quotient is within the rounding of a decimal input, the whole number
  // is meant.
  constexpr long double writing_error = 4e-16L;
  const long double exact =
      static_cast<long double>(epochs) * static_cast<long double>(dataset_size) / static_cast<long double>(batch_size);
  const long double whole = std::nearbyint(exact);
  const long double steps = std::fabs(exact - whole) <= writing_error * exact ? whole : std::ceil(exact);
  if (!(steps >= 1 && steps <= most)) {
    throw InvalidArgument("epochs", fmt::format("{}", epochs), "what makes 1 to 2^63-1 steps");
  }
  return static_cast<std::int64_t>(steps);
}

double epochs_from_steps(std::int64_t steps, std::int64_t dataset_size, std::int64_t batch_size) {
  const long double exact =
      static_cast<long double>(steps) * static_cast<long double>(batch_size) / static_cast<long double>(dataset_size);
  auto epochs = static_cast<double>(exact);
  while (steps_from_epochs(epochs, dataset_size, batch_size) > steps) epochs = std::nextafter(epochs, 0.0);
  return epochs;
}

std::int64_t batches_of_epoch(std::int64_t dataset_size, std::int64_t batch_size) {
  return dataset_size / batch_size + (dataset_size % batch_size == 0 ? 0 : 1);
}

double poisson_rate(std::int64_t dataset_size, std::int64_t batch_size) {
  return static_cast<double>(batch_size) / static_cast<double>(dataset_size);
}

}  // namespace renyi
