// The loss against direct integration, enumeration and its own bounds.
#include "renyi/extras/privacy_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loss/contour.h"
#include "renyi/error.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::privacy_loss_test {
namespace {

using test::both_directions;

// Pr[N(0,1) > x] to 64 bits.
long double normal_above(long double x) { return 0.5L * std::erfc(x / std::sqrt(2.0L)); }

void expect_holds(const TailProbability& p, long double truth, double accuracy) {
  EXPECT_LE(static_cast<long double>(p.lower), truth);
  EXPECT_GE(static_cast<long double>(p.upper), truth);
  EXPECT_LE(p.upper - p.lower, accuracy * p.upper + 3e-15);
}

// Which batch a record lies in is hidden, and hiding it may thicken a tail: of outcomes that favour P 10 and 0.1 times,
// as likely as not to be told apart, both favour it more than 5 times. Nothing but bounds is said.
TEST(PrivacyLoss, OfAHiddenBatchIsNotThatOfThePairThatDominatesIt) {
  const Mechanism response = RandomizedResponse{0.75};
  const Plan alone = Plan(Neighbors::zero_out).add(response);
  const Plan hidden = Plan(Neighbors::zero_out).add(response.sampled_by(Sampling::shuffled(10)));
  for (const Direction direction : both_directions) {
    const PrivacyLoss known(alone, direction), bounded(hidden, direction);
    EXPECT_TRUE(known.known());
    EXPECT_FALSE(bounded.known());
    EXPECT_EQ(known.at_least(0.5).method, LossMethod::closed_form);
    EXPECT_EQ(bounded.at_least(0.5).method, LossMethod::chernoff);
    EXPECT_GE(bounded.at_least(0.5).upper, known.at_least(0.5).upper);
    EXPECT_THROW(bounded.cumulants(), Unsupported);
    EXPECT_EQ(bounded.at_least(1.2).upper, 0);  // the largest loss is not exceeded by hiding anything
  }
}

// L ~ N(rho, 2 rho).
TEST(PrivacyLoss, OfGaussiansIsNormal) {
  const Plan plan = Plan().add(Gaussian{2}, 3).add(Gaussian{10, 5}, 4);
  const long double rho = 3.0L / 8 + 4 * 0.25L / 2, spread = std::sqrt(2 * rho);
  for (const Direction direction : both_directions) {
    const PrivacyLoss loss(plan, direction);
    EXPECT_TRUE(loss.known());
    EXPECT_DOUBLE_EQ(loss.cumulants().mean, static_cast<double>(rho));
    EXPECT_DOUBLE_EQ(loss.cumulants().variance, static_cast<double>(2 * rho));
    EXPECT_EQ(loss.cumulants().third, 0);
    for (const double t : {-9.0, -1.0, 0.0, 0.875, 3.0, 20.0}) {
      const TailProbability p = loss.at_least(t);
      expect_holds(p, normal_above((t - rho) / spread), 1e-12);
      EXPECT_EQ(p.method, LossMethod::closed_form);
    }
    for (const double e : {0.0, 0.5, 4.0}) {
      const long double outside = normal_above((e - rho) / spread) + normal_above((e + rho) / spread);
      expect_holds(loss.within(e), std::max(0.0L, 1 - outside), 1e-12);
    }
  }
}

// The integral on a curve whose answer is known, in both tails and beyond the mean.
TEST(PrivacyLoss, TheContourAgreesWithTheNormalLaw) {
  const auto curve = compose(Plan().add(Gaussian{1}, 2));
  const long double rho = 1, spread = std::sqrt(2.0L);
  for (const double t : {-6.0, -1.0, 0.0, 1.0, 2.5, 8.0, 30.0}) {
    SCOPED_TRACE(t);
    const auto tail = loss::contour_integral(*curve, Direction::remove, t, loss::Kernel::tail);
    const auto other = loss::contour_integral(*curve, Direction::remove, t, loss::Kernel::other_tail);
    ASSERT_TRUE(tail && other);
    expect_holds({tail->lower, tail->upper}, normal_above((t - rho) / spread), 1e-9);
    // Under Q the loss has mean -rho.
    expect_holds({other->lower, other->upper}, std::exp(static_cast<long double>(t)) * normal_above((t + rho) / spread),
                 1e-8);
  }
}

// One sampled Gaussian: integrate the mixture over {x : l(x) >= t}.
TEST(PrivacyLoss, OfOneSampledGaussian) {
  const long double q = 0.05, s = 0.9;
  const auto place = [&](long double t) { return 0.5L + s * s * std::log((std::exp(t) - (1 - q)) / q); };
  const PrivacyLoss remove(Plan().add(SampledGaussian{0.05, 0.9}), Direction::remove);
  const PrivacyLoss add(Plan().add(SampledGaussian{0.05, 0.9}), Direction::add);
  for (const double t : {-0.05, -0.01, 0.0, 0.3, 2.0, 40.0}) {
    SCOPED_TRACE(t);
    const long double x = place(t);
    expect_holds(remove.at_least(t), (1 - q) * normal_above(x / s) + q * normal_above((x - 1) / s), 1e-10);
    EXPECT_EQ(remove.at_least(t).method, LossMethod::closed_form);
  }
  EXPECT_EQ(remove.at_least(-0.06).lower, 1);  // no loss lies below ln(1-q) = -0.0513
  EXPECT_EQ(add.at_least(0.06).upper, 0);
  for (const double t : {-2.0, 0.0, 0.02, 0.05}) expect_holds(add.at_least(t), normal_above(-place(-t) / s), 1e-10);
  const long double high = place(0.02L), low = place(-0.02L);
  expect_holds(remove.within(0.02),
               (1 - q) * (normal_above(low / s) - normal_above(high / s)) +
                   q * (normal_above((low - 1) / s) - normal_above((high - 1) / s)),
               1e-10);
}

// At the least loss ln(1-q) a rounding decides which half line it is: the interval holds both.
TEST(PrivacyLoss, OfOneSampledGaussianAtTheEndOfItsSupport) {
  const PrivacyLoss remove(Plan().add(SampledGaussian{0.3, 0.03422453635750645}), Direction::remove);
  const TailProbability p = remove.at_least(-0.35667494393873234);
  EXPECT_LE(p.lower, 0.3);
  EXPECT_EQ(p.upper, 1);
  const PrivacyLoss add(Plan().add(SampledGaussian{0.5, 0.05}), Direction::add);
  EXPECT_GT(add.at_least(0.6931471805599453).upper, 0.9999);
}

// Where the loss crosses its mean its central moments have a gap, which must not end the sum.
TEST(PrivacyLoss, CumulantsOfANearlyConstantLoss) {
  const Cumulants c = PrivacyLoss(Plan().add(SampledGaussian{0.9, 0.1}), Direction::add).cumulants();
  EXPECT_NEAR(c.third, -3.5824513845e-5, 1e-13);
  const Cumulants d = PrivacyLoss(Plan().add(SampledGaussian{0.99999, 0.048}), Direction::add).cumulants();
  EXPECT_NEAR(d.third / -1.57653148873094e-21, 1, 1e-9);  // 40 digits: -1.5765314887309392667e-21
}

TEST(PrivacyLoss, OfOneLaplaceStep) {
  const PrivacyLoss loss(Plan().add(Laplace{2}), Direction::remove);  // e = 1/2
  EXPECT_EQ(loss.at_least(0.6).upper, 0);
  EXPECT_EQ(loss.at_least(-0.6).lower, 1);
  expect_holds(loss.at_least(0.25), 1 - 0.5L * std::exp(-0.125L), 1e-12);
  expect_holds(loss.at_least(-0.5 + 1e-9), 1 - 0.5L * std::exp(-0.5L + 0.5e-9L), 1e-12);
  // At the atoms either side counts, and the interval holds both.
  EXPECT_LE(loss.at_least(0.5).lower, 0.5);
  EXPECT_GE(loss.at_least(0.5).upper, 0.5);
  expect_holds(loss.within(0.3), 0.5L * (std::exp(-0.1L) - std::exp(-0.4L)), 1e-12);
}

TEST(PrivacyLoss, OfRandomizedResponseIsBinomial) {
  const double p = 0.7;
  const int n = 7;
  const long double e = std::log(static_cast<long double>(p) / (1 - static_cast<long double>(p)));
  for (const Direction direction : both_directions) {
    const PrivacyLoss loss(Plan().add(RandomizedResponse{p}, n), direction);
    for (int k = 0; k < n; ++k) {  // between the atoms (2k-n) e and (2k+2-n) e
      const double t = static_cast<double>((2 * k + 1 - n) * e);
      long double truth = 0;
      for (int x = k + 1; x <= n; ++x) {
        truth +=
            std::exp(std::lgamma(n + 1.0L) - std::lgamma(x + 1.0L) - std::lgamma(n - x + 1.0L) +
                     x * std::log(static_cast<long double>(p)) + (n - x) * std::log(1 - static_cast<long double>(p)));
      }
      expect_holds(loss.at_least(t), truth, 1e-10);
    }
    EXPECT_EQ(loss.at_least(8 * static_cast<double>(e)).upper, 0);
  }
}

// Rounding of the probability counts n times; beyond the least double something is left.
TEST(PrivacyLoss, OfManyRandomizedResponses) {
  const PrivacyLoss many(Plan().add(RandomizedResponse{0.7}, 480503467), Direction::remove);
  const TailProbability p = many.at_least(162868845.33527017);
  EXPECT_LE(p.lower, 0.158669329803174);
  EXPECT_GE(p.upper, 0.158669329803174);
  EXPECT_LE(p.upper - p.lower, 1e-6);
  const PrivacyLoss thin(Plan().add(RandomizedResponse{0.500001}, 1886), Direction::remove);
  EXPECT_GT(thin.at_least(0.006244000000187875).upper, 0);
}

TEST(PrivacyLoss, OfRandomizedResponseIsTheSameBelowOneHalf) {
  const PrivacyLoss high(Plan().add(RandomizedResponse{0.75}, 5), Direction::remove);
  const PrivacyLoss low(Plan().add(RandomizedResponse{0.25}, 5), Direction::remove);
  EXPECT_EQ(high.at_least(0.3).upper, low.at_least(0.3).upper);
}

// Moments against the laws themselves.
TEST(PrivacyLoss, CumulantsOfRandomizedResponse) {
  const auto pair = test::randomized_response_pair(std::log(3.0L));
  const Cumulants c = PrivacyLoss(Plan().add(RandomizedResponse{0.75}, 4), Direction::remove).cumulants();
  long double mean = test::direct_kl(pair), second = 0, third = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const long double off = std::log(pair.p[i] / pair.q[i]) - mean;
    second += pair.p[i] * off * off;
    third += pair.p[i] * off * off * off;
  }
  EXPECT_NEAR(c.mean, static_cast<double>(4 * mean), c.mean_error);
  EXPECT_NEAR(c.variance, static_cast<double>(4 * second), c.variance_error);
  EXPECT_NEAR(c.third, static_cast<double>(4 * third), c.third_error);
}

