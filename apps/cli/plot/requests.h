// The requests behind a figure.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli::plot {

// Used where a figure needs a delta and none was given; the figure names it.
inline constexpr double usual_delta = 1e-5;
double delta_of(const Question& question);

// A request about the same run, with those of the other members that are there and named.
api::Document run_of(const Question& question, std::vector<std::string> members = {});
api::Json about_run(const Question& question, const std::string& op, std::initializer_list<const char*> members = {});

// All answers, computed on all cores. One that fails is nothing, unless all do.
std::vector<std::optional<api::Json>> answers_to(const std::vector<api::Json>& requests);
// A request whose array `list` is answered by the array `rows`, point by point: its rows, computed on all cores.
std::vector<api::Json> rows_of(const api::Json& request, const char* list, const char* rows,
                               const std::vector<double>& points);

// "10000 x sampled-gaussian, ..." or the plan file; and what is unusual about the neighbours.
std::string run_in_words(const Question& question);

// Does it hold figures, or say why it does not?
bool is_there(const api::Json& row, const char* part);
// The interval of an answer's "exact"; {inf, inf} stays so.
struct Interval {
  double lower = 0;
  double upper = 0;
};
Interval interval_in(const api::Json& exact);

// n values from `from` to `to`, both included, at equal distances or ratios.
std::vector<double> evenly(double from, double to, int n);
std::vector<double> by_ratio(double from, double to, int n);

}  // namespace renyi::cli::plot
