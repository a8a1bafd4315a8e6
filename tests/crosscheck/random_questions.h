// Random questions with a bias to corners; the same for the same seed and number.
#pragma once

#include <cstdint>
#include <vector>

#include "crosscheck/question.h"
#include "support/random_source.h"

namespace renyi::crosscheck {

// Returns the random inputs of the case with that number.
test::RandomInputs inputs_of(std::uint64_t seed, std::uint64_t number);

// A divergence of one mechanism, over the whole stated domain: orders 1 to 1e4, and infinity.
Question random_point(test::RandomInputs& inputs);
Question random_point(test::RandomInputs& inputs, const Mechanism& mechanism);

// A plan of one to three kinds of steps whose loss is known, and a delta.
struct PlanAndDelta {
  Plan plan;
  double delta = 0;
};
PlanAndDelta random_plan(test::RandomInputs& inputs);

// Epsilon and delta of it. The fast code is asked where delta is worth asking for.
std::vector<Question> plan_questions(test::RandomInputs& inputs, const PlanAndDelta& asked);

}  // namespace renyi::crosscheck
