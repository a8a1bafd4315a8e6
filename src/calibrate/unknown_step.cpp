#include "calibrate/unknown_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<plan::CountedCurve> curves_of(const Steps& steps, const Adjacency& relation) {
  Plan group(relation.neighbors, relation.unit);
  group.add(steps);
  std::vector<plan::CountedCurve> curves;
  for (const CountedMechanism& m : group.analysed()) curves.push_back({m.mechanism.curve(), m.count});
  return curves;
}

// The steps with the one at `path` replaced (or removed when there is none).
Steps with_step(const Steps& steps, std::span<const std::size_t> path, const Step* replacement) {
  Steps result = steps;
  const auto where = result.begin() + static_cast<std::ptrdiff_t>(path.front());
  if (path.size() > 1) {
    where->what = with_step(std::get<Steps>(where->what), path.subspan(1), replacement);
  } else if (replacement != nullptr) {
    *where = *replacement;
  } else {
    result.erase(where);
  }
  return result;
}

InvalidArgument no_such_step(const std::vector<std::size_t>& path) {
  return {"path", fmt::format("[{}]", fmt::join(path, ", ")), "indices that lead to a step of the plan"};
}

}  // namespace

UnknownStep::UnknownStep(const Plan& plan, const Unknown& unknown) : plan_(plan), unknown_(unknown) {
  if (unknown.path.empty()) throw no_such_step(unknown.path);
  const Steps* level = &plan.steps();
  for (std::size_t i = 0; i < unknown.path.size(); ++i) {
    if (level == nullptr || unknown.path[i] >= level->size()) throw no_such_step(unknown.path);
    const Step& here = (*level)[unknown.path[i]];
    if (i + 1 < unknown.path.size()) outer_count_ *= here.count;  // products were checked by the plan
    level = std::get_if<Steps>(&here.what);
  }
  rest_ = curves_of(with_step(plan.steps(), unknown.path, nullptr), plan.adjacency());
  if (is_count()) {
    Step once = step();
    once.count = 1;
    inner_ = curves_of({once}, plan.adjacency());
    for (const auto& curve : inner_) most_inner_ = std::max(most_inner_, curve.count);
  } else if (parameter().whole) {  // throws unless it exists
    throw Unsupported(unknown.parameter, "whole numbers are not solved for",
                      "solve for another number, or try some values");
  }
}

const Step& UnknownStep::step() const {
  const Steps* level = &plan_.steps();
  for (std::size_t i = 0; i + 1 < unknown_.path.size(); ++i) level = &std::get<Steps>((*level)[unknown_.path[i]].what);
  return (*level)[unknown_.path.back()];
}

const Parameter& UnknownStep::parameter() const {
  const auto* mechanism = std::get_if<Mechanism>(&step().what);
  std::string allowed = "count";
  if (mechanism != nullptr) {
    for (const Parameter& p : mechanism->parameters()) {
      if (p.name == unknown_.parameter) return p;
      allowed += fmt::format(", {}", p.name);
    }
    const Sampling* sampling = mechanism->sampling();
    for (const Parameter& p : sampling ? parameters(sampling->scheme) : std::span<const Parameter>()) {
      if (fmt::format("sampling.{}", p.name) == unknown_.parameter) return p;
      allowed += fmt::format(", sampling.{}", p.name);
    }
  }
  throw InvalidArgument("parameter", unknown_.parameter, allowed);
}

std::int64_t UnknownStep::largest_count() const { return largest / outer_count_ / most_inner_; }

std::shared_ptr<const Curve> UnknownStep::curve_with(double value) const {
  const Mechanism changed = std::get<Mechanism>(step().what).with(unknown_.parameter, value);
  std::vector<plan::CountedCurve> parts = rest_;
  parts.push_back({analysed(changed, plan_.adjacency()).curve(), outer_count_ * step().count});
  return std::make_shared<plan::ComposedCurve>(std::move(parts));
}

std::shared_ptr<const Curve> UnknownStep::curve_with_count(std::int64_t count) const {
  std::vector<plan::CountedCurve> parts = rest_;
  for (const auto& part : inner_) parts.push_back({part.curve, outer_count_ * count * part.count});
  return std::make_shared<plan::ComposedCurve>(std::move(parts));
}

Plan UnknownStep::plan_with_step(const Step& replacement) const {
  Plan result(plan_.neighbors(), plan_.unit());
  for (Step& each : with_step(plan_.steps(), unknown_.path, &replacement)) {
    std::visit([&](auto& what) { result.add(std::move(what), each.count); }, each.what);
  }
  return result;
}

Plan UnknownStep::plan_with(double value, std::int64_t count) const {
  if (is_count()) return plan_with_step({step().what, count});
  return plan_with_step({std::get<Mechanism>(step().what).with(unknown_.parameter, value), step().count});
}

}  // namespace renyi::calibrate_detail
