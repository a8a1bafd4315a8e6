// Leaves out the rare components of revealed mixtures, such as many hits of one record in draws with replacement: they
// would dominate every moment of the loss, and hardly count in delta (docs/math/sampled-pairs.md, "Rare components").
// The rare large losses of random allocation are of the same kind (docs/math/random-allocation.md, "Cutting the tail").
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "exact/engine.h"
#include "renyi/plan.h"

namespace renyi::exact {

// The delta of the whole plan exceeds that of these steps by at most `lost`, and is never smaller.
struct WithoutRare {
  std::vector<CountedMechanism> steps{};
  std::shared_ptr<const Curve> curve{};
  double lost = 0;
};

// Returns std::nullopt if no component may be left out: those that are have a total probability of at most `most` in
// the whole plan.
std::optional<WithoutRare> without_rare(const std::vector<CountedMechanism>& steps, double most);

// Leaves out rare components and, in the direction remove, the rare large losses of random allocation. Returns
// std::nullopt if there are none of these losses.
std::optional<WithoutRare> without_tails(const std::vector<CountedMechanism>& steps, double most);

// The share of delta that rare components may take.
inline constexpr double rare_share = 1e-8;

// Returns the question about the steps that were kept. It refers to both arguments.
EngineQuestion question_without(const EngineQuestion& question, const WithoutRare& kept);

// Answers what delta is by the answer without rare components, or by that to the whole question if there are none.
EngineAnswer delta_without_rare(const EngineQuestion& question,
                                const std::function<EngineAnswer(const EngineQuestion&)>& answer_to);

}  // namespace renyi::exact
