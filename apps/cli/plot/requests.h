// The requests behind a figure.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli::plot {

// Used where a figure needs a delta and none was given; the figure names it.
inline constexpr double usual_delta = 1e-5;
double delta_of(const Question& question);

// Return a number as it is printed elsewhere, but with raised exponents: "10⁻⁵". Upper bounds are rounded up.
std::string in_figure(double number);
std::string in_figure_rounded_up(double number);

// Returns a request about the same run, with those of the named other members that are present.
api::Document run_of(const Question& question, std::vector<std::string> members = {});

// Describes the run as "10000 x sampled-gaussian, ..." or by the plan file, and the neighbouring relation if it is not
// the default.
std::string run_in_words(const Question& question);

// Each returns n values from `from` to `to`, both included, at equal distances or ratios.
std::vector<double> evenly(double from, double to, int n);
std::vector<double> by_ratio(double from, double to, int n);

}  // namespace renyi::cli::plot
