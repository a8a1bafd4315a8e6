// Numbers and names in the texts of figures.
#pragma once

#include <string>
#include <string_view>

namespace renyi::api::figure {

// Writes the exponent of a decimal number with raised digits: "1e-5" becomes "10⁻⁵", "2.5e-7" "2.5×10⁻⁷", and "0.0001"
// "10⁻⁴".
std::string with_raised_exponent(std::string_view number);
// Returns "10⁻⁵" for -5.
std::string power_of_ten(int exponent);

// Return a number as it is printed elsewhere, but with raised exponents. Upper bounds are rounded up.
std::string in_figure(double number);
std::string in_figure_rounded_up(double number);

}  // namespace renyi::api::figure