TEST(PrivacyLoss, CumulantsOfLaplaceByDirectIntegration) {
  const long double e = 0.8;
  const Cumulants c = PrivacyLoss(Plan().add(Laplace{1.25}), Direction::remove).cumulants();
  long double raw[4] = {0, 0, 0, 0};
  const int n = 2'000'000;
  for (int power = 0; power < 4; ++power) {
    raw[power] = 0.5L * std::pow(e, power) + 0.5L * std::exp(-e) * std::pow(-e, power);
    for (int i = 0; i < n; ++i) {
      const long double t = e * (i + 0.5L) / n;
      raw[power] += e / n * 0.5L * std::exp(-t) * std::pow(e - 2 * t, power);
    }
  }
  EXPECT_NEAR(static_cast<double>(raw[0]), 1, 1e-12);
  EXPECT_NEAR(c.mean, static_cast<double>(raw[1]), 1e-11);
  EXPECT_NEAR(c.variance, static_cast<double>(raw[2] - raw[1] * raw[1]), 1e-11);
  EXPECT_NEAR(c.third, static_cast<double>(raw[3] - 3 * raw[1] * raw[2] + 2 * raw[1] * raw[1] * raw[1]), 1e-11);
}

TEST(PrivacyLoss, CumulantsOfALargeLaplaceLoss) {
  const Cumulants c = PrivacyLoss(Plan().add(Laplace{0.015}), Direction::add).cumulants();
  EXPECT_NEAR(c.third, -14, c.third_error);  // -14 to below exp(-60): e is 66.7
  EXPECT_NEAR(c.variance, 3, c.variance_error);
}

