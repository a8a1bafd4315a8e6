#include "sampling/analyse/curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::curves_test {
namespace {

constexpr double log_root_two_pi = 0.91893853320467274;

LogDensities normals(double s) {
  const auto log_density = [s](double mean) {
    return [s, mean](double x) { return -(x - mean) * (x - mean) / (2 * s * s) - std::log(s) - log_root_two_pi; };
  };
  return {.log_p = log_density(1), .log_q = log_density(0), .points = {0, 1}};
}

std::shared_ptr<const Curve> sampled(const DistributionPair& pair, double rate,
                                     Neighbors neighbors = Neighbors::add_or_remove_one) {
  return analysed(custom_pair("own", pair).sampled_by(Sampling::poisson(rate)), {neighbors}).curve();
}

// Both intervals contain the exact value, and the one from densities is this narrow.
void expect_close(const Curve& own, const Curve& truth, double order, Direction direction, double width) {
  const Bounded a = divergence(own, order, direction), b = divergence(truth, order, direction);
  EXPECT_LE(a.lower(), b.upper()) << order;
  EXPECT_GE(a.upper(), b.lower()) << order;
  EXPECT_LE(a.upper() - a.lower(), width * b.value) << order << ' ' << b.value;
  EXPECT_NEAR(a.value, b.value, width * b.value) << order;
}

TEST(SampledDensities, NormalOnesAreTheSampledGaussianAtEveryRate) {
  for (const double s : {0.7, 1.0, 5.0}) {
    const auto pair = DistributionPair::densities(normals(s));
    for (const double rate : {0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      SCOPED_TRACE(testing::Message() << "s " << s << " rate " << rate);
      const auto own = sampled(pair, rate), truth = Mechanism(SampledGaussian{rate, s}).curve();
      for (const double order : {1.0, 1.25, 2.0, 8.5, 32.0}) {
        for (const Direction direction : {Direction::remove, Direction::add}) {
          expect_close(*own, *truth, order, direction, 1e-11);
        }
      }
    }
  }
}

TEST(SampledDensities, FamiliesAreMixedToo) {
  const auto pair = DistributionPair::normal({1, 2}, {0, 2});
  for (const double rate : {0.3, 1e-3}) {
    for (const double order : {1.5, 4.0, 20.0}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        expect_close(*sampled(pair, rate), *Mechanism(SampledGaussian{rate, 2}).curve(), order, direction, 1e-11);
      }
    }
  }
}

// E_Q[(1 - g + g P/Q)^2] - 1 = g^2 (E_Q[(P/Q)^2] - 1), so that D_2 of the mixture follows from that of the pair.
TEST(SampledDensities, OrderTwoOfSampledLaplaceFollowsFromThePair) {
  const Laplace laplace{1.5};
  const double grown = std::expm1(divergence(*Mechanism(laplace).curve(), 2, Direction::remove).value);
  const auto pair = DistributionPair::laplace({1, 1.5}, {0, 1.5});
  for (const double rate : {0.5, 0.01, 1e-5}) {
    const Bounded d = divergence(*sampled(pair, rate), 2, Direction::remove);
    EXPECT_NEAR(d.value, std::log1p(rate * rate * grown), 1e-11 * d.value) << rate;
    EXPECT_LE(d.error, 1e-11 * d.value) << rate;
  }
}

// P outside of Q's support: shown with any probability.
TEST(SampledDensities, AnOutcomeThatQLacksIsLostForAnyRate) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto inside = [inf](double low, double high) {
    return [=](double x) { return x > low && x < high ? -std::log(high - low) : -inf; };
  };
  const auto pair = DistributionPair::densities({.log_p = inside(0, 2), .log_q = inside(0, 1), .points = {0, 1, 2}});
  const auto own = sampled(pair, 0.25);
  EXPECT_TRUE(std::isinf(divergence(*own, 2, Direction::remove).upper()));
  // (Q, mix): on [0, 1] the mixture has density 3/4 + 1/8.
  const Bounded add = divergence(*own, 2, Direction::add);
  EXPECT_NEAR(add.value, std::log(8.0 / 7), 1e-9);
}

