// The closed-form bound of Mironov, Talwar, Zhang 2019, Theorem 11, beside the exact
// curve (docs/math/sampled-gaussian.md): the content of that paper's comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "renyi/interval.h"
#include "renyi/papers/sampled_gaussian.h"
#include "renyi/plan.h"

namespace renyi {

// One order: the plan's divergence, and the sum of the steps' closed-form bounds.
struct ClosedFormRow {
  double order = 1;
  Bounded exact{};
  std::optional<Bounded> closed_form{};  // nothing where a condition fails
  std::string obstacle{};                // the condition, with numbers
  // closed form over exact, to nearest; nothing where either is missing or 0.
  std::optional<double> ratio_estimate{};
};

// A step of the plan and where the theorem stops for it.
struct ClosedFormStep {
  SampledGaussian step{};
  std::int64_t count = 1;
  ClosedFormEnd end{};
};

struct ClosedFormComparison {
  std::vector<ClosedFormRow> rows;
  std::vector<ClosedFormStep> steps;
};

// At each of `orders`, or, if there are none, over a grid that reaches beyond the end
// of the conditions. Throws Unsupported if a step is no sampled Gaussian.
ClosedFormComparison compare_closed_form(const Analysis& analysis, std::span<const double> orders = {});

}  // namespace renyi
