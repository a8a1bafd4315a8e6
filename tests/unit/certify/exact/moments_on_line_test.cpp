#include "certify/exact/moments_on_line.h"

#include <gtest/gtest.h>

namespace renyi::certify {
namespace {

constexpr double few = 3, many = 60;

// With few digits the moments are known within some 2^-13 only, and |phi| falls below that.
TEST(CertifiedMomentsOnLine, LostPointsAreCharged) {
  Line line;
  line.c = 2;
  line.spacing = 0.5;
  constexpr long points = 40;
  for (const Steps& steps :
       {Steps{{SampledGaussian{0.9, 0.7}, 1}}, Steps{{SampledGaussian{0.9, 0.7}, 1}, {GaussianDp{0.01}, 1}}}) {
    const LineMoments rough = moments_on_line(steps, Direction::remove, line, points, few);
    const LineMoments sharp = moments_on_line(steps, Direction::remove, line, points, many);
    ASSERT_TRUE(arb_is_zero(sharp.lost.raw()));
    const Precision working(sharp.bits);
    Ball missing(0);
    for (std::size_t j = 0; j < sharp.phi.size(); ++j) {
      if (acb_is_zero(rough.phi[j].raw()) == 0) {
        EXPECT_TRUE(acb_overlaps(rough.phi[j].raw(), sharp.phi[j].raw())) << j;
        continue;
      }
      const Complex z(line.c, Ball(line.spacing) * Ball(static_cast<std::int64_t>(j)));
      missing += abs(sharp.phi[j] / (z * (z + Complex(1))));
    }
    EXPECT_TRUE(surely_less(0, missing)) << "no point was lost";
    EXPECT_TRUE(surely_at_most(missing, rough.lost));
  }
}

}  // namespace
}  // namespace renyi::certify
