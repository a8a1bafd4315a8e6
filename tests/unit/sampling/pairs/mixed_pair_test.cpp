// Mixtures of any pair: Laplace noise and the noise moved, mixed by the general rule, against the pair that has its own
// formulas.
#include "sampling/pairs/mixed_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/monotone/pairs_curve.h"
#include "renyi/error.h"
#include "sampling/pairs/laplace_pair.h"

namespace renyi::mixed_pair_test {
namespace {

using monotone::MonotonePair;
using monotone::PairPoint;
using monotone::PairsCurve;
using monotone::Reading;
using sampling::laplace_pair;
using sampling::mixed_pair;

// Lap(1, b) against Lap(0, b).
class MovedLaplace final : public MonotonePair {
 public:
  explicit MovedLaplace(double b) : MonotonePair(Reading::symmetric), b_(b) {}

  PairPoint at(double x) const override {
    const double log_scale = -std::log(2 * b_);
    return {.log_q = log_scale - x / b_,
            .log_q_error = 1e-15 * (1 + 1 / b_),
            .log_p = log_scale - (1 - x) / b_,
            .log_p_error = 1e-15 * (1 + 1 / b_),
            .loss = (2 * x - 1) / b_,
            .loss_error = 4e-16 * std::abs(2 * x - 1) / b_,
            .base = -1 / b_,
            .up = 2 / b_};
  }
  double x_at(double loss) const override { return std::clamp(0.5 * (1 + loss * b_), 0.0, 1.0); }
  double first() const override { return 0; }
  double last() const override { return 1; }
  double log_mass_below() const override { return -std::log(2.0); }
  double log_mass_above() const override { return -1 / b_ - std::log(2.0); }
  Bounded largest_loss() const override { return {1 / b_, 2e-16 / b_}; }
  Bounded largest_fall() const override { return largest_loss(); }
  double scale() const override { return b_; }
  double zero() const override { return 0.5; }
  double log_q_above(double x) const override { return x > 0 ? -x / b_ - std::log(2.0) : 0; }
  double log_p_above(double x) const override { return x > 1 ? log_q_above(x - 1) : 0; }
  double log_q_below(double x) const override { return log_q_above(-x); }
  double log_p_below(double x) const override { return log_p_above(1 - x + 1); }
  double lowest(double) const override { return 0; }
  double highest(double) const override { return 1; }
  double largest_z(Direction) const override { return 1e12 * b_; }
  monotone::FarOut far_out(double z, Direction) const override { return {0, z / b_ * (1 + 1e-15)}; }
  Growth growth() const override { return {1 / b_ * (1 + 1e-15), 0}; }
  bool remove_is_larger() const override { return true; }
  bool can_be_mixed() const override { return true; }

 private:
  double b_;
};

constexpr double rates[] = {1e-12, 0.01, 0.5, 0.999999}, scales[] = {0.02, 0.5, 3};

TEST(MixedPairs, HaveTheLossesOfTheMixture) {
  for (const double q : rates) {
    for (const double b : scales) {
      const auto mixed = mixed_pair(q, std::make_shared<MovedLaplace>(b), Reading::one_sided);
      const auto known = laplace_pair(q, b, Reading::one_sided);
      for (int i = 0; i <= 40; ++i) {
        const double x = i / 40.0;
        const PairPoint a = mixed->at(x), e = known->at(x);
        EXPECT_NEAR(a.loss, e.loss, a.loss_error + e.loss_error) << q << " " << b << " " << x;
        EXPECT_NEAR(a.log_p, e.log_p, a.log_p_error + e.log_p_error);
        EXPECT_EQ(a.log_q, e.log_q);
        EXPECT_NEAR(a.slope(), e.slope(), 1e-12 * e.slope() + 2e-15 / b);
        EXPECT_NEAR(mixed->loss(mixed->x_at(e.loss)), e.loss, 1e-12 * (1 + std::abs(e.loss)));
      }
      for (const auto side : {&MonotonePair::largest_loss, &MonotonePair::largest_fall}) {
        const Bounded a = (*mixed.*side)(), e = (*known.*side)();
        EXPECT_LE(a.lower(), e.upper());
        EXPECT_LE(e.lower(), a.upper());
      }
    }
  }
}

TEST(MixedPairs, HaveTheCurveOfTheMixtureInEitherReading) {
  for (const Reading reading : {Reading::one_sided, Reading::symmetric}) {
    for (const double q : rates) {
      for (const double b : scales) {
        const PairsCurve mixed({{1, mixed_pair(q, std::make_shared<MovedLaplace>(b), reading)}}, Knowledge::loss);
        const PairsCurve known({{1, laplace_pair(q, b, reading)}}, Knowledge::loss);
        EXPECT_EQ(mixed.is_symmetric(), known.is_symmetric());
        for (const Direction direction : {Direction::remove, Direction::add}) {
          for (const double z : {0.01, 1.0, 7.5, 300.0}) {
            const LogMoment a = mixed.log_moment(z, direction), e = known.log_moment(z, direction);
            EXPECT_NEAR(a.value, e.value, a.error + e.error) << q << " " << b << " " << z;
            EXPECT_LE(a.error, 1e-10 * a.value);
          }
        }
      }
    }
  }
}

TEST(MixedPairs, RefuseRatesAndPairsThatHaveNoMixture) {
  const auto pair = std::make_shared<MovedLaplace>(1);
  for (const double rate : {0.0, 1.0, -0.5, std::nan("")}) {
    EXPECT_THROW(mixed_pair(rate, pair, Reading::one_sided), InvalidArgument);
  }
  EXPECT_THROW(mixed_pair(0.5, nullptr, Reading::one_sided), InvalidArgument);
  EXPECT_THROW(mixed_pair(0.5, laplace_pair(0.5, 1, Reading::one_sided), Reading::one_sided), InvalidArgument);
}

}  // namespace
}  // namespace renyi::mixed_pair_test
