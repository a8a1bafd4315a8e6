// The contour against closed forms, against itself by another identity, and at places it was not made for.
#include "certify/exact/contour.h"

#include <gtest/gtest.h>

#include <cmath>

#include "certify/exact/decay.h"
#include "certify/exact/law.h"
#include "support/expect.h"

namespace renyi::certify::contour_test {
namespace {

std::unique_ptr<Law> law_at(const Steps& steps, Direction direction, double epsilon, Route route = Route::first) {
  return contour_law(steps, direction, place_of_epsilon(steps, direction, epsilon), 1e-11, route);
}

// Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu).
Ball gaussian_delta(const Ball& mu, const Ball& epsilon) {
  return normal_below(mu / 2 - epsilon / mu) - exp(epsilon) * normal_below(-mu / 2 - epsilon / mu);
}

TEST(CertifiedContour, HoldsTheClosedFormOfGaussians) {
  const Precision working(256);
  struct Case {
    double stddev;
    std::int64_t count;
    double epsilon;
  };
  for (const Case& at : {Case{10, 100, 1}, Case{10, 100, -3}, Case{1, 1, 0}, Case{0.1, 1, 30}, Case{1e4, 1, 1e-3},
                         Case{1e9, 4'000'000'000'000'000'000, 12}, Case{1, 1, 25}}) {
    SCOPED_TRACE(at.epsilon);
    const Ball mu = sqrt(Ball(at.count)) / at.stddev;
    for (const Route route : {Route::first, Route::second}) {
      const auto law = law_at({{Gaussian{at.stddev, 1}, at.count}}, Direction::remove, at.epsilon, route);
      ASSERT_TRUE(law);
      const Ball delta = law->delta(at.epsilon);
      EXPECT_TRUE(contains(delta, gaussian_delta(mu, at.epsilon)));
      EXPECT_LT(delta.relative_radius(), 1e-11);
    }
  }
}

// A line made for one epsilon is right, if wider, at another.
TEST(CertifiedContour, OneLineAnswersForEveryEpsilon) {
  const Precision working(256);
  const auto law = law_at({{Gaussian{10, 1}, 100}}, Direction::remove, 2);
  ASSERT_TRUE(law);
  for (const double epsilon : {-2.0, 0.0, 1.9, 2.1, 3.0, 6.0}) {
    EXPECT_TRUE(contains(law->delta(epsilon), gaussian_delta(1, epsilon))) << epsilon;
  }
}

// delta_(P,Q)(-e) = 1 - exp(-e) + exp(-e) delta_(Q,P)(e).
TEST(CertifiedContour, DirectionsMeetAtNegativeEpsilon) {
  const Precision working(128);
  for (const Steps& steps :
       {Steps{{SampledGaussian{0.01, 1.1}, 3000}}, Steps{{SampledGaussian{0.2, 3}, 50}, {Laplace{5, 1}, 20}},
        Steps{{SampledGaussian{0.001, 0.8}, 1'000'000}, {RandomizedResponse{0.6, 3}, 2}, {Gdp{0.1}, 4}}}) {
    for (const double epsilon : {0.0, 0.4, 1.5}) {
      const auto remove = law_at(steps, Direction::remove, -epsilon);
      const auto add = law_at(steps, Direction::add, epsilon);
      ASSERT_TRUE(remove && add);
      const Ball left = remove->delta(-epsilon);
      const Ball right = 1 - exp(Ball(-epsilon)) * (1 - add->delta(epsilon));
      EXPECT_TRUE(overlap(left, right));
      EXPECT_LT(left.relative_radius(), 1e-10);
      EXPECT_LT(right.relative_radius(), 1e-10);
    }
  }
}

// Two responses beside a Gaussian: the sum over their outcomes.
TEST(CertifiedContour, AtomsBesideAGaussian) {
  const Precision working(192);
  const auto law = law_at({{Gaussian{2, 1}, 1}, {PureDp{0.5}, 2}}, Direction::remove, 1);
  ASSERT_TRUE(law);
  const Ball p = 1 / (1 + exp(Ball(-0.5)));
  const Ball r = 1 - p;
  const Ball mu = Ball(0.5);
  const Ball sum =
      square(p) * gaussian_delta(mu, 0) + 2 * p * r * gaussian_delta(mu, 1) + square(r) * gaussian_delta(mu, 2);
  EXPECT_TRUE(contains(law->delta(1), sum));
}

// Chernoff's bound is above the exact value, and exceeds it by no more than the width of the saddle allows.
TEST(CertifiedChernoff, IsAboveDelta) {
  const Precision working(128);
  const Steps steps{{Gaussian{10, 1}, 100}};
  for (const double epsilon : {0.5, 2.0, 5.0}) {
    const Ball bound =
        chernoff_law(steps, Direction::remove, place_of_epsilon(steps, Direction::remove, epsilon))->delta(epsilon);
    EXPECT_TRUE(contains(bound, gaussian_delta(1, epsilon)));
    EXPECT_TRUE(surely_less(bound, 6 * gaussian_delta(1, epsilon)));
  }
}

// A Gaussian with mu = 1, evaluated on a line that the test chooses.
struct OnLine {
  explicit OnLine(const Line& on) : line(on), moments(moments_on_line(steps, Direction::remove, on, points, 60)) {}

