#include "certify/exact/atoms.h"

#include <gtest/gtest.h>

namespace renyi::certify {
namespace {

constexpr double nothing = 0, much = 0x1p-8;

Ball delta_leaving(double share, double epsilon) {
  std::unique_ptr<Law> gaussian = closed_form_law({{Gaussian{2, 1}, 1}}, Direction::remove, Route::first);
  return with_responses({{RandomizedResponse{0.6, 2}, 40}, {RandomizedResponse{0.5, 3}, 3}}, std::move(gaussian), share)
      ->delta(epsilon);
}

// So much is left out that a sum without it would be below the truth. Far below all losses an atom left out costs all
// of its mass.
TEST(CertifiedAtoms, AtomsLeftOutAreCharged) {
  const Precision working(256);
  for (const double epsilon : {-30.0, -3.0, 0.0, 1.0, 4.0}) {
    SCOPED_TRACE(epsilon);
    const Ball truth = delta_leaving(nothing, epsilon);
    const Ball pruned = delta_leaving(much, epsilon);
    EXPECT_TRUE(contains(pruned, truth));
    EXPECT_TRUE(surely_less(pruned.lower(), truth)) << "nothing was left out";
    EXPECT_TRUE(surely_at_most(pruned.upper(), truth * (1 + 2 * much))) << "more than the share was charged";
  }
}

}  // namespace
}  // namespace renyi::certify