TEST(PrivacyLoss, CumulantsOfASampledGaussianByDirectIntegration) {
  const long double q = 0.1, s = 0.7, h = 1e-3;
  for (const Direction direction : both_directions) {
    const Cumulants c = PrivacyLoss(Plan().add(SampledGaussian{0.1, 0.7}), direction).cumulants();
    long double raw[4] = {0, 0, 0, 0};
    for (int i = -12000; i < 14000; ++i) {
      const long double x = i * h,
                        base = h * std::exp(-x * x / (2 * s * s)) / (s * std::sqrt(2 * 3.14159265358979323846L));
      const long double r = (1 - q) + q * std::exp((2 * x - 1) / (2 * s * s)), l = std::log(r);
      const long double weight = direction == Direction::remove ? base * r : base;
      const long double loss = direction == Direction::remove ? l : -l;
      for (int power = 0; power < 4; ++power) raw[power] += weight * std::pow(loss, power);
    }
    EXPECT_NEAR(c.mean, static_cast<double>(raw[1]), 1e-12);
    EXPECT_NEAR(c.variance, static_cast<double>(raw[2] - raw[1] * raw[1]), 1e-12);
    EXPECT_NEAR(c.third, static_cast<double>(raw[3] - 3 * raw[1] * raw[2] + 2 * raw[1] * raw[1] * raw[1]), 1e-11);
  }
}

