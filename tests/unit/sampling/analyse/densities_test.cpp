#include "sampling/analyse/densities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/own.h"
#include "renyi/plan.h"

namespace renyi {
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
  return analysed(own_pair("own", pair).sampled_by(Sampling::poisson(rate)), {neighbors}).curve();
}

// Both intervals hold the truth, and the one by densities is this narrow.
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
      const auto own = sampled(pair, rate), truth = SampledGaussian{rate, s}.curve();
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
        expect_close(*sampled(pair, rate), *SampledGaussian{rate, 2}.curve(), order, direction, 1e-11);
      }
    }
  }
}

// E_Q[(1 - g + g P/Q)^2] - 1 = g^2 (E_Q[(P/Q)^2] - 1), so that D_2 of the mixture follows from that of the pair.
TEST(SampledDensities, OrderTwoOfSampledLaplaceFollowsFromThePair) {
  const Laplace laplace{1.5};
  const double grown = std::expm1(divergence(*laplace.curve(), 2, Direction::remove).value);
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
  const auto all = own_pair("own", pair).curve();
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
  const Mechanism own = own_pair("own", DistributionPair::densities(normals(1)));
  EXPECT_THROW(analysed(own.sampled_by(Sampling::poisson(0.1)), {Neighbors::replace_one}), Unsupported);
  EXPECT_EQ(sampling::densities_curve(own, {.rate = 0.1, .distance = sampling::Distance::exchange}), nullptr);
  EXPECT_EQ(sampling::densities_curve(own, {.rate = 0.1, .group = 2}), nullptr);
  EXPECT_EQ(sampling::densities_curve(Gaussian{1}, {.rate = 0.1}), nullptr);
  EXPECT_NE(sampling::densities_curve(own, {.rate = 0.1}), nullptr);
}

TEST(SampledDensities, RatesAreCheckedAndOtherLawsAreLeftAlone) {
  const auto pair = DistributionPair::densities(normals(1));
  for (const double rate : {0.0, 1.0, -0.5, std::nan("")}) EXPECT_THROW(pair.mixed(rate), InvalidArgument);
  EXPECT_FALSE(DistributionPair::bernoulli(0.5, 0.25).mixed(0.5).has_value());
}

}  // namespace
}  // namespace renyi
