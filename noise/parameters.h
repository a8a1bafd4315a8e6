// Checks of parameters that several laws have, and the step of a plan as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace renyi::noise {

// Throw InvalidArgument unless the number is allowed.
void check_positive(std::string_view field, double value);
void check_within(std::string_view field, double value, double least, double greatest);
void check_whole(std::string_view field, double value, double least, double greatest);
void check_same_size(std::size_t values, std::size_t out);

// {"mechanism":"gaussian","stddev":10,"l2_sensitivity":1}: numbers are written so that they read back to the same
// double.
struct StepNumber {
  std::string_view name;
  double value;
};
std::string step_of(std::string_view mechanism, std::initializer_list<StepNumber> numbers);

}  // namespace renyi::noise
