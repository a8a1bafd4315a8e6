#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "support/expect.h"

namespace renyi::multivariate_normal_test {
namespace {

using Rows = std::vector<std::vector<double>>;
using test::infinity;

TEST(MultivariateNormal, IsHalfTheOrderTimesTheSquaredDistance) {
  // (1,2) with [[1, 1/2], [1/2, 2]]: the inverse is [[2, -1/2], [-1/2, 1]]/(7/4), so d^2 = (2 - 2 + 4)/(7/4) = 16/7.
  const auto pair = DistributionPair::multivariate_normal({0, 0}, {1, 2}, {{1, 0.5}, {0.5, 2}});
  for (const double order : {0.25, 1.0, 3.0}) {
    const Bounded got = renyi_divergence(pair, order);
    const long double truth = order * 8 / 7.0L;
    EXPECT_LE(got.lower(), truth);
    EXPECT_GE(got.upper(), truth);
    EXPECT_LE(got.error, 1e-15 * got.value);
  }
  EXPECT_EQ(renyi_divergence(pair, infinity).lower(), infinity);
  test::expect_overlap(hockey_stick(pair, 0.5),
                       hockey_stick(DistributionPair::normal({0, 1}, {std::sqrt(16 / 7.0), 1}), 0.5));
  EXPECT_EQ(hockey_stick(pair, infinity).upper(), 0);
}

TEST(MultivariateNormal, OneDimensionIsTheNormalPair) {
  const auto pair = DistributionPair::multivariate_normal({3}, {5}, {{16}});
  const auto normal = DistributionPair::normal({3, 4}, {5, 4});
  test::expect_overlap(renyi_divergence(pair, 2.5), renyi_divergence(normal, 2.5));
  test::expect_overlap(total_variation(pair), total_variation(normal));
}

TEST(MultivariateNormal, EqualMeansHaveNoDivergence) {
  const auto pair = DistributionPair::multivariate_normal({1, 2}, {1, 2}, {{1, 0}, {0, 1}});
  EXPECT_EQ(renyi_divergence(pair, infinity).upper(), 0);
  EXPECT_EQ(total_variation(pair).upper(), 0);
}

TEST(MultivariateNormal, TheErrorGrowsWithTheConditionOfTheMatrix) {
  // Hilbert's matrix of size 8 (condition 1.5e10), scaled by lcm(1..15) = 360360 to be exact in double; y = S (1, -1,
  // 1, ...) makes the quadratic form x' y an integer.
  const std::size_t n = 8;
  Rows s(n, std::vector<double>(n));
  std::vector<double> zero(n), y(n);
  long double truth = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) s[i][j] = 360360.0 / static_cast<double>(i + j + 1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i] += (j % 2 == 0 ? 1 : -1) * s[i][j];
    truth += (i % 2 == 0 ? 1 : -1) * static_cast<long double>(y[i]);
  }
  const Bounded got = renyi_divergence(DistributionPair::multivariate_normal(zero, y, s), 2);
  EXPECT_LE(got.lower(), truth);
  EXPECT_GE(got.upper(), truth);
  EXPECT_LE(got.error, 1e-10L * truth);
}

TEST(MultivariateNormal, RefusesWhatIsNoCovariance) {
  const auto path = [](const std::vector<double>& p, const std::vector<double>& q, const Rows& s) {
    try {
      DistributionPair::multivariate_normal(p, q, s);
    } catch (const InvalidArgument& error) {
      return error.path();
    }
    return std::string("nothing thrown");
  };
  const Rows unit{{1, 0}, {0, 1}};
  EXPECT_EQ(path({}, {}, {}), "p");
  EXPECT_EQ(path({0, 0}, {1}, unit), "q");
  EXPECT_EQ(path({0, NAN}, {1, 1}, unit), "p[1]");
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 0}}), "covariance");
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 0}, {0}}), "covariance[1]");
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 0.5}, {0.4, 1}}), "covariance[1][0]");
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 0}, {0, NAN}}), "covariance[1][1]");
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 2}, {2, 1}}), "covariance");  // indefinite
  EXPECT_EQ(path({0, 0}, {1, 1}, {{1, 1}, {1, 1}}), "covariance");  // singular
  EXPECT_EQ(path({0, 0}, {1, 1}, {{-1, 0}, {0, 1}}), "covariance");
}

}  // namespace
}  // namespace renyi::multivariate_normal_test
