// Discrete pairs as mechanisms: every part of the curve against direct computation in long double.
#include "mechanism/custom/discrete_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/own_discrete.h"

namespace renyi::discrete_curve_test {
namespace {

using test::both_directions;
using test::directed;
using test::DiscretePair;
using test::infinity;
using test::own_discrete;
using ::testing::HasSubstr;

const test::OwnDiscrete& three_outcomes() {
  static const test::OwnDiscrete pair = own_discrete({0.5, 0.3, 0.2}, {0.2, 0.35, 0.45});
  return pair;
}

std::complex<long double> direct_complex(const DiscretePair& pair, std::complex<long double> z) {
  std::complex<long double> sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    sum += pair.p[i] * std::exp(z * (std::log(pair.p[i]) - std::log(pair.q[i])));
  }
  return std::log(sum);
}

TEST(OwnDiscretePair, IsKnownCompletely) {
  const auto curve = three_outcomes().mechanism.curve();
  EXPECT_EQ(curve->knowledge(), Knowledge::loss);
  EXPECT_FALSE(curve->is_symmetric());
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(three_outcomes().pair, direction);
    for (const double order : {1.001, 1.5, 2.0, 10.0, 1e3, 1e6}) {
      test::expect_bounds(divergence(*curve, order, direction), test::direct_renyi(pair, order), 1e-12L, 1e-12L);
    }
    test::expect_bounds(divergence(*curve, 1, direction), test::direct_kl(pair), 1e-13L, 1e-13L);
    test::expect_bounds(curve->max_loss(direction), test::direct_max_loss(pair), 1e-14L, 1e-14L);
    for (const double a : {0.01, 0.3, 0.5, 0.7, 0.99}) {
      test::expect_bounds(curve->chernoff(a, direction), -test::direct_log_moment(pair, a), 1e-12L, 1e-12L);
    }
  }
}

TEST(OwnDiscretePair, SlopesAreDerivatives) {
  const auto curve = three_outcomes().mechanism.curve();
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(three_outcomes().pair, direction);
    for (const double z : {1e-6, 0.01, 0.5, 3.0, 40.0, 700.0, 1e4}) {
      const LogMoment k = curve->log_moment(z, direction);
      long double total = 0, first = 0, second = 0;
      const long double most = test::direct_log_moment(pair, 1 + static_cast<long double>(z));
      for (std::size_t i = 0; i < pair.size(); ++i) {
        const long double l = std::log(pair.p[i] / pair.q[i]), w = std::exp(std::log(pair.p[i]) + z * l - most);
        total += w, first += w * l, second += w * l * l;
      }
      first /= total;
      second = second / total - first * first;
      EXPECT_NEAR(k.slope, static_cast<double>(first), k.slope_error) << z;
      EXPECT_LE(k.slope_error, 1e-12 * (1 + z / 500) * k.slope) << z;
      EXPECT_NEAR(k.curvature, static_cast<double>(second), 1e-9 * k.curvature + 1e-17) << z;
    }
  }
}

TEST(OwnDiscretePair, ComplexPointsAndLines) {
  const auto curve = three_outcomes().mechanism.curve();
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(three_outcomes().pair, direction);
    for (const double c : {0.25, 2.0, 30.0}) {
      const auto line = curve->line(c, direction);
      for (const double y : {1e-6, 0.1, 1.0, 7.0, 100.0}) {
        const std::complex<long double> truth = direct_complex(pair, {c, y});
        const ComplexLogMoment k = curve->log_moment({c, y}, direction), phi = line->log_phi(y);
        EXPECT_LE(std::abs(k.value - std::complex<double>(truth)), k.error + 1e-15);
        EXPECT_LE(k.error, 1e-12 * (1 + c + y));
        const std::complex<long double> on_line = std::exp(truth - direct_complex(pair, {c, 0}));
        EXPECT_LE(std::abs(std::exp(phi.value) - std::complex<double>(on_line)), phi.error + 1e-15);
      }
    }
  }
}

TEST(OwnDiscretePair, Cumulants) {
  const auto curve = three_outcomes().mechanism.curve();
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(three_outcomes().pair, direction);
    const long double mean = test::direct_kl(pair);
    long double second = 0, third = 0;
    for (std::size_t i = 0; i < pair.size(); ++i) {
      const long double off = std::log(pair.p[i] / pair.q[i]) - mean;
      second += pair.p[i] * off * off;
      third += pair.p[i] * off * off * off;
    }
    const Cumulants c = curve->cumulants(direction);
    EXPECT_NEAR(c.mean, static_cast<double>(mean), c.mean_error + 1e-17);
    EXPECT_NEAR(c.variance, static_cast<double>(second), c.variance_error);
    EXPECT_NEAR(c.third, static_cast<double>(third), c.third_error);
    EXPECT_LE(c.variance_error, 1e-13);
    EXPECT_LE(c.third_error, 1e-13);
  }
}