// Atoms beside a smooth part: shift the smooth tail by each atom.
TEST(PrivacyLoss, OfAMixedPlan) {
  const double p = 0.7;
  const long double e = std::log(0.7L / 0.3L), rho = 0.5, spread = 1;
  const PrivacyLoss loss(Plan().add(Gaussian{1}).add(RandomizedResponse{p}), Direction::remove);
  for (const double t : {-4.0, -1.0, 0.0, 0.7, 3.0, 9.0}) {
    SCOPED_TRACE(t);
    const TailProbability found = loss.at_least(t);
    EXPECT_EQ(found.method, LossMethod::contour);
    expect_holds(found, 0.7L * normal_above((t - e - rho) / spread) + 0.3L * normal_above((t + e - rho) / spread),
                 1e-9);
  }
  for (const double bound : {0.2, 1.0, 5.0, 12.0}) {
    SCOPED_TRACE(bound);
    const auto above = [&](long double t) {
      return 0.7L * normal_above((t - e - rho) / spread) + 0.3L * normal_above((t + e - rho) / spread);
    };
    const auto below = [&](long double t) {
      return 0.7L * normal_above((t + e + rho) / spread) + 0.3L * normal_above((t - e + rho) / spread);
    };
    expect_holds(loss.within(bound), 1 - above(bound) - below(bound), 1e-9);
  }
}

// A loss that is not known is bounded, and says so.
TEST(PrivacyLoss, UnknownLossesAreBounded) {
  const PrivacyLoss loss(Plan().add(Zcdp{0.1}).add(Gaussian{2}), Direction::remove);
  EXPECT_FALSE(loss.known());
  EXPECT_NEAR(loss.mean().upper(), 0.1 + 0.125, 1e-12);
  EXPECT_THROW(loss.cumulants(), Unsupported);
  const TailProbability p = loss.at_least(3);
  EXPECT_EQ(p.method, LossMethod::chernoff);
  EXPECT_EQ(p.lower, 0);
  // K = rho z (z+1) with rho = 0.225: the least of exp(K - 3z) is exp(-(3-rho)^2/(4 rho)).
  EXPECT_NEAR(std::log(p.upper), -(3 - 0.225) * (3 - 0.225) / (4 * 0.225), 1e-9);
  EXPECT_EQ(loss.at_least(-0.5).upper, 1);
  EXPECT_GT(loss.within(4).lower, 0.9);
  EXPECT_EQ(loss.within(4).upper, 1);
}

TEST(PrivacyLoss, TheSlopeOfDeltaServesWhereTheContourCannot) {
  const PrivacyLoss loss(Plan().add(Laplace{2}, 5), Direction::remove);
  const TailProbability p = loss.at_least(1.5);
  EXPECT_EQ(p.method, LossMethod::lattice);
  EXPECT_GT(p.upper, 0.1);  // true: all five at +-1/2 at least reaches 2.5 with probability 1/32
  EXPECT_LT(p.upper, 1);
  EXPECT_EQ(loss.at_least(2.6).upper, 0);
  EXPECT_GT(loss.at_least(-2.4).lower, 0);
}

TEST(PrivacyLoss, NothingRunLosesNothing) {
  const PrivacyLoss loss(Plan(), Direction::add);
  EXPECT_EQ(loss.at_least(0).lower, 1);
  EXPECT_EQ(loss.at_least(1e-9).upper, 0);
  EXPECT_EQ(loss.within(0).lower, 1);
  const PrivacyLoss unsampled(Plan().add(SampledGaussian{0, 1}, 5), Direction::remove);
  EXPECT_EQ(unsampled.at_least(1).upper, 0);
  EXPECT_EQ(unsampled.at_least(-1).lower, 1);
}

TEST(PrivacyLoss, BadThresholdsAreRefused) {
  const PrivacyLoss loss(Plan().add(Gaussian{1}), Direction::remove);
  EXPECT_THROW(loss.at_least(std::nan("")), InvalidArgument);
  EXPECT_THROW(loss.at_least(test::infinity), InvalidArgument);
  EXPECT_THROW(loss.within(-1), InvalidArgument);
  EXPECT_THROW(loss.log_moment(-0.5), InvalidArgument);
}

}  // namespace
}  // namespace renyi::privacy_loss_test
