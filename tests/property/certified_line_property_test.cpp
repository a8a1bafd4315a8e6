// Vertical lines of sampled Gaussians against certified moments. Counts reach 1e19, so a curve of 1e-19 must keep its
// digits: every comparison is relative.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "certify/sampled_gaussian/trapezoid.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/extras/certify.h"
#include "renyi/plan.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::certified_line_property_test {
namespace {

using certify::Ball;
using certify::Complex;

struct Case {
  SampledGaussian step;
  Direction direction = Direction::remove;
  double c = 0;
  double y = 0;
};

Case random_case(test::RandomInputs& inputs) {
  return {.step = {inputs.log_uniform(1e-13, 0.1), inputs.log_uniform(0.3, 5)},
          .direction = inputs.chance(0.5) ? Direction::remove : Direction::add,
          .c = inputs.log_uniform(0.01, 60),
          .y = inputs.log_uniform(0.01, 300)};
}

std::string describe(const Case& at) {
  return fmt::format("{} {} c = {} y = {}", test::describe(at.step), test::name_of(at.direction), at.c, at.y);
}

// ln phi(y) to some 40 digits of q^2: A(1+z) or A(-z) over its value at y = 0.
Complex certified_log_phi(const Case& at) {
  const bool remove = at.direction == Direction::remove;
  const Ball exponent = remove ? Ball(1) + Ball(at.c) : -Ball(at.c);
  const auto moments = certify::trapezoid_moments(at.step, exponent, Ball(remove ? at.y : -at.y), 2, /*bits=*/220);
  return log(moments[1] / moments[0]);
}

// Below 2^-220 nothing is left of phi but the rule's own error.
bool is_visible(const Complex& log_phi) { return log_phi.real().is_finite(); }

double distance(double value, const Ball& truth) { return std::abs((Ball(value) - truth).about()); }

// The distance of two phases, without its multiples of 2 pi.
double turn(double value, const Ball& truth) {
  return std::abs(std::remainder((Ball(value) - truth).about(), 2 * std::numbers::pi));
}

TEST(CertifiedLineProperty, PointsLieWithinTheirError) {
  int compared = 0, sharp = 0;
  test::for_random_cases(0.05, [&](test::RandomInputs& inputs) {
    const certify::Precision bits(400);
    const Case at = random_case(inputs);
    SCOPED_TRACE(describe(at));
    const auto curve = Mechanism(at.step).curve();
    const auto line = curve->line(at.c, at.direction);
    const ComplexLogMoment phi = line->log_phi(at.y);
    const Complex truth = certified_log_phi(at);
    if (!is_visible(truth)) return;
    if (std::isinf(phi.error)) {
      EXPECT_GE(phi.value.real(), truth.real().about());
      return;
    }
    EXPECT_LE(distance(phi.value.real(), truth.real()), phi.error);
    EXPECT_LE(turn(phi.value.imag(), truth.imaginary()), phi.error + at.y * line->shift_error());
    ++compared;
    sharp += phi.error <= 1e-10 * std::abs(phi.value) ? 1 : 0;
  });
  EXPECT_GE(compared, 1);
  EXPECT_GE(sharp, 0.9 * compared);
}

TEST(CertifiedLineProperty, NoPointIsLargerThanTheDecayAllows) {
  int told = 0, cases = 0;
  test::for_random_cases(0.05, [&](test::RandomInputs& inputs) {
    const certify::Precision bits(400);
    const Case at = random_case(inputs);
    SCOPED_TRACE(describe(at));
    const auto curve = Mechanism(at.step).curve();
    const auto line = curve->line(at.c, at.direction);
    const Complex log_phi = certified_log_phi(at);
    if (!is_visible(log_phi)) return;
    const double truth = log_phi.real().about();  // <= 0
    for (const double from : {1.0, 0.8, 0.5}) EXPECT_GE(line->decay(from * at.y), truth * (1 + 1e-12)) << from;
    EXPECT_GE(line->decay_beyond(at.y), truth * (1 + 1e-12));
    // Nor is it idle.
    told += line->decay(at.y) < 0.01 * truth ? 1 : 0;
    ++cases;
  });
  EXPECT_GE(told, 0.9 * cases);
}

// The line was cut at y = 0.01 once, where the decay was all rounding: 41.44425, below the truth.
TEST(CertifiedLineProperty, ManyTinyStepsAreNotCutShort) {
  const Plan plan = Plan()
                        .add(SampledGaussian{4.9748563998995332e-11, 0.41234474232233415}, 8369904317065513984)
                        .add(SampledGaussian{0.0027606909730157401, 0.91578843766406981}, 977753);
  constexpr double delta = 3.7401914809553348e-10;
  const ExactAnswer answer = PrivacyProfile(plan, {.engine = Engine::contour}).epsilon(delta);
  for (const Direction direction : test::both_directions) {
    SCOPED_TRACE(test::name_of(direction));
    const ExactInterval& figure = direction == Direction::remove ? answer.remove : answer.add;
    const Certified certified = certified::epsilon(plan, delta, direction);
    EXPECT_LE(figure.lower, rounded_up(certified.value.upper));
    EXPECT_GE(figure.upper, rounded_down(certified.value.lower));
    EXPECT_LE(figure.upper - figure.lower, 1e-9);
  }
}

}  // namespace
}  // namespace renyi::certified_line_property_test
