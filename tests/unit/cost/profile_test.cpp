#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "renyi/cost.h"

namespace renyi::profile_test {
namespace {

std::vector<double> usual_epsilons(const Plan& plan) {
  std::vector<double> epsilons;
  for (const Cost& point : profile(plan, {}, {.exact = false}).at_epsilons) epsilons.push_back(point.at);
  return epsilons;
}

TEST(ProfileEpsilons, AreRoundAndReachWhereDeltaIsSmall) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  const auto epsilons = usual_epsilons(plan);
  EXPECT_EQ(epsilons, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_LE(renyi_delta(plan, epsilons.back()).upper, 1e-10);
}

TEST(ProfileEpsilons, AreDecimalsToTheLastBit) {
  const auto epsilons = usual_epsilons(Plan().add(PureDp{0.0293}));
  EXPECT_EQ(epsilons, (std::vector<double>{0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03}));
  EXPECT_EQ(usual_epsilons(Plan().add(PureDp{0.3})).at(3), 0.15);
}

TEST(ProfileEpsilons, OfNothingAndOfEverything) {
  EXPECT_EQ(usual_epsilons(Plan()), std::vector<double>{0});
  EXPECT_EQ(usual_epsilons(Plan().add(Gaussian{1e20})), std::vector<double>{0});  // delta(0) is below 1e-10
  for (const double sigma : {1e-40, 1e-3, 1.0, 1e6}) {
    const auto epsilons = usual_epsilons(Plan().add(Gaussian{sigma}));
    EXPECT_GE(epsilons.size(), 6U) << sigma;
    EXPECT_LE(epsilons.size(), 12U) << sigma;
    for (std::size_t i = 1; i < epsilons.size(); ++i) EXPECT_GT(epsilons[i], epsilons[i - 1]) << sigma;
  }
}

}  // namespace
}  // namespace renyi::profile_test
