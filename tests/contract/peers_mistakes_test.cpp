// Mistakes that other accountants have made, each as a test.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::peers_mistakes_test {
namespace {

using test::infinity;

// One branch of a long switch forgot the count: 100 exponential mechanisms cost as much as one.
void expect_counted(const Mechanism& m) {
  SCOPED_TRACE(test::describe(m));
  const auto one = m.curve(), hundred = compose(Plan().add(m, 100));
  for (const double order : {1.5, 2.0, 8.0}) {
    const Bounded single = rdp(*one, order), all = rdp(*hundred, order);
    if (std::isinf(single.value)) {
      EXPECT_EQ(all.lower(), infinity);
    } else {
      EXPECT_NEAR(all.value, 100 * single.value, 1e-12 * 100 * single.value);
      EXPECT_GE(all.upper(), 100 * single.lower());
    }
  }
}

TEST(PeersMistakes, ACountIsNeverIgnored) {
  for (const Mechanism& m : test::everyday_settings()) expect_counted(m);
}

TEST(PeersMistakes, AHundredExponentialMechanismsCostAHundredTimesAsMuch) {
  ASSERT_NE(find_mechanism("exponential"), nullptr);
  const Mechanism exponential = make_mechanism("exponential", {{"epsilon", 0.1}});
  expect_counted(exponential);
  const double once = renyi_epsilon(Plan().add(exponential), 1e-6).upper;
  const double often = renyi_epsilon(Plan().add(exponential, 100), 1e-6).upper;
  EXPECT_GT(once, 0);
  EXPECT_GT(often, 5 * once);
}

// A curve that rounding had made negative was answered with epsilon 0: the smallest costs are still above 0.
TEST(PeersMistakes, SmallCostsAreNotRoundedToNothing) {
  for (const double rate : {1e-3, 1e-5, 1e-8, 1e-12}) {
    for (const double noise : {0.8, 5.0, 100.0, 1e4}) {
      const auto curve = Mechanism(SampledGaussian{rate, noise}).curve();
      for (const double order : {1.0, 1.0 + 1e-9, 1.1, 2.0, 2.5, 32.0, 255.5}) {
        for (const Direction direction : test::both_directions) {
          EXPECT_GT(divergence(*curve, order, direction).lower(), 0) << rate << " " << noise << " " << order;
        }
      }
    }
  }
}

TEST(PeersMistakes, EpsilonIsNotZeroWhereTheTruthIsNot) {
  struct Run {
    SampledGaussian step;
    std::int64_t count;
    double delta;
  };
  for (const Run& run : {Run{{1e-8, 0.6}, 1, 1e-12}, Run{{1e-8, 2}, 1'000'000, 1e-13}, Run{{1e-4, 20}, 10, 1e-9},
                         Run{{0.5, 1e4}, 1, 1e-9}, Run{{1e-3, 300}, 1, 1e-12}}) {
    const Plan plan = Plan().add(run.step, run.count);
    const ExactInterval exact = PrivacyProfile(plan).epsilon(run.delta).worst;
    EXPECT_GT(exact.lower, 0) << run.step.sampling_rate << " " << run.step.noise_multiplier;
    EXPECT_GE(renyi_epsilon(plan, run.delta).upper, exact.lower);
  }
}

TEST(PeersMistakes, ANegativeCurveIsAnErrorNotEpsilonZero) {
  const Plan plan = Plan().add(custom_curve("negative by rounding", [](double) { return -1e-18; }));
  EXPECT_THROW(renyi_epsilon(plan, 1e-5), InvalidArgument);
  EXPECT_THROW(renyi_delta(plan, 1), InvalidArgument);
  const Plan unknown = Plan().add(custom_curve("not a number", [](double) { return std::nan(""); }));
  EXPECT_THROW(renyi_epsilon(unknown, 1e-5), InvalidArgument);
}

// D_a + ln((a-1)/a) - (ln delta + ln a)/(a-1) is negative for large deltas: epsilon is not.
TEST(PeersMistakes, EpsilonIsNeverNegative) {
  const std::vector<double> few{1.01, 1.1, 2, 8, 64, infinity};
  for (const Mechanism& m : test::all_corners()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const auto curve = m.curve();
      for (const double delta : {0.1, 0.5, 0.9, 0.999999}) {
        for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
          EXPECT_GE(renyi_epsilon(*curve, delta, {conversion, {}}).upper, 0);
          EXPECT_GE(renyi_epsilon(*curve, delta, {conversion, few}).upper, 0);
        }
      }
    });
  }
  // At this delta the exact value is 0; a bound may be larger but not smaller.
  EXPECT_EQ(PrivacyProfile(Plan().add(Gaussian{10})).epsilon(0.5).worst.lower, 0);
  EXPECT_EQ(PrivacyProfile(Plan().add(Gaussian{10})).epsilon(0.5).worst.upper, 0);
}

