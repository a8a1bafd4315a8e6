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
  std::vector<double> epsilons{};  // if both lists are empty, `profile` chooses about ten
  std::vector<double> deltas{};
  CostOptions options{};
};

struct ProfileAnswer {
  std::vector<Cost> at_epsilons{};
  std::vector<Cost> at_deltas{};
  std::string_view note{};  // applies to all exact values; empty if there is none
};

ProfileRequest read_profile(const Document& request);
ProfileAnswer answer(const ProfileRequest& asked);
std::string write(const Document& request, const ProfileAnswer& answer);

}  // namespace renyi::api
