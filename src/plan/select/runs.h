// The distribution of the number of runs: what the theorems on private selection need to know about it, and its form in
// plan files.
#pragma once

#include <functional>
#include <optional>

#include "json/field.h"
#include "renyi/extras/select.h"

namespace renyi::plan {

// The truncated negative binomial distribution: geometric for eta = 1, logarithmic for eta = 0.
struct TruncatedBinomial {
  double eta = 0;
  double log_inverse_gamma = 0;  // ln(1/gamma), rounded up
  double log_mean = 0;           // ln E[K], rounded up
};
// Supports every distribution except Poisson.
TruncatedBinomial truncated_binomial(const Runs& runs);

// Returns the gamma for which the mean number of runs is `mean`, rounded down so that there are no fewer runs. Returns
// 0 if no allowed gamma has that mean.
double gamma_of_mean(double eta, double mean);

// Returns the value to use for a number that is unknown, or std::nullopt if the number is given.
using StandIn = std::function<std::optional<double>(const json::Field& value, const Parameter& parameter)>;

// Reads {"law": name, its numbers}.
Runs read_runs(const json::Field& runs, const StandIn& stand_in);
json::Json write_runs(const Runs& runs);

}  // namespace renyi::plan
