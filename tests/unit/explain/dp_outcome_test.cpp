#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {
namespace {

TEST(OutcomeByDp, TakesTheBetterOfTheEventAndItsComplement) {
  const double e = 0.5, d = 0.01;
  const ProbabilityRange small = outcome_by_dp(e, d, 0.1);
  EXPECT_NEAR(small.upper, std::exp(e) * 0.1 + d, 4e-15);
  EXPECT_NEAR(small.lower, std::exp(-e) * (0.1 - d), 4e-15);
  const ProbabilityRange large = outcome_by_dp(e, d, 0.9);
  EXPECT_NEAR(large.upper, 1 - std::exp(-e) * (0.1 - d), 4e-15);
  EXPECT_NEAR(large.lower, 1 - std::exp(e) * 0.1 - d, 4e-15);
}

TEST(OutcomeByDp, DeltaZeroIsPure) {
  const ProbabilityRange range = outcome_by_dp(0.1, 0, 1e-300);
  EXPECT_NEAR(range.upper / (std::exp(0.1) * 1e-300), 1, 1e-14);
  EXPECT_NEAR(range.lower / (std::exp(-0.1) * 1e-300), 1, 1e-14);
}

TEST(OutcomeByDp, EndsAreRoundedOutwards) {
  for (const double p : {1e-300, 1e-9, 0.3, 0.5, 1 - 0x1p-53}) {
    const ProbabilityRange none = outcome_by_dp(0, 0, p);
    EXPECT_LE(none.lower, p);
    EXPECT_GE(none.upper, p);
    EXPECT_NEAR(none.upper / p, 1, 1e-14);
  }
}

TEST(OutcomeByDp, BelowDeltaNothingHoldsFromBelow) { EXPECT_EQ(outcome_by_dp(1, 1e-5, 1e-6).lower, 0); }

TEST(OutcomeByDp, NoPromiseIsTheWholeRange) {
  for (const auto& [epsilon, delta] :
       {std::pair{std::numeric_limits<double>::infinity(), 0.0}, {0.0, 1.0}, {800.0, 0.0}}) {
    const ProbabilityRange range = outcome_by_dp(epsilon, delta, 0.4);
    EXPECT_LE(range.lower, 1e-300);
    EXPECT_EQ(range.upper, 1);
  }
}

TEST(OutcomeByDp, RefusesWhatIsNoGuarantee) {
  EXPECT_THROW(outcome_by_dp(-1, 0, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_by_dp(1, -0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_by_dp(1, std::nan(""), 0.5), InvalidArgument);
}

}  // namespace
}  // namespace renyi
