// The Renyi bound by each method for sampled Gaussians, against the formulas themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::sampled_gaussian_by_method_test {
namespace {

using enum SampledGaussianMethod;
using ::testing::HasSubstr;

const SampledGaussian step{.sampling_rate = 0.01, .noise_multiplier = 4};
constexpr std::int64_t steps = 10'000;

// Canonne, Kamath, Steinke 2020, Proposition 12, with D_a of the whole plan.
double epsilon_at(double order, double divergence, double delta) {
  const double z = order - 1;
  return divergence + (std::log(1 / delta) - std::log(order)) / z - std::log1p(1 / z);
}
double delta_at(double order, double divergence, double epsilon) {
  const double z = order - 1;
  return std::exp(z * (divergence - epsilon - std::log1p(1 / z)) - std::log(order));
}

// 2 q^2 a / s^2 a step.
double by_formula(double order) { return steps * 2 * 0.01 * 0.01 / 16 * order; }

// Returns the minimum of f over a fine grid of the orders to which Theorem 11 applies.
template <class F>
double least(const F& f) {
  double best = test::infinity;
  for (double order = 1.001; closed_form_obstacle(step, order).empty(); order *= 1.0001)
    best = std::min(best, f(order));
  return best;
}

TEST(ByMethod, TheClosedFormIsTheLeastOfItsFormulaOverTheOrdersOfTheTheorem) {
  const Plan plan = Plan().add(step, steps);
  for (const double delta : {1e-2, 1e-5, 1e-8, 1e-12}) {
    const RenyiBound found = renyi_epsilon(plan, delta, closed_form);
    EXPECT_NEAR(found.upper, epsilon_at(found.order, by_formula(found.order), delta), 1e-12);
    EXPECT_EQ(closed_form_obstacle(step, found.order), "");
    const double expected = least([&](double order) { return epsilon_at(order, by_formula(order), delta); });
    EXPECT_NEAR(found.upper, expected, 1e-3 * expected) << delta;
    EXPECT_LE(found.upper, expected * (1 + 1e-12)) << delta;
    EXPECT_GT(found.upper, renyi_epsilon(plan, delta).upper);
  }
  for (const double epsilon : {2.0, 3.0, 5.0}) {
    const RenyiBound found = renyi_delta(plan, epsilon, closed_form);
    const double expected = least([&](double order) { return delta_at(order, by_formula(order), epsilon); });
    EXPECT_NEAR(found.upper, expected, 1e-2 * expected) << epsilon;
    EXPECT_LE(found.upper, expected * (1 + 1e-11)) << epsilon;
    EXPECT_GT(found.upper, renyi_delta(plan, epsilon).upper);
  }
}

// The best order may be the last one to which the theorem applies.
TEST(ByMethod, TheClosedFormStopsWhereItsConditionsEnd) {
  const RenyiBound found = renyi_epsilon(Plan().add(step, 100), 1e-9, closed_form);
  EXPECT_NEAR(found.order, closed_form_end(step).order, 1e-12);
  const RenyiBound two = renyi_epsilon(Plan().add(step, 100).add(SampledGaussian{0.01, 40}), 1e-9, closed_form);
  EXPECT_EQ(two.order, found.order);
  EXPECT_GT(two.upper, found.upper);
}

TEST(ByMethod, WithoutItsConditionsTheClosedFormIsRefused) {
  const auto why = [](const SampledGaussian& s, const ConversionOptions& options) {
    try {
      renyi_epsilon(Plan().add(Gaussian{5}).add(s), 1e-5, closed_form, options);
    } catch (const Unsupported& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(why({0.01, 1.1}, {}), HasSubstr("noise_multiplier >= 4 fails"));
  EXPECT_THAT(why({0.3, 5}, {}), HasSubstr("sampling_rate <= 1/5 fails"));
  EXPECT_THAT(why({0.01, 4}, {.orders = {{32.0, 64.0}}}), HasSubstr("the last is 14.34"));
  EXPECT_EQ(why({0.01, 4}, {.orders = {{8.0, 64.0}}}), "accepted");
  EXPECT_THROW(renyi_delta(Plan().add(SampledGaussian{0.01, 1.1}), 1, closed_form), Unsupported);
}

TEST(ByMethod, SumsFindWhatTheQuadratureFinds) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(Laplace{30}, 2);
  for (const double delta : {1e-3, 1e-6}) {
    const RenyiBound usual = renyi_epsilon(plan, delta);
    EXPECT_NEAR(renyi_epsilon(plan, delta, series).upper, usual.upper, 1e-9 * usual.upper);
    EXPECT_EQ(renyi_epsilon(plan, delta, quadrature).upper, usual.upper);
    const RenyiBound whole = renyi_epsilon(plan, delta, integer);
    EXPECT_EQ(whole.order, std::floor(whole.order));
    // The best of all whole orders.
    std::vector<double> orders;
    for (double order = 2; order <= 64; ++order) orders.push_back(order);
    EXPECT_NEAR(whole.upper, renyi_epsilon(plan, delta, {.orders = orders}).upper, 1e-9 * whole.upper);
  }
  const RenyiBound usual = renyi_delta(plan, 2), whole = renyi_delta(plan, 2, integer);
  EXPECT_NEAR(renyi_delta(plan, 2, series).upper, usual.upper, 1e-7 * usual.upper);
  EXPECT_GE(whole.upper, usual.upper);
  EXPECT_EQ(whole.order, std::floor(whole.order));
}

// Only those of the given orders are used that the method supports.
TEST(ByMethod, OrdersThatAMethodDoesNotServeAreLeftOut) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000);
  const RenyiBound found = renyi_epsilon(plan, 1e-5, integer, {.orders = {{1.5, 8.0, 8.5}}});
  EXPECT_EQ(found.order, 8);
  EXPECT_THROW(renyi_epsilon(plan, 1e-5, integer, {.orders = {{1.5, 8.5}}}), Unsupported);
}

// Whatever the method, steps that are no sampled Gaussians are as they are.
TEST(ByMethod, OtherStepsKeepTheirCurves) {
  const Plan plan = Plan().add(Gaussian{3}, 4).add(make_mechanism("approx-dp", {{"epsilon", 0.1}, {"delta", 1e-7}}));
  for (const SampledGaussianMethod method : {series, closed_form}) {
    const RenyiBound found = renyi_epsilon(plan, 1e-5, method), usual = renyi_epsilon(plan, 1e-5);
    EXPECT_NEAR(found.upper, usual.upper, 1e-12);
    EXPECT_EQ(found.infinite_mass, usual.infinite_mass);
  }
  EXPECT_EQ(renyi_epsilon(Plan().add(SampledGaussian{0, 1}, 5), 1e-5, closed_form).upper, 0);
}

}  // namespace
}  // namespace renyi::sampled_gaussian_by_method_test
