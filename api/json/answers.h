// Parts of an answer that several operations share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/json/options.h"
#include "json/field.h"
#include "renyi/account.h"
#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi::api {

// {"epsilon","order","conversion"} and {"delta","order","conversion"}.
json::Json write_bound(const EpsilonBound& bound);
json::Json write_bound(const DeltaBound& bound);

// What a tolerance is the width of.
enum class Figure { epsilon, delta };

// What `ask` answers as {"lower","upper","engine","direction","remove","add","note"?}, or {"unavailable":"reason"}
// where it can give no answer.
json::Json exact_part(const Wanted& wanted, Figure figure, const std::function<ExactAnswer()>& ask);

// Steps known by a promise stand for the worst step that keeps it, and the answer says so: adds "note" to `answer` if a
// step of the plan is given by its pure epsilon or its mu of Gaussian DP, or if a pair of laws stands for a sampled
// one. `exact` is an exact part of the answer: without an interval there is nothing to note.
void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan);

// Adds "sampling":[{"path","overflow_probability"},...], one for each step of truncated Poisson sampling, if there is
// one.
void note_overflow(json::Json& answer, const Plan& plan);
void write_overflows(json::Json& answer, const std::vector<Overflow>& overflows);

// What the accountants say of a plan; `exact` is empty where it is not asked for.
struct Accounts {
  std::function<double(const Plan&)> exact{};
  std::function<double(const Plan&)> renyi{};
};

// Adds "under_poisson":{"<figure>_estimate"} or {"unavailable"}, if the plan has shuffled epochs: what the accountants
// say of the plan with Poisson sampling in their place, exactly where they can. No bound for the plan itself.
void note_under_poisson(json::Json& answer, const Plan& plan, const std::string& figure, const Accounts& accounts);

}  // namespace renyi::api
