// What leaves as a certificate is valid, also where losses are large and little can be proven. Plans are those that are
// certified quickly: few steps of sampled Gaussians, many of which a contour or a bound serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "renyi/extras/certificate.h"
#include "renyi/plan.h"
#include "support/random_inputs.h"

namespace renyi::certificate_property_test {
namespace {

CountedMechanism random_step(test::RandomInputs& inputs) {
  const auto count = [&inputs](double least, double most) {
    return static_cast<std::int64_t>(inputs.log_uniform(least, most));
  };
  switch (inputs.below(5)) {
    case 0: return {Gaussian{.stddev = inputs.log_uniform(0.02, 20)}, count(1, 1e6)};
    case 1: return {Laplace{.scale = 1, .l1_sensitivity = inputs.log_uniform(0.01, 1e5)}, 1};
    case 2: {
      const bool is_large = inputs.chance(0.5);
      const double sensitivity = is_large ? inputs.log_uniform(2e4, 1e5) : inputs.log_uniform(0.01, 50);
      return {Laplace{.scale = 1, .l1_sensitivity = sensitivity}, count(5e3, 1e6)};
    }
    case 3: return {SampledGaussian{inputs.log_uniform(1e-3, 1), inputs.log_uniform(0.02, 10)}, 1};
    default: return {SampledGaussian{inputs.log_uniform(1e-2, 0.5), inputs.log_uniform(0.8, 5)}, count(300, 1e5)};
  }
}

CertificateQuestion random_question(test::RandomInputs& inputs) {
  if (inputs.chance(0.7)) return {.delta = inputs.log_uniform(1e-10, 0.1)};
  return {.epsilon = inputs.log_uniform(0.001, 1)};
}

TEST(CertificateProperty, WhatLeavesIsValid) {
  test::for_random_cases(0.015, [](test::RandomInputs& inputs) {
    const CountedMechanism step = random_step(inputs);
    const Plan plan = Plan().add(step.mechanism, step.count);
    const CertificateQuestion question = random_question(inputs);
    SCOPED_TRACE(fmt::format("{} delta {} epsilon {}", write_plan(plan), question.delta.value_or(-1),
                             question.epsilon.value_or(-1)));
    const Verdict verdict = verify_certificate(make_certificate(plan, question));
    EXPECT_THAT(verdict.faults, testing::IsEmpty());
    EXPECT_EQ(verdict.proven.size(), verdict.claims);
  });
}

}  // namespace
}  // namespace renyi::certificate_property_test
