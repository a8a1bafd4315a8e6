// From a plan to a notion to a step with those parameters: its curve is on or above the plan's at every
// order, and touches it somewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/extras/relate.h"
#include "renyi/rdp.h"
#include "support/settings.h"

namespace renyi::round_trip_test {
namespace {

std::vector<Plan> plans() {
  std::vector<Plan> result;
  for (const Mechanism& m : test::everyday_settings()) {
    const auto curve = m.curve();
    const bool has_curve = !curve->finite_part() && curve->worst_max_loss().upper() > 0;
    if (has_curve) result.push_back(Plan().add(m).add(m, 6));
  }
  result.push_back(Plan().add(SampledGaussian{0.01, 1.1}, 100).add(Laplace{20}).add(Gaussian{10}, 3));
  result.push_back(Plan().add(RandomizedResponse{0.6, 4}, 10).add(Zcdp{0.01, 0.2}));
  return result;
}

// Nothing in every notion, or no notion at all.
TEST(RoundTrip, StepsWithoutACurveOfTheirOwn) {
  int free = 0, infinite = 0;
  for (const Mechanism& m : test::everyday_settings()) {
    const Plan plan = Plan().add(m, 3);
    if (m.curve()->worst_max_loss().upper() == 0) {
      ++free;
      EXPECT_EQ(to_zcdp(plan).found.value().rho.upper, 0) << m.kind();
      EXPECT_EQ(to_gdp(plan).found.value().mu.upper, 0) << m.kind();
    }
    if (!m.curve()->finite_part()) continue;
    ++infinite;
    const std::string none[] = {to_pure(plan).none, to_zcdp(plan).none, to_tcdp(plan, 4).none,
                                to_cdp(plan).none,  to_gdp(plan).none,  to_moments(plan, 8).none};
    for (const std::string& why : none) EXPECT_NE(why.find(" infinite with probability"), std::string::npos) << why;
  }
  EXPECT_GE(free, 1);
  EXPECT_GE(infinite, 2);
}

std::string name_of(const Plan& plan) {
  std::string name;
  for (const CountedMechanism& m : plan.merged()) name += test::describe(m.mechanism) + " ";
  return name;
}

// Returns the largest ratio of the plan's divergence to that of the step over all orders, which is at most 1.
double closest(const Plan& plan, const Mechanism& step, double last_order) {
  const auto curve = compose(plan), bound = step.curve();
  double most = 0;
  for (double z = 1e-9; 1 + z <= last_order; z *= 1.02) {
    const Bounded below = rdp(*curve, 1 + z), above = rdp(*bound, 1 + z);
    EXPECT_LE(below.lower(), above.upper()) << 1 + z;
    most = std::max(most, below.value / above.value);
  }
  return std::max(most, rdp(*curve, last_order).value / rdp(*bound, last_order).value);
}

TEST(RoundTrip, Zcdp) {
  for (const Plan& plan : plans()) {
    SCOPED_TRACE(name_of(plan));
    const auto found = to_zcdp(plan).found;
    if (!found) continue;
    EXPECT_GE(closest(plan, Zcdp{found->rho.upper}, 1e9), 1 - 1e-6);
  }
}

TEST(RoundTrip, ZcdpWithXi) {
  const Plan plan = Plan().add(Laplace{2}, 3).add(RandomizedResponse{0.7, 3});
  for (const double share : {0.1, 0.5, 0.9}) {
    const auto found = to_zcdp(plan, share * to_zcdp(plan).found.value().rho.upper).found.value();
    EXPECT_GE(closest(plan, Zcdp{found.rho.upper, found.xi.upper}, 1e6), 1 - 1e-5) << share;
  }
}

TEST(RoundTrip, Tcdp) {
  for (const Plan& plan : plans()) {
    SCOPED_TRACE(name_of(plan));
    for (const double omega : {1.5, 4.0, 9.0}) {
      const auto found = to_tcdp(plan, omega).found.value();
      EXPECT_GE(closest(plan, Tcdp{found.rho.upper, omega}, omega), 1 - 5e-5)
          << omega;  // between two of the orders tried
    }
  }
}

TEST(RoundTrip, Moments) {
  for (const Plan& plan : plans()) {
    SCOPED_TRACE(name_of(plan));
    const auto found = to_moments(plan, 8).found.value();
    EXPECT_NEAR(found.alpha, 8 * found.epsilon, 1e-12 * found.alpha);
    EXPECT_NEAR(closest(plan, Moments{8, found.alpha}, 9), 1, 1e-9);
  }
}

TEST(RoundTrip, GdpAndPureLieAbove) {
  for (const Plan& plan : plans()) {
    SCOPED_TRACE(name_of(plan));
    if (const auto gdp = to_gdp(plan).found) {
      EXPECT_GT(closest(plan, Gdp{gdp->mu.upper}, 1e6), 0);
    }
    const auto pure = to_pure(plan);
    EXPECT_NE(pure.found.has_value(), std::isinf(compose(plan)->worst_max_loss().value));
    if (pure.found) {
      EXPECT_GT(closest(plan, PureDp{pure.found->epsilon.upper}, 1e6), 0.9);
    }
  }
}

TEST(Moments, Compose) {
  const Plan plan = Plan().add(Moments{8, 1}, 3).add(Moments{8, 0.5});
  EXPECT_NEAR(to_moments(plan, 8).found.value().alpha, 3.5, 1e-12);
  EXPECT_GE(to_moments(plan, 8).found.value().alpha, 3.5);
  EXPECT_NE(to_moments(plan, 8.1).none.find("orders above 9"), std::string::npos);
  for (const double lambda : {0.0, -1.0, 2e100, std::nan("")}) EXPECT_THROW(to_moments(plan, lambda), InvalidArgument);
}

TEST(Pure, NamesTheStepWhoseLossIsUnbounded) {
  EXPECT_NE(to_pure(Plan().add(Laplace{1}).add(Gaussian{2})).none.find("gaussian"), std::string::npos);
  // For a guarantee, only the bound is infinite.
  const auto why = [](const Plan& plan) { return to_pure(plan).none; };
  const std::string bounded = "is not known to be bounded";
  const Mechanism point = make_mechanism("rdp", {{"order", 10}, {"epsilon", 0.1}});
  for (const Mechanism& promise : {Mechanism(Zcdp{0.1}), Mechanism(Tcdp{0.1, 10}), point}) {
    EXPECT_NE(why(Plan().add(promise)).find(bounded), std::string::npos) << why(Plan().add(promise));
    EXPECT_TRUE(why(Plan().add(promise)).starts_with("none is known"));
    EXPECT_NE(why(Plan().add(promise).add(Gaussian{2})).find("is unbounded"), std::string::npos);
  }
  EXPECT_TRUE(to_zcdp(Plan().add(Zcdp{.rho = 0.5}), 0.1).none.starts_with("none is known"));
  EXPECT_TRUE(to_zcdp(Plan().add(Gaussian{1}), 0.1).none.starts_with("none exists"));
  EXPECT_NEAR(to_pure(Plan().add(Laplace{2}, 3).add(PureDp{0.5})).found.value().epsilon.upper, 2, 1e-14);
  EXPECT_EQ(to_pure(Plan()).found.value().epsilon.upper, 0);
}

}  // namespace
}  // namespace renyi::round_trip_test
