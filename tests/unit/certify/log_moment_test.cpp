#include "certify/log_moment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/extras/certify.h"
#include "renyi/extras/custom.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::certify::log_moment_test {
namespace {

using test::both_directions;
using test::infinity;

Plan one(const Mechanism& mechanism, std::int64_t count = 1) {
  Plan plan;
  plan.add(mechanism, count);
  return plan;
}

Certified of(const Mechanism& mechanism, double order, Direction direction = Direction::remove,
             Route route = Route::first) {
  return certified::divergence(one(mechanism), order, direction, route);
}

const Enclosure zero{{"0", 0}, {"0", 0}};
const Enclosure without_bound{{"inf", 0}, {"inf", 0}};

// The fast curve and the certified figure state the same thing: the two intervals meet.
void expect_agreement(const Mechanism& mechanism, double order, Direction direction) {
  SCOPED_TRACE(test::describe(mechanism) + " at " + std::to_string(order) + test::name_of(direction));
  const Certified certified = of(mechanism, order, direction);
  const Bounded found = renyi::divergence(*Mechanism(mechanism).curve(), order, direction);
  const Bounded fast = std::isinf(order) ? test::for_binary_values(found) : found;
  EXPECT_LE(rounded_down(certified.value.lower), fast.upper());
  EXPECT_GE(rounded_up(certified.value.upper), fast.lower());
  EXPECT_TRUE(contains(certified.value, of(mechanism, order, direction, Route::second).value));
  if (certified.value.upper.mantissa == "inf") return;
  EXPECT_LE(rounded_up(certified.value.upper), rounded_down(certified.value.lower) * (1 + 1e-12) + 1e-307);
}

TEST(CertifiedLogMoment, AgreesWithTheFastCurvesAtAllCorners) {
  for (const Mechanism& mechanism : test::all_corners()) {
    const bool by_itself = has_certified_method(mechanism) && !mechanism.equivalent();
    if (mechanism.get_if<SampledGaussian>().has_value() || !by_itself) continue;
    for (const double order : {1.0, 1 + 0x1p-52, 1.25, 2.0, 1e4, infinity}) {
      test::expect_no_throw([&] { expect_agreement(mechanism, order, Direction::remove); });
    }
  }
}

TEST(CertifiedLogMoment, AgreesWithTheFastCurvesOfSampledGaussians) {
  for (const SampledGaussian& mechanism : {SampledGaussian{0, 1},
                                           {1, 2},
                                           {1e-100, 1e6},
                                           {1e-6, 0.2},
                                           {0.01, 1.1},
                                           {0.5, 20},
                                           {0.9, 0.1},
                                           {1 - 0x1p-53, 0.3}}) {
    for (const Direction direction : both_directions) {
      for (const double order : {1.0, 1 + 0x1p-52, 1.25, 2.0, 33.0, infinity}) {
        test::expect_no_throw([&] { expect_agreement(mechanism, order, direction); });
      }
    }
  }
}

TEST(CertifiedLogMoment, NoLossIsExactlyZero) {
  for (const Mechanism& mechanism : {Mechanism(SampledGaussian{0, 1}), Mechanism(RandomizedResponse{0.25, 4}),
                                     Mechanism(PureDp{0}), Mechanism(Gdp{0}), Mechanism(Zcdp{0, 0}),
                                     Mechanism(Tcdp{0, 3}), Mechanism(Cdp{0, 1}), Mechanism(Moments{4, 0})}) {
    for (const double order : {1.0, 7.5, infinity}) {
      EXPECT_EQ(of(mechanism, order).value, zero) << test::describe(mechanism) << order;
    }
  }
  EXPECT_EQ(certified::divergence(Plan(), 2, Direction::add).value, zero);
}

TEST(CertifiedLogMoment, BoundsEndWhereTheirStepsEnd) {
  EXPECT_EQ(of(Tcdp{0.5, 3}, 3).value, (Enclosure{{"3", -1}, {"3", -1}}));
  EXPECT_EQ(of(Tcdp{0.5, 3}, 3.5).value, without_bound);
  EXPECT_EQ(of(Moments{4, 2}, 5).value, (Enclosure{{"1", -1}, {"1", -1}}));
  EXPECT_EQ(of(Moments{4, 2}, std::nextafter(5, 6)).value, without_bound);
  EXPECT_EQ(of(Zcdp{0, 0.25}, infinity).value, (Enclosure{{"1", -2}, {"1", -2}}));
  EXPECT_EQ(of(Cdp{0.25, 0}, infinity).value, (Enclosure{{"1", -2}, {"1", -2}}));
  EXPECT_EQ(of(Cdp{0.25, 0.5}, infinity).value, without_bound);
}

TEST(CertifiedLogMoment, CountsAndStepsAdd) {
  Plan plan = one(Gaussian{2}, 3);  // 3/8 per order
  plan.add(Zcdp{0.5, 0.25}, 2);
  const Certified sum = certified::divergence(plan, 4, Direction::remove);
  EXPECT_EQ(sum.value, (Enclosure{{"3", 1}, {"3", 1}}));
  EXPECT_EQ(sum.method, "closed form + stated bound");
  plan.add(Tcdp{0.5, 3});
  EXPECT_EQ(certified::divergence(plan, 4, Direction::remove).value, without_bound);
}

TEST(CertifiedLogMoment, SaysHow) {
  const SampledGaussian mechanism{0.01, 1.1};
  EXPECT_EQ(of(mechanism, 8).method, "finite sum");
  EXPECT_EQ(of(mechanism, 8, Direction::add).method, "trapezoidal rule");
  EXPECT_EQ(of(mechanism, 1.5).method, "trapezoidal rule");
  EXPECT_EQ(of(mechanism, 8, Direction::remove, Route::second).method, "integration");
  EXPECT_GE(of(mechanism, 1.5).precision, 128);
}

TEST(CertifiedLogMoment, RefusesOtherOrdersAndOwnMechanisms) {
  for (const double order : {0.5, 10001.0, -infinity, std::nan("")}) {
    EXPECT_THROW(of(Gaussian{1}, order), InvalidArgument) << order;
  }
  const Mechanism own = custom_curve("mine", [](double order) { return order; });
  EXPECT_THROW(of(own, 2), Unsupported);
  EXPECT_THROW(of(own, 1), Unsupported);
  EXPECT_THROW(of(own, infinity), Unsupported);
}

}  // namespace
}  // namespace renyi::certify::log_moment_test
