// Compares the closed-form bound of Mironov, Talwar, Zhang 2019, Theorem 11, with the exact divergences of a plan
// (docs/math/sampled-gaussian.md), as that paper does.
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

// One order: the exact divergence of the plan, and the sum of the closed-form bounds of its steps.
struct ClosedFormRow {
  double order = 1;
  Bounded exact{};
  std::optional<Bounded> closed_form{};  // not set if a condition of the theorem fails
  std::string obstacle{};                // the condition that fails, with its numbers
  // The closed form divided by the exact value, rounded to nearest; not set if either is missing or 0.
  std::optional<double> ratio_estimate{};
};

// A step of the plan, and the largest order at which the theorem applies to it.
struct ClosedFormStep {
  SampledGaussian step{};
  std::int64_t count = 1;
  ClosedFormEnd end{};
};

// The result of compare_closed_form.
struct ClosedFormComparison {
  std::vector<ClosedFormRow> rows;
  std::vector<ClosedFormStep> steps;
};

// Compares both at each of `orders`. If no orders are given, a grid is used that extends beyond the largest order at
// which the theorem applies. Throws Unsupported if a step is not a sampled Gaussian.
//
//     for (const renyi::ClosedFormRow& row : renyi::compare_closed_form(plan).rows) std::cout << row.order << "\n";
[[nodiscard]] ClosedFormComparison compare_closed_form(const Analysis& analysis, std::span<const double> orders = {});

}  // namespace renyi
