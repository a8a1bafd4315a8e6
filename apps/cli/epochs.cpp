#include "epochs.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi::cli {

std::int64_t steps_from_epochs(double epochs, std::int64_t dataset_size, std::int64_t batch_size) {
  constexpr long double most = 9223372036854775807.0L;
  // 0.1 epochs of 1000 records in tens is 10 steps, though the double next to 0.1
  // lies above it: within the rounding of a typed number, the whole number is meant.
  constexpr long double typing_error = 4e-16L;
  const long double exact =
      static_cast<long double>(epochs) * static_cast<long double>(dataset_size) / static_cast<long double>(batch_size);
  const long double whole = std::nearbyint(exact);
  const long double steps = std::fabs(exact - whole) <= typing_error * exact ? whole : std::ceil(exact);
  if (!(steps >= 1 && steps <= most)) {
    throw InvalidArgument("--epochs", fmt::format("{}", epochs), "what makes 1 to 2^63-1 steps");
  }
  return static_cast<std::int64_t>(steps);
}

}  // namespace renyi::cli
