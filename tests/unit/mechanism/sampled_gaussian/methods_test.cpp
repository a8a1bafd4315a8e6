#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"
#include "support/expect.h"

namespace renyi::methods_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Method = SampledGaussianMethod;

Bounded by(Method method, const SampledGaussian& m, double order) {
  return sampled_gaussian_divergence(m, order, Direction::remove, method);
}

template <class Failure>
std::string message_of(Method method, const SampledGaussian& m, double order, Direction direction = Direction::remove) {
  try {
    sampled_gaussian_divergence(m, order, direction, method);
  } catch (const Failure& error) {
    return error.what();
  }
  return "accepted";
}

TEST(IntegerSum, OrderTwoByHand) {
  // A = (1-q)^2 + 2 q (1-q) + q^2 e^(1/s^2) = 1 + q^2 (e^(1/s^2) - 1)
  const long double truth = std::log1p(0.0625L * std::expm1(0.25L));
  test::expect_bounds(by(Method::integer, {0.25, 2}, 2), truth, 1e-12L, 1e-13L);
}

TEST(IntegerSum, NeedsWholeOrders) {
  EXPECT_THAT(message_of<Unsupported>(Method::integer, {0.1, 1}, 2.5), HasSubstr("2.5"));
  EXPECT_THAT(message_of<Unsupported>(Method::integer, {0.1, 1}, 1), HasSubstr("whole order"));
  EXPECT_THAT(message_of<Unsupported>(Method::integer, {0.1, 1}, test::infinity), HasSubstr("inf"));
}

TEST(Series, AgreesWithTheIntegerSum) {
  test::expect_overlap(by(Method::series, {0.1, 2}, 5), by(Method::integer, {0.1, 2}, 5));
}

TEST(Series, SaysWhenItDoesNotConverge) {
  EXPECT_THAT(message_of<NotConverged>(Method::series, {1e-9, 50}, 1.01), HasSubstr("not converged"));
}

TEST(Methods, OnlyQuadratureKnowsTheOtherDirection) {
  for (const Method method : {Method::integer, Method::series, Method::closed_form}) {
    EXPECT_THAT(message_of<Unsupported>(method, {0.01, 5}, 2, Direction::add), HasSubstr("direction remove only"));
  }
  EXPECT_NO_THROW(sampled_gaussian_divergence({0.01, 5}, 2, Direction::add, Method::quadrature));
}

TEST(Methods, RefuseOrdersBelowOneAndBadParameters) {
  EXPECT_THROW(by(Method::quadrature, {0.1, 1}, 0.5), InvalidArgument);
  EXPECT_THROW(by(Method::integer, {-0.1, 1}, 2), InvalidArgument);
}

TEST(Methods, HaveTheNamesOfTheRequests) {
  EXPECT_EQ(to_string(Method::quadrature), "quadrature");
  EXPECT_EQ(to_string(Method::integer), "integer");
  EXPECT_EQ(to_string(Method::series), "series");
  EXPECT_EQ(to_string(Method::closed_form), "closed-form");
}

// Values by 40-digit integration; exponents of 1e5 and more cancel in the series.
TEST(Methods, TheSeriesKnowsItsRoundingAtLargeOrders) {
  const Bounded series = by(Method::series, {0.148860428700819, 27081.36306102659}, 27816.212092760863);
  EXPECT_LE(series.lower(), 4.20230502272116938e-07);
  EXPECT_GE(series.upper(), 4.20230502272116938e-07);
}

TEST(ClosedForm, IsTheTheoremsBound) {
  const SampledGaussian m{0.01, 8};
  EXPECT_THAT(closed_form_obstacle(m, 4), IsEmpty());
  const long double truth = 2 * 0.01L * 0.01L * 4 / 64;
  EXPECT_NEAR(static_cast<double>(by(Method::closed_form, m, 4).value / truth), 1, 1e-14);
}

TEST(ClosedForm, NamesTheConditionThatFails) {
  EXPECT_THAT(closed_form_obstacle({0.01, 8}, 1), HasSubstr("1 < order"));
  EXPECT_THAT(closed_form_obstacle({0.25, 8}, 2), HasSubstr("sampling_rate <= 1/5"));
  EXPECT_THAT(closed_form_obstacle({0.01, 3.9}, 2), HasSubstr("noise_multiplier >= 4"));
  EXPECT_THAT(closed_form_obstacle({0.01, 4}, 60), HasSubstr("order <= s^2 L/2 - 2 ln s"));
  EXPECT_THAT(message_of<Unsupported>(Method::closed_form, {0.01, 3.9}, 2), HasSubstr("noise_multiplier >= 4"));
}

// Between the two limits on the order only the last condition fails.
TEST(ClosedForm, NamesTheLastConditionToo) {
  int seen = 0;
  for (double order = 2; order < 2000; order *= 1.01) {
    const std::string obstacle = closed_form_obstacle({0.1, 10}, order);
    if (obstacle.find("ln 5") != std::string::npos) ++seen;
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace renyi::methods_test
