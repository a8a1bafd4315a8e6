// What always holds: the Renyi bound above; below, the deltas of parts of the plan. To drop
// steps is to post-process the output, so no part has a larger delta than the whole.
#include <algorithm>

#include "exact/closed_form/inverse.h"
#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "renyi/account.h"

namespace renyi::exact {

namespace {

// Parts with a closed form: the Gaussians together, the responses of one kind, each step alone.
std::vector<Profile> part_profiles(const Question& question) {
  std::vector<Profile> parts;
  const auto consider = [&](const std::vector<CountedMechanism>& part) {
    if (auto profile = closed_form_profile(part, question.direction)) parts.push_back(std::move(*profile));
  };
  std::vector<CountedMechanism> gaussians;
  for (const CountedMechanism& step : question.steps) {
    if (squared_mu(step.mechanism)) {
      gaussians.push_back(step);
      continue;
    }
    const std::size_t before = parts.size();
    consider({{step.mechanism, std::min(step.count, most_runs)}});
    if (parts.size() == before) consider({{step.mechanism, 1}});
  }
  if (!gaussians.empty()) consider(gaussians);
  return parts;
}

}  // namespace

Answer bounds_delta(const Question& question, double epsilon) {
  double lower = 0;
  for (const Profile& part : part_profiles(question)) lower = std::max(lower, part(epsilon).lower);
  return ExactFigure{lower, renyi_delta(question.curve, epsilon).delta, Engine::bounds};
}

Answer bounds_epsilon(const Question& question, double delta) {
  const double upper = renyi_epsilon(question.curve, delta).epsilon;
  double lower = 0;
  for (const Profile& part : part_profiles(question)) {
    // Only a part whose delta is still too large at the best bound so far improves it.
    if (part(lower).lower > delta) lower = std::max(lower, epsilon_of(part, delta, upper).lower);
  }
  return ExactFigure{lower, std::max(lower, upper), Engine::bounds};
}

}  // namespace renyi::exact