TEST(OwnDiscretePair, MergesOutcomesOfEqualLoss) {
  const Mechanism pair = custom_pair(
      "thirds", DistributionPair::discrete({0.5, 0.125, 0.125, 0.125, 0.125}, {0.125, 0.5, 0.125, 0.125, 0.125}));
  const auto curve = mechanism::atomic_curve_of(pair);
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->atoms(Direction::remove).size(), 3);
  EXPECT_EQ(curve->atoms(Direction::remove)[1].p.value, 0.375);
  EXPECT_TRUE(curve->is_symmetric());
  EXPECT_EQ(mechanism::atomic_curve_of(Gaussian{1}), nullptr);
}

TEST(OwnDiscretePair, OneStepIsTheHockeyStick) {
  const Plan plan = Plan().add(three_outcomes().mechanism);
  for (const double epsilon : {0.0, 0.2, 0.5, 0.8, 0.9}) {
    const ExactAnswer answer = PrivacyProfile(plan).delta(epsilon);
    EXPECT_EQ(answer.remove.engine, Engine::closed_form);
    for (const Direction direction : both_directions) {
      const ExactInterval& figure = direction == Direction::remove ? answer.remove : answer.add;
      const long double truth = test::direct_hockey_stick(directed(three_outcomes().pair, direction), epsilon);
      EXPECT_LE(figure.lower, truth);
      EXPECT_GE(figure.upper, truth);
      EXPECT_LE(figure.upper - figure.lower, 1e-14);
    }
  }
}

TEST(OwnDiscretePair, ThousandsOfOutcomes) {
  // A discrete Gaussian on -3000, ..., 3000 with deviation 100, moved by 10.
  std::vector<double> p, q;
  for (int x = -3000; x <= 3000; ++x) {
    p.push_back(std::exp(-0.5 * (x - 10) * (x - 10) / 1e4));
    q.push_back(std::exp(-0.5 * x * x / 1e4));
  }
  const auto pair = own_discrete(p, q);
  const auto curve = pair.mechanism.curve();
  test::expect_bounds(rdp(*curve, 8), test::direct_renyi(pair.pair, 8), 1e-11L, 1e-11L);
  EXPECT_NEAR(rdp(*curve, 8).value, 8 * 100.0 / 2 / 1e4, 1e-9);
  const ExactInterval figure = PrivacyProfile(Plan().add(pair.mechanism, 100)).epsilon(1e-5).worst;
  const ExactInterval gaussian = PrivacyProfile(Plan().add(Gaussian{10}, 100)).epsilon(1e-5).worst;
  EXPECT_NEAR(figure.upper, gaussian.upper, 1e-3);
  EXPECT_LE(figure.lower, figure.upper);
  EXPECT_LE(figure.upper - figure.lower, 1e-3);
}