  Ball delta(double epsilon) const {
    const Ball rival = log_moment_at(steps, Direction::remove, line.rival, 60);
    const Ball end = Ball(line.spacing) * Ball(std::int64_t{points - 1});
    const LeftOut rest = Truncation(steps, Direction::remove, line.c).beyond(end, line.spacing, 1e-20);
    EXPECT_EQ(rest.stuck, 0);
    return contour_law_on(line, moments, rival, rest.bound)->delta(epsilon);
  }

  // The phase at one point is forgotten.
  void lose(std::size_t j) {
    const Complex z(line.c, Ball(line.spacing) * Ball(static_cast<std::int64_t>(j)));
    moments.lost += abs(moments.phi[j] / (z * (z + Complex(1))));
    moments.phi[j] = Complex();
  }

  static constexpr long points = 60;
  Steps steps{{Gaussian{1, 1}, 1}};
  Line line;
  LineMoments moments;
};

// The term at the lost point is positive for some of these epsilons and negative for others.
TEST(CertifiedContour, LostPointsAreCharged) {
  const Precision working(256);
  Line line;
  line.c = 2;
  line.rival = 5;
  line.spacing = 0.25;
  int above = 0, below = 0;
  for (const std::size_t lost : {1, 3, 6}) {
    const OnLine whole(line);
    OnLine damaged(line);
    damaged.lose(lost);
    for (const double epsilon : {-1.0, 0.0, 1.0, 2.0, 3.0}) {
      SCOPED_TRACE(epsilon);
      const Ball truth = gaussian_delta(1, epsilon);
      EXPECT_TRUE(contains(damaged.delta(epsilon), truth));
      EXPECT_TRUE(contains(whole.delta(epsilon), truth));
      OnLine free = damaged;
      free.moments.lost = 0;
      above += surely_less(truth, free.delta(epsilon)) ? 1 : 0;
      below += surely_less(free.delta(epsilon), truth) ? 1 : 0;
    }
  }
  EXPECT_GE(above, 3) << "the lower end needs the charge";
  EXPECT_GE(below, 3) << "the upper end needs the charge";
}

// Copies 2 pi/h = 5 apart: those above weigh most on a line far to the right, those below on one far to the left.
TEST(CertifiedContour, CopiesAreChargedToTheLowerEnd) {
  const Precision working(256);
  for (const auto& [c, rival] : {std::pair{2.0, 5.0}, {2.0, 4.0}, {0.5, 4.0}}) {
    SCOPED_TRACE(c);
    Line line;
    line.c = c;
    line.rival = rival;
    line.spacing = 1.25;
    const Ball truth = gaussian_delta(1, 0);
    const Ball delta = OnLine(line).delta(0);
    EXPECT_TRUE(contains(delta, truth));
    EXPECT_TRUE(surely_less(0, delta)) << "the lower end says something";
    EXPECT_TRUE(surely_less(truth * 1.001, delta.upper())) << "the copies are too small to matter";
  }
}

TEST(CertifiedContour, GivesUpWhereTheLineDoesNotEnd) {
  EXPECT_FALSE(law_at({{RandomizedResponse{0.7, 2}, 20}}, Direction::remove, 1));
  EXPECT_FALSE(law_at({{SampledGaussian{0.001, 0.5}, 2}}, Direction::remove, 0.1));
}

constexpr double few = 3, many = 60;

// With few digits the moments are known within some 2^-13 only, and |phi| falls below that.
TEST(CertifiedMomentsOnLine, LostPointsAreCharged) {
  Line line;
  line.c = 2;
  line.spacing = 0.5;
  constexpr long points = 40;
  for (const Steps& steps :
       {Steps{{SampledGaussian{0.9, 0.7}, 1}}, Steps{{SampledGaussian{0.9, 0.7}, 1}, {Gdp{0.01}, 1}}}) {
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
}  // namespace renyi::certify::contour_test
