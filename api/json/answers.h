// Parts of an answer that several operations share.
#pragma once

#include <vector>

#include "api/json/options.h"
#include "json/field.h"
#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api {

// {"lower","upper"}.
json::Json write_interval(double lower, double upper);

// {"renyi":{...},"exact":{...}|{"unavailable"},"note"?,"sampling"?,"under_poisson"?}: see api/json/cost.cpp.
json::Json write_cost(const Cost& cost);
// Writes "renyi" and "exact" alone, as a profile has them at each point.
void write_parts(json::Json& answer, const Cost& cost);
// Write the two parts: {"epsilon","order","conversion","delta_apart"?,"method"?}, or "delta" instead of "epsilon"; and
// {"lower","upper","engine","direction","remove","add","note"?}, or {"unavailable":"reason"}.
json::Json write_bound(const RenyiBound& bound, Quantity quantity);
json::Json write_exact(const Cost& cost);

// Adds "sampling":[{"path","overflow_probability"},...], one entry for each step of truncated Poisson sampling, if
// there is any.
void write_overflows(json::Json& answer, const std::vector<Overflow>& overflows);

}  // namespace renyi::api