TEST(SampledDensities, ASampleNeverCostsMoreThanAllRecords) {
  const auto pair = DistributionPair::densities(normals(1));
  const auto all = custom_pair("own", pair).curve();
  for (const double order : {1.5, 3.0, 10.0}) {
    double before = 0;
    for (const double rate : {1e-4, 0.1, 0.5, 0.9}) {
      const double cost = rdp(*sampled(pair, rate, Neighbors::zero_out), order).upper();
      EXPECT_GT(cost, before);
      EXPECT_LT(cost, rdp(*all, order).upper());
      before = cost;
    }
  }
}

TEST(SampledDensities, OnlyOneRecordAgainstNoneIsMixed) {
  const Mechanism own = custom_pair("own", DistributionPair::densities(normals(1)));
  EXPECT_THROW(analysed(own.sampled_by(Sampling::poisson(0.1)), {Neighbors::replace_one}), Unsupported);
  const auto curve = own.curve();
  EXPECT_EQ(sampling::densities_curve(*curve, {.rate = 0.1, .distance = sampling::Distance::exchange}), nullptr);
  EXPECT_EQ(sampling::densities_curve(*curve, {.rate = 0.1, .group = 2}), nullptr);
  EXPECT_EQ(sampling::densities_curve(*Mechanism(Gaussian{1}).curve(), {.rate = 0.1}), nullptr);
  EXPECT_NE(sampling::densities_curve(*curve, {.rate = 0.1}), nullptr);
}

TEST(SampledDensities, RatesAreCheckedAndOtherLawsAreLeftAlone) {
  const auto pair = DistributionPair::densities(normals(1));
  for (const double rate : {0.0, 1.0, -0.5, std::nan("")}) EXPECT_THROW(pair.mixed(rate), InvalidArgument);
  EXPECT_FALSE(DistributionPair::bernoulli(0.5, 0.25).mixed(0.5).has_value());
}

// Steps on samples that lose so much at once that Q's masses are too small for a double where P's are not.

constexpr double infinity = std::numeric_limits<double>::infinity();

Plan plan_of(const Mechanism& inner, const Sampling& sampling, std::int64_t count = 1) {
  return Plan().add(inner.sampled_by(sampling), count);
}

Mechanism discrete_laplace(double sensitivity) {
  return make_mechanism("discrete-laplace", {{"scale", 1}, {"sensitivity", sensitivity}});
}

// P has exp(1000) times Q's mass, and nearly all of its own, at the largest loss.
TEST(SampledOutcomes, DiscreteLaplaceNoiseThatHidesNothing) {
  const ExactAnswer answer = PrivacyProfile(plan_of(discrete_laplace(1000), Sampling::poisson(0.15))).epsilon(1e-5);
  // 1/(1 + 1/e) of P's mass has the loss l = 1000 + ln(0.15): delta = 0.15 P (1 - exp(epsilon - l)).
  const double mass = 0.15 / (1 + std::exp(-1.0)), loss = 1000 + std::log(0.15);
  const double truth = loss + std::log1p(-1e-5 / mass);
  EXPECT_NEAR(truth, 998.10, 0.01);
  EXPECT_LE(answer.remove.lower, truth + 1e-9);
  EXPECT_GE(answer.remove.upper, truth - 1e-9);
  EXPECT_LT(answer.worst.upper, truth + 1e-6);
}

