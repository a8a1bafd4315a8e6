#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

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

TEST(CertifiedAllocation, ContainsKnownValues) {
  for (const Known& row : known) {
    SCOPED_TRACE(testing::Message() << row.batches << " " << row.noise << " " << row.order);
    for (const Direction direction : both_directions) {
      const double truth = direction == Direction::remove ? row.remove : row.add;
      const Plan plan = plan_of(row.batches, row.noise);
      const Certified first = certified::divergence(plan, row.order, direction);
      const Certified second = certified::divergence(plan, row.order, direction, Route::second);
      EXPECT_NEAR(rounded_down(first.value.lower), truth, 2e-15 * truth);
      EXPECT_NEAR(rounded_up(first.value.upper), truth, 2e-15 * truth);
      EXPECT_TRUE(contains(first.value, second.value));
    }
  }
}

// The finite sum and the integral have nothing in common.
TEST(CertifiedAllocation, RoutesAgree) {
  for (const auto& [batches, noise, order] :
       {std::tuple{10.0, 0.3, 5.0}, {235.0, 0.6, 7.0}, {10'000.0, 20.0, 3.0}, {1e6, 1.0, 4.0}, {2.0, 1000.0, 12.0}}) {
    SCOPED_TRACE(testing::Message() << batches << " " << noise << " " << order);
    const Plan plan = plan_of(batches, noise);
    for (const Direction direction : both_directions) {
      const Certified first = certified::divergence(plan, order, direction);
      const Certified second = certified::divergence(plan, order, direction, Route::second);
      EXPECT_EQ(first.method, direction == Direction::remove ? "finite sum" : "trapezoidal rule");
      EXPECT_EQ(second.method, "trapezoidal rule");
      EXPECT_TRUE(contains(first.value, second.value));
      EXPECT_LE(width(first.value), 1e-14 * rounded_up(first.value.upper));
    }
  }
}

// E[R^2] = 1 + (exp(1/s^2) - 1)/t.
TEST(CertifiedAllocation, OrderTwoIsElementary) {
  for (const double batches : {2.0, 3.0, 1000.0}) {
    const Certified second = certified::divergence(plan_of(batches, 2), 2, Direction::remove, Route::second);
    const double truth = std::log1p(std::expm1(0.25) / batches);
    EXPECT_NEAR(rounded_up(second.value.upper), truth, 1e-15 * truth);
    EXPECT_NEAR(rounded_down(second.value.lower), truth, 1e-15 * truth);
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
  for (const double order : {1.0, 1.75, 6.0}) {
    for (const Direction direction : both_directions) {
      Dyadic before = certified::divergence(Plan().add(Gaussian{.stddev = 0.8}), order, direction).value.lower;
      for (const double batches : {2.0, 3.0, 64.0}) {
        const Enclosure now = certified::divergence(plan_of(batches, 0.8), order, direction).value;
        EXPECT_LT(rounded_up(now.upper), rounded_down(before)) << batches << " " << order;
        before = now.lower;
      }
    }
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
  EXPECT_THROW(certified::divergence(plan_of(100, 1), 300.5, Direction::remove), NotConverged);
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
      test::forged(text, [](json::Json& document) { test::put_plan(document, write_plan(plan_of(19, 0.9, 3))); });
  EXPECT_FALSE(verify_certificate(more).valid);
}

}  // namespace
}  // namespace renyi::certify::random_allocation_test
