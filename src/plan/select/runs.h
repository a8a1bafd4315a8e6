// The law of the number of runs: what the theorems on private selection need to know of it, and its form in plan files.
#pragma once

#include <functional>
#include <optional>

#include "json/field.h"
#include "renyi/extras/select.h"

namespace renyi::plan {

// The truncated negative binomial law: geometric for eta = 1, logarithmic for eta = 0.
struct TruncatedBinomial {
  double eta = 0;
  double log_inverse_gamma = 0;  // ln(1/gamma), rounded up
  double log_mean = 0;           // ln E[K], rounded up
};
// For every law but Poisson.
TruncatedBinomial truncated_binomial(const Runs& runs);

// The gamma for which there are this many runs on average, rounded down: no fewer. 0 where none that is allowed does.
double gamma_of_mean(double eta, double mean);

// What stands for a number that is left open; nothing: it is not.
using StandIn = std::function<std::optional<double>(const json::Field& value, const Parameter& parameter)>;

// {"law": name, its numbers}.
Runs read_runs(const json::Field& runs, const StandIn& stand_in);
json::Json write_runs(const Runs& runs);

}  // namespace renyi::plan
