#include "exact/served.h"

#include <string>

#include "mechanism/infinite_loss_curve.h"
#include "renyi/own.h"

namespace renyi::exact {

namespace {

std::optional<Mechanism> seen_by_engines(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  if (curve->knowledge() != Knowledge::orders) {
    if (!curve->finite_part()) return std::nullopt;
    return mechanism::finite_mechanism(mechanism);
  }
  auto pair = curve->dominating();
  if (!pair) return std::nullopt;  // bounds alone: the engines have nothing to see
  return Own(std::string(mechanism.summary()), std::move(pair));
}

}  // namespace

Served served_by_engines(std::vector<CountedMechanism> steps) {
  Served served{std::move(steps)};
  for (CountedMechanism& step : served.steps) {
    auto seen = seen_by_engines(step.mechanism);
    if (!seen) continue;
    step.mechanism = *std::move(seen);
    served.changed = true;
  }
  return served;
}

}  // namespace renyi::exact
