#include "mechanism/custom/order_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::order_curve_test {
namespace {

using test::infinity;
using ::testing::HasSubstr;

using Function = std::function<double(double)>;

Plan plan_of(const Function& f, std::int64_t count = 1) { return Plan().add(custom_curve("mine", f), count); }

double gaussian(double order) { return order / 8; }  // stddev 2

TEST(OwnCurve, IsTheFunctionAtEachOrder) {
  const Mechanism mine = custom_curve("mine", gaussian);
  const auto curve = mine.curve();
  EXPECT_EQ(curve->knowledge(), Knowledge::orders);
  for (const double order : {1.0, 1 + 1e-9, 1.5, 2.0, 64.0, 1e5, 1e12}) {
    const Bounded d = rdp(*curve, order);
    EXPECT_GE(d.upper(), gaussian(order));
    EXPECT_LE(d.upper(), gaussian(order) * (1 + 1e-15));
  }
  EXPECT_EQ(rdp(*curve, infinity).upper(), infinity);
}

TEST(OwnCurve, OfAGaussianGivesItsEpsilonAndNeverLess) {
  for (const std::int64_t count : {1, 10, 1000, 1'000'000}) {
    for (const double delta : {1e-2, 1e-5, 1e-12, 1e-100}) {
      const double own = renyi_epsilon(plan_of(gaussian, count), delta).upper;
      const double known = renyi_epsilon(Plan().add(Gaussian{2}, count), delta).upper;
      EXPECT_GE(own, known * (1 - 1e-15));
      EXPECT_LE(own, known * (1 + 1e-9));
      const double own_delta = renyi_delta(plan_of(gaussian, count), known).upper;
      EXPECT_LE(own_delta, delta * (1 + 1e-6));
    }
  }
}

TEST(OwnCurve, OfASampledGaussianGivesItsEpsilon) {
  const auto sampled = Mechanism(SampledGaussian{0.01, 1.1}).curve();
  const Plan own = plan_of([&](double order) { return rdp(*sampled, order).upper(); }, 10000);
  const double known = renyi_epsilon(Plan().add(SampledGaussian{0.01, 1.1}, 10000), 1e-5).upper;
  const double mine = renyi_epsilon(own, 1e-5).upper;
  EXPECT_GE(mine, known * (1 - 1e-12));
  EXPECT_LE(mine, known * (1 + 1e-9));
}

TEST(OwnCurve, RefusesNumbersThatAreNoBound) {
  for (const double bad : {std::nan(""), -1.0, -infinity}) {
    try {
      renyi_epsilon(plan_of([=](double) { return bad; }), 1e-5);
      FAIL() << "accepted " << bad;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.path(), "divergence");
      EXPECT_THAT(error.value(), HasSubstr("'mine'"));
      EXPECT_THAT(error.value(), HasSubstr("order 1"));
      EXPECT_THAT(error.allowed(), HasSubstr("at least 0, or inf"));
    }
  }
}

TEST(OwnCurve, LetsItsFunctionsExceptionsThrough) {
  const Function f = [](double) -> double { throw std::domain_error("not today"); };
  EXPECT_THROW(renyi_epsilon(plan_of(f), 1e-5), std::domain_error);
}

TEST(OwnCurve, NothingKnownIsNoPrivacy) {
  const Plan plan = plan_of([](double) { return infinity; }, 3);
  for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
    EXPECT_EQ(renyi_epsilon(plan, 1e-5, {.conversion = conversion}).upper, infinity);
    EXPECT_EQ(renyi_delta(plan, 10, {.conversion = conversion}).upper, 1);
  }
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, infinity);
  EXPECT_EQ(renyi_epsilon(plan, 1e-5, {.orders = std::vector<double>{2, 8, infinity}}).upper, infinity);
  EXPECT_EQ(rdp(*plan.merged()[0].mechanism.curve(), 1).upper(), infinity);
  EXPECT_EQ(rdp(plan, std::vector<double>{1, 2})[0].lower(), infinity);
}

TEST(OwnCurve, NothingRevealedCostsNothing) {
  const Plan plan = plan_of([](double) { return 0.0; }, 1000);
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).upper, 0);
  EXPECT_EQ(renyi_delta(plan, 0).upper, 0);
}

