// Parts of an answer that several operations share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/json/options.h"
#include "json/field.h"
#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api {

// {"epsilon","order","conversion"} and {"delta","order","conversion"}.
json::Json write_bound(const EpsilonBound& bound);
json::Json write_bound(const DeltaBound& bound);

// {"renyi":{...},"exact":{...}|{"unavailable"},"note"?,"sampling"?,"under_poisson"?}: see api/json/cost.cpp.
json::Json write_cost(const Cost& cost);
// Its parts.
json::Json write_bound(const RenyiBound& bound, Figure figure);
json::Json write_exact(const Cost& cost);

// What `ask` answers as {"lower","upper","engine","direction","remove","add","note"?}, or {"unavailable":"reason"}
// where it can give no answer.
json::Json exact_part(const Wanted& wanted, Figure figure, const std::function<ExactAnswer()>& ask);

// Steps known by a promise stand for the worst step that keeps it, and the answer says so: adds "note" to `answer` if a
// step of the plan is given by its pure epsilon or its mu of Gaussian DP, or if a pair of laws stands for a sampled
// one. `exact` is an exact part of the answer: without an interval there is nothing to note.
void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan);

// Adds "sampling":[{"path","overflow_probability"},...], one for each step of truncated Poisson sampling, if there is
// one.
void write_overflows(json::Json& answer, const std::vector<Overflow>& overflows);

}  // namespace renyi::api
