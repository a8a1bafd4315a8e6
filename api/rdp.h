// The Renyi divergence of a plan at each order, and a comparison with the published closed form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/papers/closed_form.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::api {

struct RdpRequest {
  Plan plan;
  std::vector<double> orders{};  // if empty, a comparison uses its own grid
  RdpOptions options{};
  bool closed_form = false;  // compare with the published closed form
};

struct RdpAnswer {
  std::vector<double> orders{};
  std::vector<double> upper{};  // upper bounds, one for each order
  std::string note{};           // why no order is finite
  // The orders at which nothing is known, and why: their upper bounds are infinite. Empty if all have one.
  struct Obstacle {
    double order = 0;
    std::string why{};
  };
  std::vector<Obstacle> obstacles{};
  std::vector<Overflow> overflows{};
  std::optional<ClosedFormComparison> comparison{};  // if present, the other members are empty
};

RdpRequest read_rdp(const Document& request);
RdpAnswer answer(const RdpRequest& asked);
std::string write(const Document& request, const RdpAnswer& answer);

}  // namespace renyi::api