TEST(SampledOutcomes, LaplaceNoiseThatHidesNothing) {
  const Mechanism laplace = Laplace{.scale = 1, .l1_sensitivity = 1000};
  const ExactAnswer delta = PrivacyProfile(plan_of(laplace, Sampling::poisson(0.15))).delta(10);
  EXPECT_LE(delta.worst.lower, 0.15);
  EXPECT_GE(delta.worst.upper, 0.15);
  EXPECT_LT(delta.worst.upper - delta.worst.lower, 1e-9);
  double before = 0;
  for (const std::int64_t count : {1, 10, 1000, 2000}) {
    const ExactAnswer epsilon = PrivacyProfile(plan_of(laplace, Sampling::poisson(0.15), count)).epsilon(1e-5);
    EXPECT_GT(epsilon.worst.upper, before) << count;
    before = epsilon.worst.lower;
  }
  EXPECT_GT(before, 2e5);
}

TEST(SampledOutcomes, LossesThatAreNearlyInfinite) {
  const Mechanism losses = make_mechanism("losses", {}, {{"losses", {{800, 0.5}, {-0.6, 0.5}}}});
  const Plan plan = plan_of(losses, Sampling::poisson(0.15));
  const ExactAnswer answer = PrivacyProfile(plan).epsilon(1e-5);
  const double truth = 800 + std::log(0.15) + std::log1p(-1e-5 / 0.075);
  EXPECT_NEAR(answer.remove.upper, truth, 1e-6);
  EXPECT_NEAR(answer.remove.lower, truth, 1e-6);
  EXPECT_GE(renyi_epsilon(plan, 1e-5).upper, truth - 1e-9);
}

TEST(SampledOutcomes, MoreSensitivityOnLimitedBatchesNeverCostsLess) {
  double before = 0;
  for (const double sensitivity : {300.0, 500.0, 1000.0}) {
    const Plan plan = plan_of(discrete_laplace(sensitivity), Sampling::truncated_poisson(0.125, 62876, 1), 1000);
    const ExactAnswer answer = PrivacyProfile(plan).epsilon(0.1);
    EXPECT_GT(answer.worst.upper, before);
    EXPECT_GT(renyi_epsilon(plan, 0.1).upper, before);
    before = answer.worst.lower;
    EXPECT_GT(before, 82316 * sensitivity / 301);
  }
}

// A probability of 1e-400 that everything is revealed.
TEST(SampledOutcomes, InfiniteLossesTooSmallForADouble) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 0.1}, {"delta", 1e-300}});
  const Plan plan = plan_of(step, Sampling::poisson(1e-100));
  const PrivacyProfile accountant(plan);
  EXPECT_EQ(accountant.epsilon(0).remove.upper, infinity);
  EXPECT_EQ(accountant.epsilon(0).remove.lower, infinity);
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, infinity);
  EXPECT_LE(accountant.delta(infinity).remove.lower, 0);
  EXPECT_GT(accountant.delta(infinity).remove.upper, 0);
}

// Mass that a list of all outcomes lacks has infinite loss; a window of laws without end lacks it by nature.
TEST(SampledOutcomes, MissingMassIsCharged) {
  using numerics::Mass;
  sampling::SampledOutcomes step{.inclusion = {.rate = 0.5}, .pair = {}};
  step.pair.outcomes = {{Mass::of(0.5), Mass::of(0.2), std::log(0.4), 0}, {Mass::of(0.5), Mass::of(0.5), 0, 0}};
  const auto curve = sampling::outcomes_curve({step});
  EXPECT_NEAR(curve->infinite_mass(Direction::remove).value, 0.15, 1e-15);  // 1 - (0.5 (0.2 + 0.5) + 0.5)
  EXPECT_EQ(curve->infinite_mass(Direction::add).value, 0);
  const auto window = sampling::outcomes_curve({step}, sampling::Listing::window);
  EXPECT_EQ(window->infinite_mass(Direction::remove).value, 0);
}

// Noise on the integers on a Poisson sample, in each direction by itself, beside sums in long double.

constexpr int reach = 200;

// Masses up to a constant, which the sums divide by.
long double weight(const Mechanism& noise, int x) {
  if (noise.kind() == "discrete-gaussian") return std::exp(-static_cast<long double>(x) * x / 8);  // stddev 2
  return std::cyl_bessel_il(std::abs(x), 9.0L);                                                    // variance 9
}

