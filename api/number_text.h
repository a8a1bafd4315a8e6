// Formats numbers for people to read. A printed bound is rounded so that it is still a bound.
#pragma once

#include <optional>
#include <string>

namespace renyi::api {

// Reads a number as the C language writes it, whatever the locale of the program is, in which a comma may stand for the
// point. Numbers that no double holds are 0 or infinite. The text must be a number.
double number_of(const std::string& text);

// Six significant digits that read back to a number not below (not above) the value. Upper (lower) bounds are displayed
// this way.
std::string rounded_up(double value);
std::string rounded_down(double value);
// Returns the smallest power of ten that is not below the value: "1e-9".
std::string power_of_ten_above(double value);
// Six significant digits, rounded to nearest: for numbers that the user specified, never for a bound.
std::string rounded(double value);

// All digits: the shortest decimal that reads back to the same number, or inf.
std::string decimal(double value);

// The same with the shortest exponent: "1e-5" where `decimal` writes "1e-05".
std::string short_decimal(double value);

// "2.38168 to 2.38169": rounded outwards. Returns one number if both bounds are printed alike.
std::string interval(double lower, double upper);

// The largest value to which (epsilon, delta) lets a probability p increase: "10.8232 p + 1e-5". Returns std::nullopt
// if this is not a guarantee.
std::optional<std::string> most_likely(double epsilon, double delta);

}  // namespace renyi::api
