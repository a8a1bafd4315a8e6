// Steps on disjoint parts of the records have the curve of the part that costs most.
#include <algorithm>
#include <limits>

#include "mechanism/composed_curve.h"
#include "mechanism/model.h"
#include "plan/analysed_steps.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi {

namespace parallel_curve_file {
namespace {

struct ParallelStep {
  Parallel parallel;

  static constexpr std::string_view kind = "parallel";
  static constexpr std::string_view summary = "steps on disjoint parts of the records";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  const void* identity() const { return &parallel.parts(); }
  std::shared_ptr<const Curve> curve() const {
    throw Unsupported("parallel", "the parts have curves under a relation only", "ask a plan, which has one");
  }
  const Parallel& held() const { return parallel; }
  bool operator==(const ParallelStep&) const = default;
};

}  // namespace
}  // namespace parallel_curve_file

Mechanism::Mechanism(const Parallel& parallel)
    : Mechanism(mechanism::made(parallel_curve_file::ParallelStep{parallel})) {}

namespace plan {

double ParallelCurve::last_order() const {
  double last = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) last = std::min(last, part.curve->last_order());
  return last;
}

bool ParallelCurve::is_symmetric() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.curve->is_symmetric(); });
}

std::optional<Direction> ParallelCurve::larger_direction() const {
  mechanism::Directions directions;
  for (const Part& part : parts_) directions.add(*part.curve);
  return directions.larger();
}

Growth ParallelCurve::growth() const {
  Growth most;
  for (const Part& part : parts_) {
    const Growth growth = part.curve->growth();
    most = {std::max(most.xi, growth.xi), std::max(most.rho, growth.rho)};
  }
  return most;
}

// delta increases with the mass that either distribution has and the other lacks (docs/math/infinite-loss.md, "The
// split"). With the largest such mass of all parts in each direction, the largest finite part bounds the profile of
// every part.
Bounded ParallelCurve::infinite_mass(Direction direction) const {
  Bounded most;
  for (const Part& part : parts_) {
    const Bounded one = part.curve->infinite_mass(direction);
    if (!(one.upper() <= most.upper())) most = one;
  }
  return most;
}

std::shared_ptr<const Curve> ParallelCurve::finite_part() const {
  std::vector<Part> finite = parts_;
  bool changed = false;
  for (Part& part : finite) {
    auto rest = part.curve->finite_part();
    if (!rest) continue;
    part.curve = std::move(rest);
    changed = true;
  }
  return changed ? std::make_shared<ParallelCurve>(std::move(finite)) : nullptr;
}

// Returns the moment with the largest upper bound; its lower bound is the largest of all parts.
LogMoment ParallelCurve::real_at(double z, Direction direction) const {
  LogMoment most;
  for (const Part& part : parts_) {
    const LogMoment k = part.curve->log_moment(z, direction);
    const bool larger = z == 0 ? !(k.slope <= most.slope) : !(k.value + k.error <= most.value + most.error);
    if (larger) most = k;
  }
  return most;
}

ComplexLogMoment ParallelCurve::complex_at(std::complex<double>, Direction) const {
  throw Unsupported("z", "which part a record lies in is not known, so the step has no single law", "use real orders");
}

Bounded ParallelCurve::max_loss_at(Direction direction) const {
  Bounded most;
  for (const Part& part : parts_) {
    const Bounded loss = part.curve->max_loss(direction);
    if (!(loss.upper() <= most.upper())) most = loss;
  }
  return most;
}

Mechanism analyse_parallel(const Parallel& parallel, const Adjacency& relation) {
  if (relation.neighbors == Neighbors::replace_one) {
    throw Unsupported("neighbors",
                      "parallel parts are not analysed under replace-one: the record put in may lie in another part "
                      "than the one taken out",
                      "use add-or-remove-one or zero-out");
  }
  if (relation.unit > 1) {
    throw Unsupported("unit", "several records of one person may lie in several parts", "use a unit of 1");
  }
  if (parallel.parts().empty()) throw InvalidArgument("parallel", "no parts", "one part or more");
  std::vector<ParallelCurve::Part> parts;
  for (const Steps& steps : parallel.parts()) {
    auto analysed = analysed_steps(steps, relation);
    auto curve = compose(analysed);
    parts.push_back({std::move(analysed), std::move(curve)});
  }
  return CustomMechanism("the largest of parallel parts", std::make_shared<ParallelCurve>(std::move(parts)));
}

std::shared_ptr<const ParallelCurve> parallel_curve_of(const Mechanism& mechanism) {
  const auto* own = mechanism.get_if<CustomMechanism>();
  return own == nullptr ? nullptr : std::dynamic_pointer_cast<const ParallelCurve>(own->curve());
}

}  // namespace plan
}  // namespace renyi