struct Pair {
  std::vector<long double> p, q;
};
Pair sampled(const Mechanism& noise, int distance, long double rate) {
  long double total = 0;
  for (int x = -reach; x <= reach; ++x) total += weight(noise, x);
  Pair pair;
  for (int x = -reach; x <= reach; ++x) {
    const long double q = weight(noise, x) / total;
    pair.q.push_back(q);
    pair.p.push_back((1 - rate) * q + rate * weight(noise, x - distance) / total);
  }
  return pair;
}

double delta_of(const std::vector<long double>& p, const std::vector<long double>& q, long double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0L, p[i] - std::exp(epsilon) * q[i]);
  return static_cast<double>(sum);
}

TEST(SampledLattice, BothDirectionsAreTheirSums) {
  const Mechanism gaussian = make_mechanism("discrete-gaussian", {{"stddev", 2}, {"sensitivity", 3}});
  const Mechanism skellam = make_mechanism("skellam", {{"variance", 9}, {"sensitivity", 3}});
  for (const Mechanism& noise : {gaussian, skellam}) {
    for (const double rate : {1e-3, 0.05, 0.5, 0.999}) {
      const Pair pair = sampled(noise, 3, rate);
      const PrivacyProfile accountant(Plan().add(noise.sampled_by(Sampling::poisson(rate))));
      for (const double epsilon : {0.0, 0.1, 0.7, 2.0}) {
        SCOPED_TRACE(std::string(noise.kind()) + " " + std::to_string(rate) + " " + std::to_string(epsilon));
        const ExactAnswer found = accountant.delta(epsilon);
        const double remove = delta_of(pair.p, pair.q, epsilon), add = delta_of(pair.q, pair.p, epsilon);
        EXPECT_NEAR(found.remove.upper, remove, 1e-10 * remove + 1e-16);
        EXPECT_NEAR(found.add.upper, add, 1e-10 * add + 1e-16);
      }
    }
  }
}

// Where P has its mass, Q's is exp(-4760): masses are not formed from each other.
TEST(SampledLattice, KeepsItsDigitsAtHugeLosses) {
  const double stddev = 0.28692530098270663, rate = 0.3;
  const Mechanism noise = make_mechanism("discrete-gaussian", {{"stddev", stddev}, {"sensitivity", 28}});
  const auto curve = analysed(noise.sampled_by(Sampling::poisson(rate)), {}).curve();
  // Both laws live on their own integers: P-mass 1-g at ratio 1-g, and g at ln g + loss, E[loss] = 28^2/(2 s^2).
  const long double s = stddev, mean = 28.0L * 28 / (2 * s * s);
  const long double truth = 0.7L * std::log(0.7L) + 0.3L * (std::log(0.3L) + mean);
  const Bounded found = divergence(*curve, 1, Direction::remove);
  EXPECT_GE(found.upper(), static_cast<double>(truth) * (1 - 1e-15));
  EXPECT_NEAR(found.value, static_cast<double>(truth), 1e-11 * static_cast<double>(truth));
}

// Orders whose windows no double can count get the bound of the step itself, at once.
TEST(SampledLattice, HugeOrdersAreBoundedByTheStepItself) {
  const Mechanism noise = make_mechanism("discrete-gaussian", {{"stddev", 2}, {"sensitivity", 1}});
  const auto curve = analysed(noise.sampled_by(Sampling::poisson(0.1)), {}).curve();
  for (const double order : {1e13, 1e20, 1e50}) {
    EXPECT_LE(divergence(*curve, order, Direction::remove).upper(), order / 8 * (1 + 1e-9));
    EXPECT_GE(divergence(*curve, order, Direction::remove).upper(), order / 8 * 0.9);
    EXPECT_LE(divergence(*curve, order, Direction::add).upper(), -std::log1p(-0.1) * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace renyi::curves_test
