// A run that is longer or shorter: the count of its only step is varied; any other run is repeated as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "renyi/plan.h"

namespace renyi::api::figure {

class Repeated {
 public:
  explicit Repeated(const Plan& plan) : plan_(plan), single_(plan.steps().size() == 1) {}

  std::int64_t count() const { return single_ ? plan_.steps()[0].count : 1; }
  const char* label() const {
    if (!single_) return "runs of the whole plan";
    return is_by_epochs() ? "epochs" : "steps";
  }
  Plan times(std::int64_t count) const {
    Plan result(plan_.neighbors(), plan_.unit());
    if (!single_) return result.add(plan_, count);
    std::visit([&](const auto& what) { result.add(what, count); }, plan_.steps()[0].what);
    return result;
  }
  // The epochs that the steps make, if they are all of one kind and have a rate.
  std::optional<double> epochs() const;

 private:
  // A step of these is an epoch.
  bool is_by_epochs() const {
    const auto* mechanism = single_ ? std::get_if<Mechanism>(&plan_.steps()[0].what) : nullptr;
    return mechanism != nullptr && mechanism->sampling() != nullptr && is_by_epoch(mechanism->sampling()->scheme);
  }

  Plan plan_;
  bool single_;
};

}  // namespace renyi::api::figure
