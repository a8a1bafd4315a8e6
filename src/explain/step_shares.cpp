// Divides the Renyi divergence of a plan among its steps (docs/math/guarantees.md, "Shares").
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>

#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "plan/merged_steps.h"
#include "renyi/explain.h"
#include "renyi/extras/select.h"

namespace renyi {

namespace step_shares_file {
namespace {

constexpr std::array both_directions{Direction::remove, Direction::add};

// The divergences of the distinct steps of a plan at one order. Where a loss may be infinite, they are those of the
// finite part, of which the Renyi bound is read off.
class Divergences {
 public:
  Divergences(const Analysis& analysis, double order) {
    const auto specified = analysis.plan().merged();
    for (std::size_t i = 0; i < specified.size(); ++i) {
      const auto whole = analysis.steps().at(i).mechanism.curve();
      const auto finite = whole->finite_part();
      const Curve& curve = finite ? *finite : *whole;
      Pair& pair = found_[specified[i].mechanism];
      pair[0] = divergence(curve, order, both_directions[0]);
      pair[1] = curve.is_symmetric() ? pair[0] : divergence(curve, order, both_directions[1]);
    }
  }

  // Returns the divergence of all these steps together, `times` times.
  Bounded of(const Steps& steps, std::int64_t times, Direction direction) const {
    Bounded total;
    const auto merged = plan::merged_steps(steps);
    for (const CountedMechanism& step : merged) {
      const Bounded& one = found_.at(step.mechanism)[direction == both_directions[0] ? 0 : 1];
      const double n = static_cast<double>(step.count) * static_cast<double>(times);
      if (one.value == 0 && one.error == 0) continue;
      total.value += n * one.value;
      total.error += n * one.error;
    }
    if (std::isinf(total.value)) return {total.value, 0};
    // Each count, product and running sum is rounded.
    total.error += (4.0 + static_cast<double>(merged.size())) * numerics::unit_roundoff * total.value;
    return total;
  }

 private:
  using Pair = std::array<Bounded, both_directions.size()>;
  std::unordered_map<Mechanism, Pair, plan::MechanismHash> found_;
};

std::string kind_of(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return "group";
  const bool is_named_by_kind =
      mechanism->get_if<Parallel>() != nullptr || mechanism->get_if<Select>() != nullptr ||
      (find_mechanism(mechanism->kind()) != nullptr && find_mechanism(mechanism->kind())->is_same_type(*mechanism));
  return std::string(is_named_by_kind ? mechanism->kind() : mechanism->summary());
}

// Lists the steps, and those of each group below it, with the divergences of all their runs.
class Lister {
 public:
  Lister(const Divergences& divergences, StepShares& shares) : divergences_(divergences), shares_(shares) {}

  void add(const Steps& steps, const std::string& path, std::int64_t times, int depth) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const std::string here = fmt::format("{}[{}]", path, i);
      shares_.steps.push_back({.path = here,
                               .depth = depth,
                               .name = step.name,
                               .comment = step.comment,
                               .mechanism = kind_of(step),
                               .count = step.count,
                               .divergence = divergences_.of({step}, times, shares_.direction)});
      if (const auto* group = std::get_if<Steps>(&step.what)) {
        add(*group, here + ".plan", plan::count_product(times, step.count), depth + 1);
      }
    }
  }

 private:
  const Divergences& divergences_;
  StepShares& shares_;
};

// Returns why there are no shares; empty if there are.
std::string obstacle_to(const StepShares& shares, const RenyiBound& bound) {
  if (shares.steps.empty()) return "the plan has no steps";
  if (std::isinf(bound.upper)) return "no order gives a finite Renyi bound";
  if (std::isinf(shares.divergence.value)) {
    return fmt::format("the Renyi divergence at order {} is infinite", shares.order);
  }
  return shares.divergence.value > 0 ? "" : "the steps cost nothing";
}

}  // namespace
}  // namespace step_shares_file

StepShares step_shares(const Analysis& analysis, const RenyiBound& bound) {
  using namespace step_shares_file;
  const Steps& steps = analysis.plan().steps();
  StepShares shares{.order = bound.order, .of_finite_parts = analysis.curve()->finite_part() != nullptr};
  const Divergences divergences(analysis, bound.order);
  shares.divergence = divergences.of(steps, 1, Direction::remove);
  if (const Bounded add = divergences.of(steps, 1, Direction::add); add.upper() > shares.divergence.upper()) {
    shares.direction = Direction::add;
    shares.divergence = add;
  }
  Lister(divergences, shares).add(steps, "steps", 1, 0);
  shares.unavailable = obstacle_to(shares, bound);
  if (!shares.unavailable.empty()) return shares;
  for (StepShare& step : shares.steps) step.share = step.divergence.value / shares.divergence.value;
  return shares;
}

}  // namespace renyi
