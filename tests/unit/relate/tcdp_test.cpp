#include <gtest/gtest.h>

#include <cmath>

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/relate.h"

namespace renyi {
namespace {

double rho_up_to(const Plan& plan, double omega) { return to_tcdp(plan, omega).found.value().rho.upper; }

TEST(Tcdp, SamplingPaysUpToSomeOrder) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10000);
  EXPECT_LT(rho_up_to(plan, 8), 1);
  EXPECT_GT(rho_up_to(plan, 32), 1000);
  EXPECT_LT(rho_up_to(plan, 1e6), to_zcdp(plan).found.value().rho.upper);
}

// The supremum over (1, omega] is above no smaller one, and D_a / a reaches it.
TEST(Tcdp, IsTheSupremumUpToOmega) {
  const Plan plan = Plan().add(SampledGaussian{0.2, 0.9}, 30).add(Laplace{0.7}, 2);
  double most = 0, a = 1;
  for (const double omega : {1.01, 1.5, 2.0, 5.0, 20.0, 200.0}) {
    for (; a < omega; a += (a - 1) * 1e-3 + 1e-5) most = std::max(most, rdp(*compose(plan), a).value / a);
    most = std::max(most, rdp(*compose(plan), omega).value / omega);
    EXPECT_GE(rho_up_to(plan, omega), most * (1 - 1e-12)) << omega;
    EXPECT_LE(rho_up_to(plan, omega), most * (1 + 1e-5)) << omega;
  }
}

TEST(Tcdp, ComposesWithTheSmallerOmega) {
  const Plan plan = Plan().add(TruncatedConcentrated{0.1, 10}, 2).add(TruncatedConcentrated{0.3, 5});
  EXPECT_NEAR(rho_up_to(plan, 5), 0.5, 1e-9);
  EXPECT_GE(rho_up_to(plan, 5), 0.5);
  const auto beyond = to_tcdp(plan, 5.001);
  EXPECT_FALSE(beyond.found);
  EXPECT_NE(beyond.none.find("orders above 5"), std::string::npos) << beyond.none;
}

TEST(Tcdp, RefusesABadOmega) {
  for (const double omega : {1.0, 0.5, -2.0, 2e100, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(to_tcdp(Plan(), omega), InvalidArgument);
  }
}

}  // namespace
}  // namespace renyi