// Known up to an order only: what truncated concentrated DP says.
TEST(OwnCurve, MayEndAtAnOrder) {
  for (const double last : {1.25, 3.0, 17.5, 64.0}) {
    const Plan own = plan_of([=](double order) { return order <= last ? 0.05 * order : infinity; }, 20);
    const Plan known = Plan().add(Tcdp{0.05, last}, 20);
    for (const double delta : {0.3, 1e-5, 1e-30}) {
      const double mine = renyi_epsilon(own, delta).upper, truth = renyi_epsilon(known, delta).upper;
      EXPECT_GE(mine, truth * (1 - 1e-14)) << last << " " << delta;
      EXPECT_LE(mine, truth * (1 + 1e-9)) << last << " " << delta;
    }
  }
}

// A table of whole orders, as other tools keep them: between them the chord.
TEST(OwnCurve, MayBeKnownAtWholeOrdersOnly) {
  const Function table = [](double order) {
    return order == std::floor(order) && order >= 2 && order <= 64 ? gaussian(order) : infinity;
  };
  const Mechanism mine = custom_curve("table", table);
  const auto gauss = Mechanism(Gaussian{2}).curve();
  for (const double order : {1.0, 1.3, 2.0, 2.5, 7.99, 63.5, 64.0}) {
    EXPECT_GE(rdp(*mine.curve(), order).upper(), rdp(*gauss, order).value) << order;
  }
  EXPECT_NEAR(rdp(*mine.curve(), 2.5).upper(), (0.5 * 1 * gaussian(2) + 0.5 * 2 * gaussian(3)) / 1.5, 1e-14);
  EXPECT_EQ(rdp(*mine.curve(), 64.5).upper(), infinity);

  std::vector<double> whole;
  for (int order = 2; order <= 64; ++order) whole.push_back(order);
  for (const std::int64_t count : {1, 10, 100, 3000}) {
    const Plan own = Plan().add(mine, count), known = Plan().add(Gaussian{2}, count);
    const double best = renyi_epsilon(own, 1e-5).upper;
    EXPECT_GE(best, renyi_epsilon(known, 1e-5).upper * (1 - 1e-14));
    EXPECT_LE(best, renyi_epsilon(known, 1e-5, {.orders = whole}).upper * (1 + 1e-9)) << count;
  }
}

// Only at orders that the search never meets: the grid has them.
TEST(OwnCurve, MayBeKnownAtAGridOnly) {
  const Plan own = plan_of([](double order) { return order == 2.25 || order == 9.5 ? gaussian(order) : infinity; }, 10);
  const ConversionOptions grid{.orders = std::vector<double>{2.25, 4, 9.5}};
  const ConversionOptions known{.orders = std::vector<double>{2.25, 9.5}};
  EXPECT_NEAR(renyi_epsilon(own, 1e-5, grid).upper, renyi_epsilon(Plan().add(Gaussian{2}, 10), 1e-5, known).upper,
              1e-12);
  EXPECT_EQ(renyi_epsilon(own, 1e-5).upper, infinity);
}

// Bounds of any shape give valid results: nothing is below the exact value, and no search is endless.
TEST(OwnCurve, NeedNotBeConvexNorMonotone) {
  const std::vector<Function> shapes{
      [](double order) { return std::isinf(order) ? infinity : gaussian(order) * (1.5 + std::sin(10 * order)); },
      [](double order) { return gaussian(order) + 3 / (order - 0.9); },
      [](double order) { return std::isinf(order) ? infinity : gaussian(std::ceil(order)); },
      [](double order) { return std::isinf(order) ? infinity : gaussian(order) + (std::fmod(order, 2) < 1 ? 5 : 0); },
      [](double order) { return std::isinf(order) || std::fmod(7 * order, 3) < 1 ? infinity : gaussian(order) * 2; },
      [](double order) { return gaussian(order) + std::exp(std::min(700.0, order)); },
      [](double order) { return std::max(gaussian(order), 1e300); },
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const std::int64_t count : {1, 100}) {
      for (const double delta : {0.1, 1e-5, 1e-50}) {
        // The sine removes up to a third of the divergence; the result then bounds the stated curve.
        const double truth =
            renyi_epsilon(Plan().add(Gaussian{i == 0 ? 2.0 * std::sqrt(2.0) : 2.0}, count), delta).upper;
        const RenyiBound bound = renyi_epsilon(plan_of(shapes[i], count), delta);
        EXPECT_GE(bound.upper, truth * (1 - 1e-13)) << i;
        const double most = renyi_delta(plan_of(shapes[i], count), truth).upper;
        EXPECT_GE(most, renyi_delta(Plan().add(Gaussian{i == 0 ? 2.0 * std::sqrt(2.0) : 2.0}, count), truth).upper *
                            (1 - 1e-9))
            << i;
      }
    }
  }
}

