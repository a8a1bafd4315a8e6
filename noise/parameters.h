// Checks of parameters that several laws have, and what a release says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "renyi/noise.h"

namespace renyi::noise {

// Throw InvalidArgument unless the number is allowed.
void check_positive(std::string_view field, double value);
void check_within(std::string_view field, double value, double least, double greatest);
void check_whole(std::string_view field, double value, double least, double greatest);
void check_same_size(std::size_t values, std::size_t out);

bool is_power_of_two(double value);

// {"mechanism":"gaussian","stddev":10,"l2_sensitivity":1}: numbers are written so that they read back to the same
// double.
struct StepNumber {
  std::string_view name;
  double value;
};
std::string step_of(std::string_view mechanism, std::initializer_list<StepNumber> numbers);

// What a release says, but for grids: `timing_delta` is that of all draws.
Release release_of(std::string_view mechanism, std::initializer_list<StepNumber> numbers, std::size_t draws,
                   double timing_delta);
// The same where nothing is to be accounted for by itself, as for the sample of another step.
Release release_of(std::size_t draws, double timing_delta);

}  // namespace renyi::noise
