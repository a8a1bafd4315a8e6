// Reads members that the requests of several operations share.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "json/field.h"
#include "renyi/cost.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::api {

// "delta": a number in [0, 1].
double read_delta(const json::Field& request);
// "epsilon": a number of at least 0, or "inf".
double read_epsilon(const json::Field& request);
// The largest length of a list of a request: each of its numbers is answered separately.
inline constexpr std::size_t most_numbers = 1000;
void check_length(const json::Field& list);

// "orders": 1 to 1000 numbers or "inf", or "traditional".
std::vector<double> read_orders(const json::Field& orders);
// An array of 1 to 1000 numbers, each of which `allows` accepts.
std::vector<double> read_numbers(const json::Field& list, std::string_view allowed, bool (*allows)(double));
// "remove" or "add".
Direction read_direction(const json::Field& field);
// "orders" and "conversion", both optional.
ConversionOptions read_conversion(const json::Field& request);

// "memory": a whole number of MiB; returns bytes.
std::size_t read_memory(const json::Field& field);

// "method": how sampled Gaussians are evaluated.
SampledGaussianMethod read_method(const json::Field& field);

// Which parts of an answer are requested, and the tolerance of the exact one.
struct Wanted {
  bool renyi = true;
  bool exact = true;
  ExactOptions options{};
  bool tolerance_given = false;
  std::optional<SampledGaussianMethod> method{};  // for the Renyi bound, which is then the only part
};

CostOptions as_cost_options(const Wanted& wanted, const ConversionOptions& conversion = {});
// Reads the options of a request for a cost: those of `Wanted`, "orders" and "conversion".
CostOptions read_cost_options(const json::Field& request);

// Reads "want" (default: every available part), "tolerance" and "memory" (MiB), and "method". "tolerance" and "memory"
// concern the exact part, and are refused if that is not wanted. "method" concerns the Renyi bound, which is then the
// only part.
Wanted read_want(const json::Field& request);

}  // namespace renyi::api
