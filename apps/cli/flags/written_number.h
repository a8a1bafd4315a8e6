// Numbers as people write them on a command line: decimals, 1/60000, 0.5%, 2^-10, and whole numbers such as 1e6.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli {

// The parts of "1.5e3": the digits "15", and the power of ten 2 by which they are multiplied.
struct DecimalParts {
  std::string digits;
  long power = 0;
};
// Reads digits with a point and an exponent, without a sign. Returns std::nullopt for other texts, and for exponents
// that no number here needs.
std::optional<DecimalParts> decimal_parts(std::string_view text);

// Parses the value of a flag: a decimal, a fraction of two whole numbers, a percentage, or a power of two. The result
// is the double nearest to the number that was written. Throws InvalidArgument naming the flag.
double read_number(std::string_view flag, std::string_view text);

// Parses a whole number from 1 to `most`, written out or with an exponent. Throws InvalidArgument naming the flag.
std::int64_t read_integer(std::string_view flag, std::string_view text,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

// Returns how the given flags were understood where that is not obvious: "--delta 1/60000 = 1.66667e-5" for fractions,
// percentages and powers, "--dataset-size 1e6 = 1000000" for whole numbers that were not written out.
std::vector<std::string> understood_numbers(const std::vector<FlagText>& texts, const Flags& flags);

}  // namespace renyi::cli
