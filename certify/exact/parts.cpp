#include "certify/exact/parts.h"

#include <algorithm>

namespace renyi::certify {
namespace {

enum class Kind { nothing, gaussian, response, other, unknown };

Kind kind_of(const Mechanism& step) {
  if (is_trivial(step)) return Kind::nothing;
  if (gaussian_rate(step)) return Kind::gaussian;
  if (two_sided(step)) return Kind::response;
  const bool other = step.get_if<Laplace>() != nullptr || step.get_if<SampledGaussian>() != nullptr;
  return other ? Kind::other : Kind::unknown;
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
