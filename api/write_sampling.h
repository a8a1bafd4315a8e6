// What an answer says about how the records of a plan are drawn.
#pragma once

#include <functional>
#include <string>

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::api {

// Adds "sampling":[{"path","overflow_probability"},...], one for each step of truncated Poisson sampling, if there is
// one.
void note_overflow(json::Json& answer, const Plan& plan);

// What the accountants say of a plan; `exact` is empty where it is not asked for.
struct Accounts {
  std::function<double(const Plan&)> exact{};
  std::function<double(const Plan&)> renyi{};
};

// Adds "under_poisson":{"<figure>_estimate"} or {"unavailable"}, if the plan has shuffled epochs: what the accountants
// say of the plan with Poisson sampling in their place, exactly where they can. No bound for the plan itself.
void note_under_poisson(json::Json& answer, const Plan& plan, const std::string& figure, const Accounts& accounts);

}  // namespace renyi::api
