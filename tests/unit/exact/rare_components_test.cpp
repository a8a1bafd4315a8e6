// Leaving out rare components: what is lost, what is kept, and intervals that hold the lattice's.
#include "exact/rare_components.h"

#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "mechanism/monotone/pairs_curve.h"
#include "renyi/extras/custom.h"
#include "sampling/pairs/gaussian_pair.h"

namespace renyi::exact::rare_components_test {
namespace {

using monotone::Reading;
using sampling::gaussian_pair;

CountedMechanism step(std::vector<monotone::WeightedPair> pairs, std::int64_t count) {
  return {CustomMechanism("copies", std::make_shared<monotone::PairsCurve>(std::move(pairs), Knowledge::profile)),
          count};
}

std::vector<CountedMechanism> copies() {
  const double q = 0.01;
  return {step({{0.99, gaussian_pair({q, 2, 1}, Reading::one_sided)},
                {0.009, gaussian_pair({q, 1, 1}, Reading::one_sided)},
                {1e-9, gaussian_pair({q, 0.5, 1}, Reading::one_sided)},
                {1e-18, gaussian_pair({q, 0.02, 1}, Reading::one_sided)}},
               500)};
}

TEST(RareComponents, TheCostliestAreLeftOutWithTheirTotalVariation) {
  const auto kept = without_rare(copies(), 1e-15);
  ASSERT_TRUE(kept);
  EXPECT_NEAR(kept->lost, 500 * 1e-18 * 0.01, 1e-22);
  EXPECT_GE(kept->lost, 500 * 1e-18 * 0.01);
  EXPECT_FALSE(without_rare(copies(), 1e-20));
  const auto more = without_rare(copies(), 1e-7);
  ASSERT_TRUE(more);
  EXPECT_GE(more->lost, 500 * 1e-9 * 0.01);
  EXPECT_LE(more->lost, 1e-7);
}

TEST(RareComponents, OneComponentAlwaysStays) {
  const auto kept = without_rare(copies(), 1);
  ASSERT_TRUE(kept);
  EXPECT_GT(kept->curve->log_moment(1, Direction::remove).value, 0);
}

TEST(RareComponents, TheContourAgreesWithTheLattice) {
  const PrivacyProfile contour(copies(), nullptr, {.engine = Engine::contour});
  const PrivacyProfile lattice(copies(), nullptr, {.tolerance = 0.05, .engine = Engine::lattice});
  const ExactInterval a = contour.epsilon(1e-6).worst, b = lattice.epsilon(1e-6).worst;
  EXPECT_LE(a.lower, b.upper);
  EXPECT_LE(b.lower, a.upper);
  EXPECT_LT(a.upper - a.lower, 1e-7);
  const ExactInterval c = contour.delta(a.upper).remove;
  EXPECT_LE(c.lower, 1e-6);
  EXPECT_GE(c.upper, 1e-6 * (1 - 1e-6));
  EXPECT_LT(c.upper - c.lower, 1e-7 * c.upper);
}

}  // namespace
}  // namespace renyi::exact::rare_components_test
