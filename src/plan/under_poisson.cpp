#include <algorithm>

#include "renyi/plan.h"
#include "renyi/select.h"

namespace renyi {

namespace {

bool is_shuffled(const Mechanism& mechanism) {
  return mechanism.sampling() != nullptr && mechanism.sampling()->scheme == Scheme::shuffled;
}

bool has_shuffled(const Steps& steps);

bool has_shuffled(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return has_shuffled(std::get<Steps>(step.what));
  if (const auto* parallel = mechanism->get_if<Parallel>()) {
    return std::any_of(parallel->parts().begin(), parallel->parts().end(),
                       [](const Steps& part) { return has_shuffled(part); });
  }
  if (const auto* select = mechanism->get_if<Select>()) return has_shuffled(select->steps());
  return is_shuffled(*mechanism);
}

bool has_shuffled(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return has_shuffled(step); });
}

Steps redrawn(const Steps& steps);

// An epoch is as many steps as it has batches.
Step redrawn(const Step& step) {
  if (!has_shuffled(step)) return step;
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return {redrawn(std::get<Steps>(step.what)), step.count};
  if (const auto* parallel = mechanism->get_if<Parallel>()) {
    std::vector<Steps> parts;
    for (const Steps& part : parallel->parts()) parts.push_back(redrawn(part));
    return {Mechanism(Parallel(std::move(parts))), step.count};
  }
  if (const auto* select = mechanism->get_if<Select>()) {
    return {Mechanism(Select(redrawn(select->steps()), select->runs())), step.count};
  }
  const double batches = mechanism->sampling()->batches;
  const Mechanism drawn = mechanism->unsampled().sampled_by(Sampling::poisson(1 / batches));
  return {Steps{Step{drawn, static_cast<std::int64_t>(batches)}}, step.count};
}

Steps redrawn(const Steps& steps) {
  Steps result;
  for (const Step& step : steps) result.push_back(redrawn(step));
  return result;
}

}  // namespace

std::optional<Plan> under_poisson(const Plan& plan) {
  if (!has_shuffled(plan.steps())) return std::nullopt;
  Plan result(plan.neighbors(), plan.unit());
  for (const Step& step : redrawn(plan.steps())) {
    std::visit([&](const auto& what) { result.add(what, step.count); }, step.what);
  }
  return result;
}

}  // namespace renyi
