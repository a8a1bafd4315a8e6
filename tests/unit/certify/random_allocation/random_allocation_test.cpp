#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "certify/exact/decay.h"
#include "certify/exact/law.h"
#include "certify/log_moment.h"
#include "certify/random_allocation/moment.h"
#include "certify/random_allocation/transform.h"
#include "renyi/error.h"
#include "renyi/extras/certificate.h"
#include "renyi/extras/certify.h"
#include "renyi/rdp.h"
#include "support/forgery.h"
#include "support/settings.h"

namespace renyi::certify::random_allocation_test {
namespace {

using test::both_directions;

Mechanism epoch(double batches, double noise) {
  return Mechanism(Gaussian{.stddev = noise}).sampled_by(Sampling::random_allocation(batches));
}

Plan plan_of(double batches, double noise, std::int64_t count = 1, Neighbors neighbors = Neighbors::add_or_remove_one) {
  return Plan(neighbors).add(epoch(batches, noise), count);
}

// Values of the trapezoidal rule in t dimensions, in 64-bit extended precision.
struct Known {
  double batches, noise, order, remove, add;
};
constexpr Known known[] = {
    {2, 1, 1.5, 0.4558175748754511746, 0.4309198105855892869},
    {2, 1, 2.5, 0.7933083565074229642, 0.7053235428154164399},
    {2, 1, 1, 0.2986545284151948597, 0.2904852728399183824},
    {2, 0.5, 1.5, 2.3767434306805763932, 1.960543156556832618},
    {2, 0.5, 2.5, 4.310266323150472171, 3.0902039255586369333},
    {2, 0.5, 1, 1.4999278639331550628, 1.3577511343117201513},
    {3, 1, 1.5, 0.3310579264069301323, 0.3085723306896610584},
    {3, 1, 2.5, 0.5833742894176694502, 0.5025237431645520171},
    {3, 1, 1, 0.2159639956787524972, 0.2086105942757782707},
};

// A figure as the routes compute it, at their first precision.
Ball figure(double batches, double noise, double order, Direction direction, Route route = Route::first) {
  const Precision bits(route == Route::first ? 128 : 192);
  return divergence(epoch(batches, noise), direction, order, route);
}

TEST(CertifiedAllocation, ContainsKnownValues) {
  for (const Known& row : known) {
    SCOPED_TRACE(testing::Message() << row.batches << " " << row.noise << " " << row.order);
    for (const Direction direction : both_directions) {
      const double truth = direction == Direction::remove ? row.remove : row.add;
      const Ball first = figure(row.batches, row.noise, row.order, direction);
      const Ball second = figure(row.batches, row.noise, row.order, direction, Route::second);
      EXPECT_NEAR(first.about(), truth, 1e-15 * truth);
      EXPECT_LE(first.relative_radius(), 1e-15);
      EXPECT_LE(second.relative_radius(), 1e-17);
      EXPECT_TRUE(overlap(first, second));
    }
  }
}

// The finite sum and the integral have nothing in common.
TEST(CertifiedAllocation, RoutesAgree) {
  for (const auto& [batches, noise, order] :
       {std::tuple{10.0, 0.3, 5.0}, {235.0, 0.6, 7.0}, {10'000.0, 20.0, 3.0}, {1e6, 1.0, 4.0}, {2.0, 1000.0, 12.0}}) {
    SCOPED_TRACE(testing::Message() << batches << " " << noise << " " << order);
    const Mechanism step = epoch(batches, noise);
    EXPECT_EQ(method_of(step, Direction::remove, order, Route::first), Method::finite_sum);
    EXPECT_EQ(method_of(step, Direction::remove, order, Route::second), Method::trapezoid);
    for (const Direction direction : both_directions) {
      const Ball first = figure(batches, noise, order, direction);
      const Ball second = figure(batches, noise, order, direction, Route::second);
      EXPECT_TRUE(overlap(first, second));
      EXPECT_LE(second.relative_radius(), 1e-17);
    }
  }
}

// E[R^2] = 1 + (exp(1/s^2) - 1)/t.
TEST(CertifiedAllocation, OrderTwoIsElementary) {
  const Precision bits(192);
  for (const double batches : {2.0, 3.0, 1000.0}) {
    const Ball truth = log1p(expm1(Ball(0.25)) / batches);
    EXPECT_TRUE(overlap(figure(batches, 2, 2, Direction::remove, Route::second), truth));
    EXPECT_TRUE(overlap(figure(batches, 2, 2, Direction::remove), truth));
  }
}

// M(v) against values in 30-digit arithmetic.
TEST(CertifiedAllocation, TransformContainsKnownValues) {
  const Precision bits(128);
  const auto expect = [](double noise, double x, double truth) {
    const Ball m = LogNormalTransform(1 / square(Ball(noise)), 40, 80).at(x);
    EXPECT_NEAR(m.about(), truth, 4e-16 * truth) << noise << " " << x;
    EXPECT_LE(m.relative_radius(), 1e-20);
  };
  expect(1, 0, 0.51242864562408711528);
  expect(0.5, 3, 0.25535406091980024996);
  expect(0.5, -4, 0.98477413495119784211);
  expect(2, 2.5, 0.0018337142803089855596);
  expect(0.25, 20, 0.0012360147673082103977);
}

TEST(CertifiedAllocation, CostsNoMoreThanOneStepAndLessWithMoreBatches) {
  const Precision bits(128);
  for (const double order : {1.0, 1.75, 6.0}) {
    for (const Direction direction : both_directions) {
      Ball before = divergence(Gaussian{.stddev = 0.8}, direction, order);
      for (const double batches : {2.0, 3.0, 64.0}) {
        const Ball now = figure(batches, 0.8, order, direction);
        EXPECT_TRUE(surely_less(now, before)) << batches << " " << order;
        before = now;
      }
    }
  }
}

// delta of two batches by integration, and of one batch in closed form: E_Q[(R - e^eps)_+] and E_Q[(1 - e^eps R)_+].
TEST(CertifiedAllocation, ExactDeltasContainKnownValues) {
  struct Row {
    double noise, epsilon, remove, add;
  };
  for (const Row& row :
       {Row{0.7, 1, 0.1901458127897, 0.1706114355105}, Row{2, 1, 0.0006461283719841, 0.0004790062422348}}) {
    const Steps steps{{epoch(2, row.noise), 1}};
    for (const Direction direction : both_directions) {
      const double truth = direction == Direction::remove ? row.remove : row.add;
      const OperatingPoint place = place_of_epsilon(steps, direction, row.epsilon);
      for (const Route route : {Route::first, Route::second}) {
        const auto law = contour_law(steps, direction, place, 1e-11, route);
        ASSERT_NE(law, nullptr);
        const Ball delta = law->delta(row.epsilon);
        EXPECT_NEAR(delta.about(), truth, 1e-12 * truth);
        EXPECT_LE(delta.relative_radius(), 1e-11);
      }
    }
  }
}

// The bound by which lines end.
TEST(CertifiedAllocation, MomentsFallAsFastAsTheDecaySays) {
  const Precision bits(128);
  const AllocatedGaussian few{.steps = 5, .stddev = 0.7};
  for (const Direction direction : both_directions) {
    constexpr long points = 40;
    const auto line = allocated_moments(few, direction, 1.5, 0.25, points, 80);
    const auto decay = decay_of(epoch(5, 0.7), direction, 1.5);
    for (long j = 1; j < points; ++j) {
      const Ball modulus = abs(line[static_cast<std::size_t>(j)] / line.front());
      const Ball y = Ball(0.25) * Ball(std::int64_t{j});
      EXPECT_TRUE(surely_at_most(modulus.lower(), exp(decay->beyond(y)))) << j;
    }
    EXPECT_TRUE(overlap(log(line.front().real()), Ball(1.5) * figure(5, 0.7, 2.5, direction)));
  }
}

// What the floating-point library states is never below what is proven.
TEST(CertifiedAllocation, IsNotAboveTheFloatingPointBound) {
  for (const double order : {1.5, 4.0, 17.25}) {
    for (const Direction direction : both_directions) {
      const Plan plan = plan_of(100, 0.7, 5, Neighbors::zero_out);
      const Certified certified = certified::divergence(plan, order, direction);
      EXPECT_LE(rounded_down(certified.value.lower), rdp(plan, order, {.direction = direction}).upper());
    }
  }
}

TEST(CertifiedAllocation, IsRefusedWhereItIsNotProven) {
  EXPECT_THROW(divergence(epoch(100, 1), Direction::remove, 300.5), NotConverged);
  EXPECT_EQ(allocated_work({.steps = 100}, Direction::remove, 300, 1, 10, 80), HUGE_VAL);
  EXPECT_FALSE(allocated_gaussian(epoch(1, 1)));
  EXPECT_FALSE(allocated_gaussian(epoch(2e6, 1)));
  EXPECT_FALSE(allocated_gaussian(epoch(100, 0.2)));
  EXPECT_FALSE(allocated_gaussian(Gaussian{.stddev = 1}));
  EXPECT_FALSE(allocated_gaussian(Mechanism(Laplace{2}).sampled_by(Sampling::random_allocation(10))));
  EXPECT_FALSE(allocated_gaussian(Mechanism(Gaussian{.stddev = 1}).sampled_by(Sampling::shuffled(10))));
  // Two records, or one that is replaced, are not analysed as this pair.
  const Plan replaced = plan_of(100, 1, 1, Neighbors::replace_one);
  EXPECT_FALSE(allocated_gaussian(steps_to_certify(replaced).front().mechanism));
  const Plan two = Plan(Neighbors::zero_out, 2).add(epoch(100, 1));
  EXPECT_FALSE(allocated_gaussian(steps_to_certify(two).front().mechanism));
}

TEST(CertifiedAllocation, CertificatesAreVerifiedAndForgeriesAreRefused) {
  const std::string text = make_certificate(plan_of(20, 0.9, 3), {.delta = 1e-5});
  const Verdict verdict = verify_certificate(text);
  EXPECT_THAT(verdict.faults, testing::IsEmpty());
  EXPECT_GE(verdict.claims, 3U);
  for (const std::size_t i : {0U, 1U, 2U}) {
    const std::string lie = test::forged(text, [i](json::Json& document) {
      Dyadic upper = test::dyadic_in(document["claims"][i]["lower"]);
      document["claims"][i]["upper"] = test::end(upper, true);
    });
    EXPECT_FALSE(verify_certificate(lie).valid) << i;
  }
  const std::string more =
      test::forged(text, [](json::Json& document) { test::put_plan(document, write_plan(plan_of(20, 0.8, 3))); });
  EXPECT_FALSE(verify_certificate(more).valid);
}

}  // namespace
}  // namespace renyi::certify::random_allocation_test