// Gamma functions and binomials overflow above order 1030, and infinity minus infinity is no number.
TEST(PeersMistakes, LargeOrdersAreNumbers) {
  for (const Mechanism& m : test::all_corners()) {
    SCOPED_TRACE(test::describe(m));
    test::expect_no_throw([&] {
      const auto curve = m.curve();
      for (const Direction direction : test::both_directions) {
        Bounded before{0, 0};
        for (const double order : {1029.0, 1030.0, 1031.0, 1031.5, 1100.0, 2048.0, 1e4, 65537.0, 1e5}) {
          const Bounded here = divergence(*curve, order, direction);
          test::expect_sane(here);
          EXPECT_EQ(std::isfinite(here.upper()), order <= curve->last_order()) << order;
          test::expect_not_above(before, here);
          before = here;
        }
      }
    });
  }
}

// The loss on a grid that ends at ln(largest double) = 709: epsilons above 705 came out as 705.
TEST(PeersMistakes, LargeEpsilonsAreNotCutOff) {
  for (const double epsilon : {700.0, 705.0, 710.0, 1000.0, 5000.0}) {
    for (const std::int64_t count : {1, 3}) {
      const Plan plan = Plan().add(PureDp{epsilon}, count);
      const double delta = 1e-10, total = epsilon * static_cast<double>(count);
      // All responses true: delta(e) = p^n (1 - exp(e - n epsilon)) next to the largest loss, where p is 1 to rounding.
      const double truth = total + std::log1p(-delta);
      const ExactInterval exact = PrivacyProfile(plan).epsilon(delta).worst;
      EXPECT_LE(exact.lower, truth) << total;
      EXPECT_GE(exact.upper, truth * (1 - 1e-15)) << total;
      EXPECT_LE(exact.upper - exact.lower, 1e-4) << total;
      EXPECT_EQ(PrivacyProfile(plan).epsilon(0).worst.upper, rdp(*compose(plan), infinity).upper());
      EXPECT_GE(renyi_epsilon(plan, delta).upper, exact.lower);
    }
  }
}

// ln of the normal tail Phi(-x), x > 0, to many digits: long doubles reach exp(-11000).
long double normal_tail(long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; }

// delta of Gaussian noise (Balle, Wang 2018, Theorem 8), mu = sensitivity / stddev.
long double gaussian_delta(long double epsilon, long double mu) {
  return normal_tail(epsilon / mu - mu / 2) - std::exp(epsilon) * normal_tail(epsilon / mu + mu / 2);
}

TEST(PeersMistakes, LargeEpsilonsOfGaussiansAreRight) {
  for (const double stddev : {0.02, 0.0125, 0.01}) {  // mean losses 1250, 3200, 5000
    for (const double delta : {1e-5, 1e-10}) {
      const ExactInterval exact = PrivacyProfile(Plan().add(Gaussian{stddev})).epsilon(delta).worst;
      EXPECT_GT(exact.lower, 705);
      EXPECT_LE(exact.upper - exact.lower, 1e-6 * exact.upper);
      EXPECT_GE(static_cast<double>(gaussian_delta(exact.lower * (1 - 1e-12L), 1 / static_cast<long double>(stddev))),
                delta);
      EXPECT_LE(static_cast<double>(gaussian_delta(exact.upper * (1 + 1e-12L), 1 / static_cast<long double>(stddev))),
                delta);
    }
  }
}

TEST(PeersMistakes, LargeEpsilonsOfSampledGaussiansAreNotCutOff) {
  const SampledGaussian step{0.5, 0.02};
  const ExactInterval exact = PrivacyProfile(Plan().add(step)).epsilon(1e-5).worst;
  // delta(e) = q delta_G(ln((exp(e) - 1 + q) / q)), and at such an epsilon the 1 - q beside exp(e) is nothing.
  const ExactInterval whole = PrivacyProfile(Plan().add(Gaussian{0.02})).epsilon(2e-5).worst;
  EXPECT_GT(exact.lower, 705);
  EXPECT_NEAR(exact.upper, whole.upper - std::log(2), 1e-3);
  EXPECT_LE(exact.lower, renyi_epsilon(Plan().add(step), 1e-5).upper);
}

}  // namespace
}  // namespace renyi::peers_mistakes_test
