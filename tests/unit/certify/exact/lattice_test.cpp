#include <gtest/gtest.h>

#include <cmath>

#include "certify/exact/law.h"
#include "renyi/extras/certify.h"
#include "renyi/plan.h"
#include "support/expect.h"

namespace renyi::certify::exact_lattice_test {
namespace {

Ball lattice_delta(const Steps& steps, Direction direction, double epsilon, double about, double tolerance = 1e-4,
                   Route route = Route::first) {
  return lattice_law(steps, direction, {epsilon, 1, std::log(about)}, tolerance, route)->delta(epsilon);
}

// One step, which has a closed form.
TEST(CertifiedLattice, HoldsOneStep) {
  for (const Mechanism& step :
       {Mechanism(Laplace{0.7, 1}), Mechanism(SampledGaussian{0.05, 0.9}), Mechanism(Gaussian{2, 1})}) {
    for (const Direction direction : test::both_directions) {
      for (const double epsilon : {0.0, 0.01, 0.045}) {
        const Steps steps{{step, 1}};
        const Ball truth = closed_form_law(steps, direction, Route::first)->delta(epsilon);
        const Ball found = lattice_delta(steps, direction, epsilon, truth.about());
        EXPECT_TRUE(contains(found, truth)) << step.kind() << " " << epsilon;
        EXPECT_LE(found.relative_radius(), 1e-4);
      }
    }
  }
}

// Responses and a Gaussian have a closed form too, and enter as a list here.
TEST(CertifiedLattice, HoldsResponsesBesideOtherSteps) {
  const Steps steps{{Gaussian{2, 1}, 2}, {RandomizedResponse{0.7, 3}, 2}, {PureDp{0.2}, 3}};
  const Ball truth = closed_form_law(steps, Direction::remove, Route::first)->delta(1);
  const Ball found = lattice_delta(steps, Direction::remove, 1, truth.about());
  EXPECT_TRUE(contains(found, truth));
  EXPECT_LE(found.relative_radius(), 1e-4);
}

// delta_add(e) = 1 - exp(e) + exp(e) delta_remove(-e), through two unlike lattices.
TEST(CertifiedLattice, BothDirectionsAreOnePair) {
  const Steps steps{{SampledGaussian{0.3, 1.1}, 2}, {Laplace{1.5, 1}, 2}};
  for (const double epsilon : {0.1, 0.8}) {
    const Ball add = lattice_delta(steps, Direction::add, epsilon, 0.1);
    const Ball remove = lattice_delta(steps, Direction::remove, -epsilon, 0.5);
    const Ball converted = -expm1(Ball(epsilon)) + exp(Ball(epsilon)) * remove;
    EXPECT_TRUE(overlap(add, converted));
    EXPECT_LE(add.relative_radius(), 1e-4);
  }
}

// Two Laplace scales, the second a multiple of the first or not.
TEST(CertifiedLattice, SeveralScalesOfLaplaceNoise) {
  for (const double scale : {2.0, 1.7}) {
    const Steps steps{{Laplace{1, 1}, 2}, {Laplace{scale, 1}, 1}};
    EXPECT_LE(lattice_delta(steps, Direction::remove, 0.5, 0.3).relative_radius(), 1e-4) << scale;
  }
}

TEST(CertifiedLattice, FindsWhereToLook) {
  const Steps steps{{SampledGaussian{0.01, 2}, 2}};
  const Ball sharp = lattice_delta(steps, Direction::remove, 0.5, 1e-14);
  const Ball misled = lattice_delta(steps, Direction::remove, 0.5, 1);
  EXPECT_LE(misled.relative_radius(), 1e-4);
  EXPECT_TRUE(overlap(sharp, misled));
}

TEST(CertifiedLattice, NothingBeyondTheLargestLoss) {
  const Steps steps{{SampledGaussian{0.25, 1}, 2}, {Laplace{2, 1}, 1}};
  EXPECT_TRUE(arb_is_zero(lattice_delta(steps, Direction::add, 1.08, 0.1).raw()));
  EXPECT_TRUE(surely_less(0, lattice_delta(steps, Direction::add, 1.0, 0.1)));
}

// Next to the largest loss the grid is finer than the doubles there are.
TEST(CertifiedLattice, EndsNextToTheLargestLoss) {
  const Plan plan = Plan().add(SampledGaussian{.sampling_rate = 0.3, .noise_multiplier = 0.02}, 1000);
  const Enclosure epsilon = certified::epsilon(plan, 1e-5, Direction::add).value;
  const double largest = -1000 * std::log1p(-0.3);
  EXPECT_LE(rounded_up(epsilon.upper), largest + 1e-4);
  EXPECT_GE(rounded_down(epsilon.lower), largest - 1e-4);
}

// A verifier's enclosure fits into the first one, widened by half its width on either side.
TEST(CertifiedLattice, TheSecondRouteFits) {
  for (const Steps& steps : {Steps{{Laplace{1, 1}, 5}}, Steps{{SampledGaussian{0.1, 1}, 2}}}) {
    for (const Direction direction : test::both_directions) {
      Ball first = lattice_delta(steps, direction, 0.05, 0.1);
      const Ball second = lattice_delta(steps, direction, 0.05, 0.1, 1e-4, Route::second);
      EXPECT_TRUE(overlap(first, second));
      first.widen((first.upper() - first.lower()) / 2);
      EXPECT_TRUE(contains(first, second));
    }
  }
}

}  // namespace
}  // namespace renyi::certify::exact_lattice_test
