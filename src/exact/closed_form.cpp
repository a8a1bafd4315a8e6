// Which plans have a closed form: Gaussians alone, one step, binary responses of one kind.
#include <algorithm>

#include "exact/closed_form/inverse.h"
#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "mechanism/atomic_curve.h"
#include "renyi/account.h"

namespace renyi::exact {

namespace {

// The hockey-stick divergence itself.
Profile discrete_profile(std::shared_ptr<const mechanism::AtomicCurve> pair, Direction direction) {
  return [pair = std::move(pair), direction](double epsilon) {
    const Bounded delta = pair->hockey_stick(epsilon, direction);
    return Ends{delta.lower(), std::min(1.0, delta.upper())};
  };
}

std::optional<Profile> one_step_profile(const Mechanism& mechanism, Direction direction) {
  if (const auto* m = mechanism.get_if<SampledGaussian>()) return sampled_gaussian_profile(*m, direction);
  if (const auto* m = mechanism.get_if<Laplace>()) return laplace_profile(*m);
  if (const auto* m = mechanism.get_if<RandomizedResponse>()) return response_profile(response_of(*m));
  if (const auto* m = mechanism.get_if<PureDp>()) return response_profile(response_of(*m));
  if (const auto pair = mechanism::bounded_range_pair_of(mechanism)) return bounded_range_profile(*pair);
  if (auto pairs = sampling::pairs_curve_of(mechanism)) return pairs_profile(std::move(pairs), direction);
  const auto atoms = mechanism::atomic_curve_of(mechanism);
  if (atoms && atoms->is_listed()) return discrete_profile(atoms, direction);
  return std::nullopt;
}

std::optional<Profile> repeated_profile(const CountedMechanism& step) {
  if (step.count > most_runs) return std::nullopt;
  if (const auto* m = step.mechanism.get_if<PureDp>()) {
    return repeated_response_profile(response_of(*m).loss, step.count);
  }
  const auto* m = step.mechanism.get_if<RandomizedResponse>();
  if (m == nullptr || m->categories != 2) return std::nullopt;
  return repeated_response_profile(response_of(*m).loss, step.count);
}

}  // namespace

std::vector<CountedMechanism> revealing(const std::vector<CountedMechanism>& steps) {
  std::vector<CountedMechanism> result;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(result),
               [](const CountedMechanism& step) { return step.mechanism.curve()->worst_max_loss().upper() > 0; });
  return result;
}

std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction) {
  const std::vector<CountedMechanism> live = revealing(steps);
  if (live.empty()) return [](double) { return Ends{0, 0}; };
  if (auto gaussians = gaussian_profile(live)) return gaussians;
  if (live.size() != 1) return std::nullopt;
  return live[0].count == 1 ? one_step_profile(live[0].mechanism, direction) : repeated_profile(live[0]);
}

Answer closed_form_delta(const Question& question, double epsilon) {
  const auto profile = closed_form_profile(question.steps, question.direction);
  if (!profile) return std::nullopt;
  const Ends delta = (*profile)(epsilon);
  return ExactFigure{delta.lower, delta.upper, Engine::closed_form};
}

Answer closed_form_epsilon(const Question& question, double delta) {
  const auto profile = closed_form_profile(question.steps, question.direction);
  if (!profile) return std::nullopt;
  const Ends epsilon = epsilon_of(*profile, delta, renyi_epsilon(question.curve, delta).epsilon);
  return ExactFigure{epsilon.lower, epsilon.upper, Engine::closed_form};
}

}  // namespace renyi::exact