// Next to order 1 and far beyond 2^53 orders round: the bound is asked for above, never below.
TEST(OwnCurve, AsksAtOrAboveTheOrder) {
  double asked = 0;
  const Mechanism mine = custom_curve("mine", [&](double order) { return asked = order; });
  const auto curve = mine.curve();
  for (const double z : {1e-300, 1e-17, 0x1p-53, 1e-9, 0.1, 3.0, 0x1p53, 0x1p53 + 2, 1e60}) {
    const double value = curve->log_moment(z, Direction::remove).value;
    EXPECT_GE(static_cast<long double>(value), static_cast<long double>(z) * (1 - 1e-15L)) << z;
    EXPECT_GT(value, 0);
  }
}

TEST(OwnCurve, HasNoExactFigures) {
  const Plan plan = plan_of(gaussian);
  try {
    PrivacyProfile accountant(plan);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "steps");
    EXPECT_THAT(error.why(), HasSubstr("bounds on its divergences"));
  }
  EXPECT_THROW(plan.merged()[0].mechanism.curve()->log_moment({1, 1}, Direction::remove), Unsupported);
}

using test::both_directions;

double log_normal_density(double x, double mean) {
  return -0.5 * (x - mean) * (x - mean) - 0.5 * std::log(2 * std::numbers::pi);
}

TEST(OwnPair, DirectionsAreThePairAndItsSwap) {
  const auto pair = DistributionPair::normal({0.5, 1}, {0, 1.25});
  const Mechanism own = custom_pair("unequal normals", pair);
  EXPECT_EQ(own.curve()->knowledge(), Knowledge::orders);
  for (const double order : {1.0, 1.5, 2.0, 2.7}) {
    const Bounded remove = divergence(*own.curve(), order, Direction::remove);
    const Bounded add = divergence(*own.curve(), order, Direction::add);
    EXPECT_NEAR(remove.value, renyi_divergence(pair, order).value, 1e-14);
    EXPECT_NEAR(add.value, renyi_divergence(pair.swapped(), order).value, 1e-14);
    EXPECT_GE(remove.upper(), renyi_divergence(pair, order).upper());
    EXPECT_EQ(rdp(*own.curve(), order).upper(), std::max(remove.upper(), add.upper()));
  }
}

// D of order a between normals of unequal deviations is infinite from some order on, in one direction.
TEST(OwnPair, OrdersEndWhereTheDivergenceIsInfinite) {
  const auto pair = DistributionPair::normal({0, 1.25}, {0, 1});  // infinite from a = 1/(1 - 1/1.25^2) on
  const Mechanism own = custom_pair("wider", pair);
  const double end = 1 / (1 - 1 / (1.25 * 1.25));
  EXPECT_TRUE(std::isfinite(rdp(*own.curve(), end - 0.01).upper()));
  EXPECT_EQ(rdp(*own.curve(), end + 0.01).upper(), infinity);
  const RenyiBound bound = renyi_epsilon(Plan().add(own, 3), 1e-5);
  EXPECT_TRUE(std::isfinite(bound.upper));
  EXPECT_LT(bound.order, end);
}

TEST(OwnPair, DensitiesOfAGaussianGiveItsEpsilon) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  LogDensities densities;
  densities.log_p = [calls](double x) { return ++*calls, log_normal_density(x, 1); };
  densities.log_q = [](double x) { return log_normal_density(x, 0); };
  const Mechanism own = custom_pair("by its densities", DistributionPair::densities(densities));
  const Plan plan = Plan().add(own, 10);
  const double known = renyi_epsilon(Plan().add(Gaussian{1}, 10), 1e-5).upper;
  const double mine = renyi_epsilon(plan, 1e-5).upper;
  EXPECT_GE(mine, known * (1 - 1e-12));
  EXPECT_LE(mine, known * (1 + 1e-7));
  // Remembered: the same question asks for no density again.
  const int before = *calls;
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).upper, mine);
  EXPECT_EQ(*calls, before);
  // Densities have no answer at order infinity: nothing is known there.
  EXPECT_EQ(rdp(*own.curve(), infinity).upper(), infinity);
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, infinity);
}

TEST(OwnPair, HasNoExactFiguresAndSaysWhy) {
  const Plan plan = Plan().add(custom_pair("laplace", DistributionPair::laplace({0, 1}, {1, 1})));
  try {
    PrivacyProfile accountant(plan);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "steps");
  }
  EXPECT_NEAR(renyi_epsilon(plan, 0).upper, 1, 1e-12);
}

}  // namespace
}  // namespace renyi::order_curve_test
