#include "exact/rare_components.h"

#include <algorithm>
#include <cmath>

#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/random_allocation/cut_curve.h"
#include "numerics/rounding.h"
#include "renyi/extras/custom.h"

namespace renyi::exact {

namespace rare_components_file {
namespace {

using monotone::WeightedPair;

// Orders components by how fast their divergences grow: the first are left out first.
bool grows_faster(const WeightedPair& a, const WeightedPair& b) {
  const Growth x = a.pair->growth(), y = b.pair->growth();
  return x.rho != y.rho ? x.rho > y.rho : x.xi > y.xi;
}

// Returns an upper bound on the component's weight times its total variation, 1 - exp(-f) for a largest fall f: P is at
// least exp(-f) Q. The two halves of a component have the same.
double variation(const WeightedPair& component) {
  const monotone::MonotonePair& pair = component.other ? *component.other : *component.pair;
  return numerics::next_up(component.weight * numerics::next_up(-std::expm1(-pair.largest_fall().upper())));
}

// Removes components of at most this total variation in all, the fastest growing first; returns it, rounded up.
double remove_rare(std::vector<WeightedPair>& components, double most) {
  std::stable_sort(components.begin(), components.end(), grows_faster);
  double lost = 0;
  std::size_t count = 0;
  for (; count + 1 < components.size(); ++count) {
    const double more = numerics::next_up(lost + variation(components[count]));
    if (!(more <= most)) break;
    lost = more;
  }
  components.erase(components.begin(), components.begin() + static_cast<std::ptrdiff_t>(count));
  return lost;
}

}  // namespace
}  // namespace rare_components_file

std::optional<WithoutRare> without_rare(const std::vector<CountedMechanism>& steps, double most) {
  WithoutRare kept{.steps = steps};
  const double share = most / static_cast<double>(steps.size());
  for (CountedMechanism& step : kept.steps) {
    const auto curve = step.mechanism.curve();
    const mechanism::Law law = curve->law();
    const auto* pairs = law.get_if<mechanism::RevealedPairs>();
    if (pairs == nullptr) continue;
    std::vector<monotone::WeightedPair> components = pairs->curve->components();
    const auto count = static_cast<double>(step.count);
    const double lost = rare_components_file::remove_rare(components, share / count);
    if (lost == 0) continue;
    kept.lost = numerics::next_up(kept.lost + numerics::next_up(lost * count));
    step.mechanism =
        CustomMechanism(std::string(step.mechanism.summary()),
                        std::make_shared<monotone::PairsCurve>(std::move(components), pairs->curve->knowledge()));
  }
  if (kept.lost == 0) return std::nullopt;
  kept.curve = compose(kept.steps);
  return kept;
}

std::optional<WithoutRare> without_tails(const std::vector<CountedMechanism>& steps, double most) {
  using random_allocation::CutCurve;
  using random_allocation::RandomAllocationCurve;
  // Half of what may be lost is for rare components.
  auto rare = without_rare(steps, 0.5 * most);
  WithoutRare kept = rare ? std::move(*rare) : WithoutRare{.steps = steps};
  const double share = 0.5 * most / static_cast<double>(steps.size());
  bool is_cut = false;
  for (CountedMechanism& step : kept.steps) {
    const auto curve = std::dynamic_pointer_cast<const RandomAllocationCurve>(step.mechanism.curve());
    if (!curve) continue;
    const auto count = static_cast<double>(step.count);
    const auto cut = CutCurve::without(curve, curve->steps(), curve->noise_multiplier(), share / count);
    if (!cut) continue;
    is_cut = true;
    kept.lost = numerics::next_up(kept.lost + numerics::next_up(cut->lost() * count));
    step.mechanism = CustomMechanism(std::string(step.mechanism.summary()), cut);
  }
  if (!is_cut) return std::nullopt;
  kept.curve = compose(kept.steps);
  return kept;
}

EngineQuestion question_without(const EngineQuestion& question, const WithoutRare& kept) {
  return {kept.steps, *kept.curve, question.direction, question.options, question.memory};
}

EngineAnswer delta_without_rare(const EngineQuestion& question,
                                const std::function<EngineAnswer(const EngineQuestion&)>& answer_to) {
  constexpr double first_lost = 1e-16;  // what rare components may take of a delta that is not known yet
  auto kept = without_rare(question.steps, first_lost);
  if (!kept) return answer_to(question);
  EngineAnswer answer = answer_to(question_without(question, *kept));
  if (answer && kept->lost > rare_share * answer->lower) {
    kept = without_rare(question.steps, rare_share * answer->lower);
    if (!kept) return answer_to(question);
    answer = answer_to(question_without(question, *kept));
  }
  if (answer) answer->upper = std::min(1.0, numerics::next_up(answer->upper + kept->lost));
  return answer;
}

}  // namespace renyi::exact
