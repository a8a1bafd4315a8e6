#include "noise/parameters.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi::noise {

void check_positive(std::string_view field, double value) {
  if (!(value > 0) || std::isinf(value))
    throw InvalidArgument(std::string(field), fmt::format("{}", value), "a positive number");
}

void check_within(std::string_view field, double value, double least, double greatest) {
  if (!(value >= least && value <= greatest))
    throw InvalidArgument(std::string(field), fmt::format("{}", value),
                          fmt::format("a number in [{}, {}]", least, greatest));
}

void check_whole(std::string_view field, double value, double least, double greatest) {
  if (!(value >= least && value <= greatest) || value != std::floor(value))
    throw InvalidArgument(std::string(field), fmt::format("{}", value),
                          fmt::format("a whole number in [{}, {}]", least, greatest));
}

void check_same_size(std::size_t values, std::size_t out) {
  if (values != out)
    throw InvalidArgument("out", fmt::format("{} numbers", out), fmt::format("as many numbers as values: {}", values));
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5;
}

std::string step_of(std::string_view mechanism, std::initializer_list<StepNumber> numbers) {
  std::string step = fmt::format(R"({{"mechanism":"{}")", mechanism);
  for (const StepNumber& number : numbers) step += fmt::format(R"(,"{}":{})", number.name, number.value);
  return step + "}";
}

Release release_of(std::string_view mechanism, std::initializer_list<StepNumber> numbers, std::size_t draws,
                   double timing_delta) {
  Release release = release_of(draws, timing_delta);
  release.mechanism = mechanism;
  release.step = step_of(mechanism, numbers);
  return release;
}

Release release_of(std::size_t draws, double timing_delta) {
  Release release;
  release.draws = draws;
  release.timing_delta = timing_delta;
  return release;
}

}  // namespace renyi::noise
