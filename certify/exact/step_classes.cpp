#include "certify/exact/step_classes.h"

#include <algorithm>

namespace renyi::certify {

// Any epsilon-DP pair is a post-processing of the pair that pure-dp has here (Kairouz, Oh, Viswanath, ICML 2015,
// Theorem 3.3 and its proof).
TwoSided CountedResponse::law() const { return *two_sided(mechanism); }

bool CountedResponse::has_two_losses() const {
  const auto response = mechanism.get_if<RandomizedResponse>();
  return !response || response->categories == 2;
}

namespace step_classes_file {
namespace {

enum class Kind { nothing, gaussian, response, other, unknown };

Kind kind_of(const Mechanism& step) {
  if (is_trivial(step)) return Kind::nothing;
  if (gaussian_rate(step)) return Kind::gaussian;
  if (two_sided(step)) return Kind::response;
  const bool other = step.get_if<Laplace>().has_value() || step.get_if<SampledGaussian>().has_value();
  return other ? Kind::other : Kind::unknown;
}

}  // namespace
}  // namespace step_classes_file

std::optional<StepClasses> classify_steps(const Steps& steps) {
  StepClasses parts;
  for (const CountedMechanism& step : steps) {
    switch (step_classes_file::kind_of(step.mechanism)) {
      case step_classes_file::Kind::nothing: break;
      case step_classes_file::Kind::gaussian: parts.gaussians.push_back(step); break;
      case step_classes_file::Kind::response: parts.responses.push_back({step.mechanism, step.count}); break;
      case step_classes_file::Kind::other: parts.others.push_back(step); break;
      case step_classes_file::Kind::unknown: return std::nullopt;
    }
  }
  std::ranges::stable_sort(parts.responses, {}, &CountedResponse::count);
  return parts;
}

Ball gaussian_ratio(const Steps& gaussians) {
  Ball half_squares;
  for (const auto& [step, count] : gaussians) half_squares += Ball(count) * *gaussian_rate(step);
  return sqrt(2 * half_squares);
}

}  // namespace renyi::certify
