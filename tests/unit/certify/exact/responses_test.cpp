#include "certify/exact/responses.h"

#include <gtest/gtest.h>

namespace renyi::certify::responses_test {
namespace {

constexpr double nothing = 0, much = 0x1p-8;

// The walks end where 64 terms, some three standard deviations, leave less than the share: upwards only where epsilon
// is above the likeliest loss, both ways where it is far below.
TEST(CertifiedBinomial, TermsLeftOutAreCharged) {
  const Precision working(256);
  const TwoSided response = CountedResponse{RandomizedResponse{0.6, 2}, 1}.law();
  constexpr std::int64_t count = 1800;
  for (const double epsilon : {-200.0, 100.0, 150.0, 165.0}) {
    SCOPED_TRACE(epsilon);
    const Ball truth = binomial_delta(response, count, epsilon, nothing);
    const Ball pruned = binomial_delta(response, count, epsilon, much);
    EXPECT_TRUE(contains(pruned, truth));
    EXPECT_TRUE(surely_less(pruned.lower(), truth)) << "nothing was left out";
    EXPECT_TRUE(surely_at_most(pruned.upper(), truth * (1 + 3 * much))) << "more than two shares were charged";
  }
}

Ball delta_leaving(double share, double epsilon) {
  std::unique_ptr<Law> gaussian = closed_form_law({{Gaussian{2, 1}, 1}}, Direction::remove, Route::first);
  return with_responses({{RandomizedResponse{0.6, 2}, 40}, {RandomizedResponse{0.5, 3}, 3}}, std::move(gaussian), share)
      ->delta(epsilon);
}

// So much is omitted that a sum without it would be below the exact value. Far below all losses, an omitted atom adds
// all its mass to the error bound.
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
}  // namespace renyi::certify::responses_test
