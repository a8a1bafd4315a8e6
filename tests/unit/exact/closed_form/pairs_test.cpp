// delta of one step of one-dimensional pairs.
#include "support/pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "exact/privacy_profile.h"
#include "support/expect.h"

namespace renyi::exact::closed_form_pairs_test {
namespace {

using monotone::Reading;
using sampling::gaussian_pair;
using sampling::laplace_pair;
using test::both_directions;
using test::pairs_curve;

// The truth is off by the rounding of its two terms.
void expect_holds(const Interval& ends, long double truth, long double noise, const std::string& where) {
  EXPECT_LE(ends.lower, truth + noise) << where;
  EXPECT_GE(ends.upper, truth - noise) << where;
  if (truth > 1e-30L) {
    EXPECT_LE(ends.upper - ends.lower, 1e-12 * ends.upper) << where;
  }
}

TEST(PairsProfile, OneSidedNormalsAreTheSampledGaussian) {
  for (const double q : {1e-12, 1e-4, 0.01, 0.3, 0.9, 1 - 1e-9}) {
    for (const double s : {0.05, 0.5, 1.0, 5.0, 300.0}) {
      const auto curve = pairs_curve({{1, gaussian_pair({q, s}, Reading::one_sided)}});
      for (const Direction direction : both_directions) {
        const Profile profile = pairs_profile(curve, direction);
        const Profile known = sampled_gaussian_profile({q, s}, direction);
        for (const double epsilon : {0.0, 1e-6, 0.001, 0.1, 1.0, 3.0, 20.0}) {
          const Interval found = profile(epsilon), truth = known(epsilon);
          SCOPED_TRACE(testing::Message() << q << " " << s << " " << epsilon << " " << to_string(direction));
          EXPECT_LE(found.lower, truth.upper);
          EXPECT_GE(found.upper, truth.lower);
          EXPECT_EQ(found.upper == 0, truth.upper == 0);
          // Next to the largest loss one unit of epsilon moves delta by more.
          const double largest = direction == Direction::add ? -std::log1p(-q) : HUGE_VAL;
          if (truth.lower > 1e-80 && epsilon < 0.99 * largest) {
            EXPECT_LE(found.upper - found.lower, 2e-12 * found.upper);
          }
        }
      }
    }
  }
}

TEST(PairsProfile, LaplaceBothWays) {
  for (const double q : {1e-3, 0.2, 0.97}) {
    for (const double b : {0.2, 1.0, 20.0}) {
      for (const Direction direction : both_directions) {
        const Profile profile = pairs_profile(pairs_curve({{1, laplace_pair(q, b, Reading::one_sided)}}), direction);
        const long double largest =
            direction == Direction::remove ? std::log1p(q * std::expm1(1 / b)) : -std::log1p(q * std::expm1(-1 / b));
        for (const double share : {0.0, 0.1, 0.5, 0.9}) {
          const double epsilon = static_cast<double>(share * largest);
          const long double truth = test::one_sided_delta(test::sampled_laplace(q, b), direction, epsilon);
          expect_holds(
              profile(epsilon), truth, 1e-18L,
              testing::PrintToString(q) + " " + testing::PrintToString(b) + " " + testing::PrintToString(share));
        }
        EXPECT_EQ(profile(static_cast<double>(largest) * 1.0001).upper, 0);
      }
    }
  }
}

TEST(PairsProfile, SymmetricPairsAreTheRemoveSideBothWays) {
  for (const Direction direction : both_directions) {
    for (const double epsilon : {0.0, 0.01, 0.3, 2.0}) {
      const Interval normal =
          pairs_profile(pairs_curve({{1, gaussian_pair({0.1, 0.8}, Reading::symmetric)}}), direction)(epsilon);
      expect_holds(normal, test::symmetric_delta(test::sampled_normal(0.1, 0.8), epsilon), 1e-18L, "normal");
      const Interval laplace =
          pairs_profile(pairs_curve({{1, laplace_pair(0.1, 0.4, Reading::symmetric)}}), direction)(epsilon);
      expect_holds(laplace, test::symmetric_delta(test::sampled_laplace(0.1, 0.4), epsilon), 1e-18L, "Laplace");
    }
  }
}

TEST(PairsProfile, OppositeNormals) {
  for (const double q : {0.003, 0.2, 0.9}) {
    for (const double s : {0.4, 1.0, 6.0}) {
      const Profile profile =
          pairs_profile(pairs_curve({{1, sampling::opposite_gaussian_pair({q, s})}}), Direction::remove);
      for (const double epsilon : {0.0, 0.02, 0.4, 1.5}) {
        expect_holds(profile(epsilon), test::opposite_delta(q, s, epsilon), 1e-17L,
                     testing::PrintToString(q) + " " + testing::PrintToString(s));
      }
    }
  }
}

// The component is part of the output: delta is the mean of the components' deltas, and the remainder has none.
TEST(PairsProfile, ARevealedMixtureAddsUp) {
  const auto first = gaussian_pair({0.1, 0.8}, Reading::one_sided),
             second = gaussian_pair({0.3, 0.5}, Reading::symmetric);
  const Profile whole = pairs_profile(pairs_curve({{0.5, first}, {0.25, second}}), Direction::remove);
  const Profile a = pairs_profile(pairs_curve({{1, first}}), Direction::remove);
  const Profile b = pairs_profile(pairs_curve({{1, second}}), Direction::remove);
  for (const double epsilon : {0.0, 0.1, 1.0, 5.0}) {
    EXPECT_LE(whole(epsilon).lower, 0.5 * a(epsilon).upper + 0.25 * b(epsilon).upper);
    EXPECT_GE(whole(epsilon).upper, 0.5 * a(epsilon).lower + 0.25 * b(epsilon).lower);
  }
}

TEST(PairsProfile, FallsWithEpsilon) {
  const Profile profile =
      pairs_profile(pairs_curve({{1, gaussian_pair({0.02, 1.1, 5}, Reading::one_sided)}}), Direction::remove);
  for (double epsilon = 0; epsilon < 8; epsilon += 0.05) {
    EXPECT_LE(profile(epsilon + 0.05).upper, profile(epsilon).lower) << epsilon;
  }
}

// The accountant uses it for one step.
TEST(PairsProfile, AnswersForOneStep) {
  const Mechanism step = test::pairs_step({{1, gaussian_pair({0.01, 0.55}, Reading::symmetric)}});
  const ExactInterval figure = PrivacyProfile(Plan().add(step)).epsilon(1e-5).worst;
  EXPECT_EQ(figure.engine, Engine::closed_form);
  const ExactInterval known = PrivacyProfile(Plan().add(SampledGaussian{0.01, 0.55})).epsilon(1e-5).remove;
  EXPECT_LE(figure.lower, known.upper);
  EXPECT_GE(figure.upper, known.lower);
  EXPECT_LE(figure.upper - figure.lower, 1e-12);
}

}  // namespace
}  // namespace renyi::exact::closed_form_pairs_test
