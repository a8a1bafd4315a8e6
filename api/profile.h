// A plan's privacy profile: delta at every epsilon, and epsilon at every delta.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/document.h"
#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi::api {

struct ProfileRequest {
  Plan plan;
  std::vector<double> epsilons{};  // neither these nor deltas: about ten, as `profile` chooses them
  std::vector<double> deltas{};
  CostOptions options{};
};

struct ProfileAnswer {
  std::vector<Cost> at_epsilons{};
  std::vector<Cost> at_deltas{};
  std::string_view note{};  // on all of the exact figures; empty where there is nothing to say
};

ProfileRequest read_profile(const Document& request);
ProfileAnswer answer(const ProfileRequest& asked);
std::string write(const Document& request, const ProfileAnswer& answer);

}  // namespace renyi::api
