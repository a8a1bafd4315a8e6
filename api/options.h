// Members that several operations share.
#pragma once

#include <string_view>
#include <vector>

#include "json/field.h"
#include "renyi/account.h"

namespace renyi::api {

// "delta": a number in [0, 1].
double read_delta(const json::Field& request);
// "epsilon": a number of at least 0, or "inf".
double read_epsilon(const json::Field& request);
// "orders": numbers or "inf", or "traditional".
std::vector<double> read_orders(const json::Field& orders);
// An array of at least one number, each of which `allows` accepts.
std::vector<double> read_numbers(const json::Field& list, std::string_view allowed, bool (*allows)(double));
// "remove" or "add".
Direction read_direction(const json::Field& field);
// "orders" and "conversion", both optional.
ConversionOptions read_conversion(const json::Field& request);

// {"epsilon","order","conversion"} and {"delta","order","conversion"}.
json::Json write_bound(const EpsilonBound& bound);
json::Json write_bound(const DeltaBound& bound);

}  // namespace renyi::api