// A long list beside other steps: one copy of many atoms, and many copies of two.
TEST(OwnDiscretePair, ListsOfEitherShape) {
  std::vector<double> p, q;
  for (int x = 0; x < 20'000; ++x) {
    p.push_back(1 + 0.3 * std::sin(0.001 * x));
    q.push_back(1);
  }
  const Mechanism wide = custom_pair("wide", DistributionPair::discrete(p, q, Normalize::yes));
  const Mechanism coin = custom_pair("coin", DistributionPair::bernoulli(0.501, 0.499));
  const auto one = PrivacyProfile(Plan().add(wide).add(coin)).delta(0.05).worst;
  EXPECT_EQ(one.engine, Engine::lattice);
  EXPECT_LE(one.upper - one.lower, 1e-9 * one.upper);
  const auto many = PrivacyProfile(Plan().add(coin, 40'000)).epsilon(1e-6).worst;
  const auto known = PrivacyProfile(Plan().add(RandomizedResponse{0.501}, 40'000)).epsilon(1e-6).worst;
  EXPECT_LE(many.lower, known.upper);
  EXPECT_LE(known.lower, many.upper);
  EXPECT_LE(many.upper - many.lower, 1e-6);
}

TEST(OwnDiscretePair, ARandomizedResponseIsOne) {
  for (const double truth : {0.51, 0.75, 0.99}) {
    const Mechanism own = custom_pair("response", DistributionPair::bernoulli(truth, 1 - truth));
    const Mechanism known = RandomizedResponse{truth};
    for (const double order : {1.0, 1.01, 2.0, 17.5, 1e4, infinity}) {
      EXPECT_NEAR(rdp(*own.curve(), order).value, rdp(*known.curve(), order).value,
                  1e-12 * (1 + rdp(*known.curve(), order).value));
    }
    for (const std::int64_t count : {1, 2, 7, 100, 5000}) {
      const auto a = PrivacyProfile(Plan().add(own, count)).epsilon(1e-6).worst;
      const auto b = PrivacyProfile(Plan().add(known, count)).epsilon(1e-6).worst;
      EXPECT_LE(a.lower, b.upper) << truth << " " << count;
      EXPECT_LE(b.lower, a.upper) << truth << " " << count;
      EXPECT_LE(a.upper - a.lower, 1e-5) << truth << " " << count;
    }
  }
}

// One law has an outcome that the other lacks: its divergences are infinite, and its mass is paid for apart.
TEST(OwnDiscretePair, GapsAreInfiniteLosses) {
  const Mechanism pair = custom_pair("leaky", DistributionPair::discrete({0.01, 0.6, 0.39}, {0, 0.4, 0.6}));
  EXPECT_EQ(pair.curve()->knowledge(), Knowledge::loss);
  EXPECT_NEAR(pair.curve()->infinite_mass(Direction::remove).value, 0.01, 1e-17);
  EXPECT_EQ(pair.curve()->infinite_mass(Direction::add).upper(), 0);
  EXPECT_EQ(divergence(*pair.curve(), 2, Direction::remove).upper(), infinity);
  EXPECT_EQ(divergence(*pair.curve(), 1, Direction::remove).upper(), infinity);
  EXPECT_LT(divergence(*pair.curve(), 2, Direction::add).upper(), 1);
  EXPECT_EQ(renyi_epsilon(Plan().add(pair), 0.009).upper, infinity);
  EXPECT_NEAR(renyi_epsilon(Plan().add(pair), 0.1).infinite_mass, 0.01, 1e-15);
  EXPECT_NEAR(renyi_delta(Plan().add(pair), 5).upper, 0.01, 1e-15);
  // sup_S P(S) - e^0.2 Q(S) = 0.01 + 0.6 - 0.4 e^0.2, and the other way round 0.6 - 0.39 e^0.2.
  const ExactAnswer exact = PrivacyProfile(Plan().add(pair)).delta(0.2);
  EXPECT_NEAR(exact.remove.upper, 0.61 - 0.4 * std::exp(0.2), 1e-14);
  EXPECT_NEAR(exact.add.upper, 0.6 - 0.39 * std::exp(0.2), 1e-14);
  EXPECT_LE(exact.remove.upper - exact.remove.lower, 1e-13);
  EXPECT_LT(PrivacyProfile(Plan().add(Gaussian{1}).add(pair)).delta(3).worst.upper, 0.2);
  const Mechanism strangers = custom_pair("strangers", DistributionPair::discrete({1, 0}, {0, 1}));
  EXPECT_EQ(renyi_epsilon(Plan().add(strangers), 0.1).upper, infinity);
  EXPECT_EQ(strangers.curve()->max_loss(Direction::add).upper(), infinity);
  EXPECT_EQ(PrivacyProfile(Plan().add(strangers)).delta(40).worst.lower, 1);
}

TEST(OwnDiscretePair, TheSameLawTwiceCostsNothing) {
  const Plan plan = Plan().add(custom_pair("none", DistributionPair::discrete({0.25, 0.75}, {0.25, 0.75})), 1000);
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).upper, 0);
  EXPECT_EQ(PrivacyProfile(plan).epsilon(1e-5).worst.upper, 0);
  EXPECT_EQ(PrivacyProfile(plan).delta(0).worst.upper, 0);
}

TEST(OwnDiscretePair, TheLossHasItsTails) {
  const PrivacyLoss loss(Plan().add(three_outcomes().mechanism, 2), Direction::remove);
  const DiscretePair two = test::power(three_outcomes().pair, 2);
  EXPECT_TRUE(loss.known());
  for (const double t : {-1.0, 0.0, 0.5, 1.5}) {
    long double truth = 0;
    for (std::size_t i = 0; i < two.size(); ++i) truth += std::log(two.p[i] / two.q[i]) >= t ? two.p[i] : 0;
    const TailProbability p = loss.at_least(t);
    EXPECT_LE(p.lower, truth) << t;
    EXPECT_GE(p.upper, truth) << t;
  }
}

}  // namespace
}  // namespace renyi::discrete_curve_test
