#include "certify/exact/parts.h"

#include <algorithm>

namespace renyi::certify {
namespace {

enum class Kind { nothing, gaussian, response, other, unknown };

Kind kind_of(const Mechanism& step) {
  if (const auto* sampled = step.get_if<SampledGaussian>()) {
    if (sampled->sampling_rate == 0) return Kind::nothing;
    return sampled->sampling_rate == 1 ? Kind::gaussian : Kind::other;
  }
  if (const auto* gdp = step.get_if<GaussianDp>()) return gdp->mu == 0 ? Kind::nothing : Kind::gaussian;
  if (step.get_if<Gaussian>() != nullptr) return Kind::gaussian;
  if (is_response(step)) return is_without_loss(step) ? Kind::nothing : Kind::response;
  return step.get_if<Laplace>() != nullptr ? Kind::other : Kind::unknown;
}

}  // namespace

std::optional<Parts> parts_of(const Steps& steps) {
  Parts parts;
  for (const CountedMechanism& step : steps) {
    switch (kind_of(step.mechanism)) {
      case Kind::nothing: break;
      case Kind::gaussian: parts.gaussians.push_back(step); break;
      case Kind::response: parts.responses.push_back({step.mechanism, step.count}); break;
      case Kind::other: parts.others.push_back(step); break;
      case Kind::unknown: return std::nullopt;
    }
  }
  std::ranges::stable_sort(parts.responses, {}, &CountedResponse::count);
  return parts;
}

}  // namespace renyi::certify
