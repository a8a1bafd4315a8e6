#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "support/expect.h"

namespace renyi::discrete_test {
namespace {

using test::infinity;

void expect_close(const Bounded& got, long double truth, long double accuracy = 5e-14L) {
  test::expect_sane(got);
  EXPECT_LE(got.lower(), truth * (1 + 1e-18L));
  EXPECT_GE(got.upper(), truth * (1 - 1e-18L));
  EXPECT_LE(got.error, accuracy * truth);
}

TEST(Discrete, AKnownPair) {
  const auto pair = DistributionPair::discrete({0.5, 0.25, 0.25}, {0.25, 0.5, 0.25});
  const long double ln2 = std::log(2.0L);
  expect_close(renyi_divergence(pair, 1), ln2 / 4);
  expect_close(renyi_divergence(pair, 2), std::log(1.375L));
  expect_close(renyi_divergence(pair, 0.5), -2 * std::log(std::sqrt(0.5L) + 0.25L));
  expect_close(renyi_divergence(pair, infinity), ln2);
  expect_close(total_variation(pair), 0.25L);
  expect_close(hockey_stick(pair, 0.5), 0.5L - std::exp(0.5L) / 4);
  EXPECT_LT(hockey_stick(pair, 0.7).upper(), 1e-15);  // 0.7 > ln 2
}

TEST(Discrete, MassThatQLacksIsInfiniteFromOrderOneOn) {
  const auto pair = DistributionPair::discrete({0.5, 0.5, 0}, {0.5, 0, 0.5});
  for (const double order : {1.0, 1 + 0x1p-52, 2.0, 1e100, infinity}) {
    EXPECT_EQ(renyi_divergence(pair, order).lower(), infinity) << order;
  }
  // Below 1: M = 1/2 at every order.
  for (const double order : {1e-100, 1e-9, 0.25, 0.5, 0.75, 1 - 0x1p-30}) {
    expect_close(renyi_divergence(pair, order), std::log(2.0L) / (1 - static_cast<long double>(order)));
  }
  expect_close(total_variation(pair), 0.5L);
  expect_close(hockey_stick(pair, infinity), 0.5L);
  // An outcome that only Q has leaves the divergence of P from Q finite: D_a = ln 2 at every order.
  const auto inside = DistributionPair::discrete({1, 0}, {0.5, 0.5});
  for (const double order : {0.5, 1.0, 2.0, 1e50, infinity})
    expect_close(renyi_divergence(inside, order), std::log(2.0L));
  EXPECT_EQ(hockey_stick(inside, infinity).upper(), 0);
}

// 1e-30 of 1e300 underflows, and is mass all the same.
TEST(Discrete, LoneMassThatUnderflowsIsKept) {
  const auto pair = DistributionPair::discrete({1e300, 1e-30}, {1, 0}, Normalize::yes);
  for (const double order : {1.0, 2.0, infinity}) {
    EXPECT_EQ(renyi_divergence(pair, order).lower(), infinity) << order;
    EXPECT_EQ(renyi_divergence(pair.swapped(), order).lower(), 0) << order;
  }
  EXPECT_GT(total_variation(pair).upper(), 0);
  EXPECT_GT(renyi_divergence(pair.swapped(), 2).upper(), 0);
}

TEST(Discrete, LawsThatNeverMeetAreInfinitelyFarAtEveryOrder) {
  const auto pair = DistributionPair::bernoulli(0, 1);
  for (const double order : {1e-100, 0.5, 1.0, 2.0, infinity}) {
    EXPECT_EQ(renyi_divergence(pair, order).lower(), infinity) << order;
  }
  EXPECT_EQ(total_variation(pair).value, 1);
}

TEST(Discrete, EqualLawsHaveNoDivergence) {
  for (const auto& pair :
       {DistributionPair::bernoulli(0.3, 0.3), DistributionPair::discrete({0.1, 0.2, 0.7}, {0.1, 0.2, 0.7}),
        DistributionPair::discrete({0, 1}, {0, 1})}) {
    for (const double order : {0.1, 0.5, 1.0, 2.0, 1e100, infinity})
      EXPECT_EQ(renyi_divergence(pair, order).upper(), 0);
    EXPECT_EQ(total_variation(pair).upper(), 0);
  }
}

TEST(Discrete, TinyDivergencesKeepTheirRelativeAccuracy) {
  // Bernoulli laws g apart: chi^2 = g^2/(q(1-q)) to first order, and D_a = a chi^2/2.
  for (const double gap : {0x1p-20, 0x1p-40}) {
    const double q = 0.25;
    const auto pair = DistributionPair::bernoulli(q + gap, q);
    for (const double a : {0.1, 0.5, 1.0, 1 + 1e-12, 2.0, 100.0}) {
      const Bounded got = renyi_divergence(pair, a);
      EXPECT_NEAR(got.value / (a * gap * gap / (2 * q * (1 - q))), 1, (2 + 4 * a) * gap) << a;
      EXPECT_LE(got.error, 1e-13 * got.value);
    }
    expect_close(total_variation(pair), gap);
  }
}

TEST(Discrete, HugeOrdersApproachTheLargestLossWithoutOverflow) {
  const auto pair = DistributionPair::bernoulli(0.9, 0.1);
  // D_a = [ln(9^(a-1) 0.9 + ...)]/(a-1)
  expect_close(renyi_divergence(pair, 1e6), std::log(9.0L) + std::log(0.9L) / (1e6L - 1));
  expect_close(renyi_divergence(pair, 1e100), std::log(9.0L));
  // A rare outcome with a huge loss: p exp(z l) is moderate although exp(z l) overflows.
  const auto rare = DistributionPair::bernoulli(1e-300, 1e-303);
  const long double moment = 1 + 1e-300L * std::exp(100 * std::log(1000.0L)) - 1e-300L;
  EXPECT_NEAR(renyi_divergence(rare, 101).value, static_cast<double>(std::log(moment) / 100), 1e-15);
}

TEST(Discrete, WeightsOfAnySize) {
  // Shares (1e-537, 1) and (1, 1.8e-31), of which one underflows: D = -ln(1.8e-31) but for rounding, times 1 at
  // order 1.
  const auto pair = DistributionPair::discrete({7e-270, 4.2e267}, {7.5e84, 1.35e54}, Normalize::yes);
  const long double loss = -std::log(1.35e54L / 7.5e84L);
  expect_close(kl_divergence(pair), loss);
  expect_close(renyi_divergence(pair, 0.525), loss);
  expect_close(renyi_divergence(pair, 0.75), loss);
  expect_close(total_variation(pair), 1 - 1.8e-31L, 1e-12L);
}

TEST(Discrete, NearlyOne) {
  // 0.1 + 0.2 + 0.7 is not 1 in double; the law proportional to it is meant.
  const std::vector<double> p{0.1, 0.2, 0.7}, q{0.2, 0.1, 0.7};
  const long double sum = 0.1L * 0 + static_cast<long double>(0.1) + 0.2 + 0.7;
  const long double truth = (static_cast<long double>(0.2) - 0.1) / sum * std::log(static_cast<long double>(0.2) / 0.1);
  expect_close(kl_divergence(DistributionPair::discrete(p, q)), truth);
  EXPECT_NO_THROW(DistributionPair::discrete({0.5, 0.5 + 9e-10}, {0.5, 0.5}));
}

TEST(Discrete, CountsAreDividedByTheirSum) {
  const auto pair = DistributionPair::discrete({2, 1, 1}, {25, 50, 25}, Normalize::yes);
  expect_close(kl_divergence(pair), std::log(2.0L) / 4);
  expect_close(total_variation(pair), 0.25L);
}

TEST(Discrete, RefusesWhatIsNoLaw) {
  const auto message = [](const std::vector<double>& p, const std::vector<double>& q,
                          Normalize normalize = Normalize::no) {
    try {
      DistributionPair::discrete(p, q, normalize);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  EXPECT_EQ(message({0.5, 0.4}, {0.5, 0.5}),
            "p: got numbers with the sum 0.9, allowed: a sum of 1 within 1e-09, or ask to normalize");
  EXPECT_EQ(message({0.5, 0.5}, {0.5, -0.5}), "q[1]: got -0.5, allowed: a finite number of at least 0");
  EXPECT_EQ(message({0.5, NAN}, {0.5, 0.5}), "p[1]: got nan, allowed: a finite number of at least 0");
  EXPECT_EQ(message({1}, {0.5, 0.5}), "q: got 2 numbers, allowed: 1 numbers, as many as p has");
  EXPECT_EQ(message({}, {}), "p: got no numbers, allowed: at least one");
  EXPECT_EQ(message({0, 0}, {1, 0}, Normalize::yes), "p: got numbers with the sum 0, allowed: a finite sum above 0");
  EXPECT_EQ(message({1e308, 1e308}, {1, 0}, Normalize::yes),
            "p: got numbers with the sum inf, allowed: a finite sum above 0");
}

}  // namespace
}  // namespace renyi::discrete_test
