// Responses beside other steps: delta(epsilon) = sum_a w_a rest(epsilon - s_a).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "certify/exact/law.h"
#include "certify/exact/response.h"

namespace renyi::certify {

// Losses and their P-masses, heaviest first.
struct Atoms {
  std::vector<Ball> loss;
  std::vector<Ball> mass;
};

// All sums of losses of the responses; nothing if they are too many.
std::optional<Atoms> atoms_of(const std::vector<CountedResponse>& responses);

// What is left of the list may be this share of the sum, and is charged to its upper end.
constexpr double negligible_atoms = 0x1p-66;

// Together with the other steps, whose law may be asked at balls of positive radius; nothing if the atoms are too many.
std::unique_ptr<Law> with_responses(const std::vector<CountedResponse>& responses, std::unique_ptr<Law> rest,
                                    double negligible = negligible_atoms);

}  // namespace renyi::certify
