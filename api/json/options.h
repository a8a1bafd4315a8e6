// Members of a request that several operations share.
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
// How many numbers a list of a request may have: each is answered by itself.
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

// "method": how sampled Gaussians are evaluated.
SampledGaussianMethod read_method(const json::Field& field);

// Which parts of an answer are asked for, and how narrow the exact one.
struct Wanted {
  bool renyi = true;
  bool exact = true;
  ExactOptions options{};
  bool tolerance_given = false;
  std::optional<SampledGaussianMethod> method{};  // of the Renyi bound, which is then the only part
};

CostOptions as_cost_options(const Wanted& wanted, const ConversionOptions& conversion = {});
// Of a request for a cost: the above, "orders" and "conversion".
CostOptions read_cost_options(const json::Field& request);

// "want" (default: every part there is), "tolerance" and "memory" (MiB), and "method". The middle two are about the
// exact part, and refused where that is not wanted; the last is about the Renyi bound, and nothing else is then wanted.
Wanted read_want(const json::Field& request);

}  // namespace renyi::api
