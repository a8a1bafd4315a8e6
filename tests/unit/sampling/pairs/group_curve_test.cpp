// Groups of records: sums over all their members at orders 2 and 3, and integrals straight from the densities.
#include <gtest/gtest.h>

#include "mechanism/monotone/pairs_curve.h"
#include "renyi/error.h"
#include "sampling/pairs/gaussian_pair.h"
#include "support/expect.h"
#include "support/line_pair.h"

namespace renyi::test::group_curve_test {
namespace {

using monotone::PairsCurve;
using monotone::Reading;
using sampling::gaussian_pair;
using sampling::opposite_gaussian_pair;

PairsCurve group(double q, double s, std::int64_t k) {
  return PairsCurve({{1, gaussian_pair({q, s, k}, Reading::one_sided)}}, Knowledge::loss);
}
PairsCurve opposite(double q, double s, std::int64_t k) {
  return PairsCurve({{1, opposite_gaussian_pair({q, s, k})}}, Knowledge::loss);
}

// E_Q[r^2] - 1 = sum_ij w_i w_j (exp(ij/s^2) - 1).
Real second_order(const std::vector<Real>& w, Real s) {
  Real sum = 0;
  for (std::size_t i = 1; i < w.size(); ++i) {
    for (std::size_t j = 1; j < w.size(); ++j) sum += w[i] * w[j] * std::expm1(static_cast<Real>(i * j) / (s * s));
  }
  return sum;
}

// E_Q[r^3] - 1 = sum_ijk w_i w_j w_k (exp((ij + jk + ki)/s^2) - 1).
Real third_order(const std::vector<Real>& w, Real s) {
  Real sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      for (std::size_t k = 0; k < w.size(); ++k) {
        sum += w[i] * w[j] * w[k] * std::expm1(static_cast<Real>(i * j + j * k + k * i) / (s * s));
      }
    }
  }
  return sum;
}

TEST(PairsOfGroups, AreFiniteSumsAtWholeOrders) {
  for (const std::size_t k : {2U, 3U, 8U, 50U}) {
    for (const double q : {1e-60, 1e-5, 0.01, 0.4, 0.95}) {
      for (const double s : {0.7, 2.0, 10.0, 300.0}) {
        SCOPED_TRACE(testing::Message() << k << ' ' << q << ' ' << s);
        const auto weights = binomial_weights(k, q);
        const PairsCurve curve = group(q, s, static_cast<std::int64_t>(k));
        expect_bounds(value_of(curve.log_moment(1, Direction::remove)), std::log1p(second_order(weights, s)), 1e-10L,
                      2e-12L);
        if (k > 8) continue;
        expect_bounds(value_of(curve.log_moment(2, Direction::remove)), std::log1p(third_order(weights, s)), 1e-10L,
                      2e-12L);
      }
    }
  }
}

TEST(PairsOfGroups, MayBeLarge) {
  for (const std::size_t k : {500U, 2000U}) {
    for (const double q : {1e-4, 0.01, 0.5}) {
      const double s = 0.02 * static_cast<double>(k);
      SCOPED_TRACE(testing::Message() << k << ' ' << q);
      const PairsCurve curve = group(q, s, static_cast<std::int64_t>(k));
      // Weights below 1e-1200 are outweighed by exp(ij/s^2) <= exp(2500) nowhere.
      auto weights = binomial_weights(k, q);
      while (weights.back() < 1e-1200L) weights.pop_back();
      const Bounded second = value_of(curve.log_moment(1, Direction::remove));
      expect_bounds(second, std::log1p(second_order(weights, s)), 1e-10L, 2e-12L);
    }
  }
}

TEST(PairsOfGroups, AreTheirIntegrals) {
  for (const std::size_t k : {2U, 5U}) {
    for (const double q : {0.02, 0.5}) {
      for (const double s : {0.6, 3.0}) {
        const PairsCurve curve = group(q, s, static_cast<std::int64_t>(k));
        for (const double z : {0.5, 2.5, 11.0}) {
          SCOPED_TRACE(testing::Message() << k << ' ' << q << ' ' << s << ' ' << z);
          const LinePair line = normal_group(q, s, k, z + 1);
          expect_bounds(value_of(curve.log_moment(z, Direction::remove)), std::log1p(line.centred(z)), 1e-10L, 2e-12L);
          const Real added = std::log1p(line.integral<Real>([&](Real x) {
            const Real l = line.loss(x);
            return std::exp(line.log_q(x)) * (std::expm1(-z * l) + static_cast<Real>(z) * std::expm1(l));
          }));
          expect_bounds(value_of(curve.log_moment(z, Direction::add)), added, 1e-10L, 2e-12L);
        }
        const LinePair line = normal_group(q, s, k, 2);
        for (const Direction d : both_directions) {
          const LinePair side = d == Direction::remove ? line : line.swapped();
          const Real mean = side.loss_moment(1), second = side.loss_moment(2), third = side.loss_moment(3);
          const Cumulants c = curve.cumulants(d);
          EXPECT_NEAR(c.mean, static_cast<double>(mean), c.mean_error + 1e-15 * c.mean);
          EXPECT_NEAR(c.variance, static_cast<double>(second - mean * mean), c.variance_error + 1e-13 * c.variance);
          const Real central = third - 3 * mean * second + 2 * mean * mean * mean;
          EXPECT_NEAR(c.third, static_cast<double>(central), c.third_error + 1e-12 * static_cast<double>(second));
        }
      }
    }
  }
}

TEST(OppositePairs, AreTheirIntegrals) {
  for (const std::size_t k : {1U, 2U, 6U}) {
    for (const double q : {1e-3, 0.05, 0.5, 0.97}) {
      for (const double s : {0.5, 1.0, 6.0}) {
        const PairsCurve curve = opposite(q, s, static_cast<std::int64_t>(k));
        EXPECT_TRUE(curve.is_symmetric());
        for (const double z : {0.1, 1.0, 4.5}) {
          SCOPED_TRACE(testing::Message() << k << ' ' << q << ' ' << s << ' ' << z);
          const LinePair line = opposite_group(q, s, k, z + 1);
          const Real truth = std::log1p(line.symmetric_centred<Real>(z));
          expect_bounds(value_of(curve.log_moment(z, Direction::remove)), truth, 1e-10L, 2e-12L);
          EXPECT_EQ(curve.log_moment(z, Direction::add).value, curve.log_moment(z, Direction::remove).value);
        }
      }
    }
  }
}

// Order 2 of the opposite pair over the whole line: both ways of reading it are the same.
TEST(OppositePairs, AreReadAsOneSidedToo) {
  const double q = 0.2, s = 0.8;
  LinePair line = opposite_group(q, s, 1, 3);
  line.cuts = {-14 * s - 3, 14 * s + 3};
  const PairsCurve curve = opposite(q, s, 1);
  expect_bounds(value_of(curve.log_moment(1, Direction::remove)), std::log(line.moment<Real>(1)), 1e-10L, 1e-12L);
  expect_bounds(slope_of(curve.log_moment(0, Direction::remove)), line.loss_moment(1), 1e-10L, 1e-12L);
  const auto complex_truth = std::log(line.moment<std::complex<Real>>({1.5L, 2.0L}));
  const ComplexLogMoment k = curve.log_moment(std::complex{1.5, 2.0}, Direction::add);
  const std::complex<double> truth(static_cast<double>(complex_truth.real()),
                                   static_cast<double>(complex_truth.imag()));
  EXPECT_LE(std::abs(k.value - truth), k.error + 1e-15);
  EXPECT_LE(k.error, 1e-11);
}

TEST(OppositePairs, LieBetweenTheGroupAndTwiceItsDistance) {
  for (const double q : {1e-80, 1e-3, 0.3, 0.99}) {
    for (const double s : {0.3, 1.0, 30.0}) {
      for (const double z : {0.0, 1.0, 10.0, 1e4, 1e9, 1e30}) {
        SCOPED_TRACE(testing::Message() << q << ' ' << s << ' ' << z);
        const LogMoment apart = opposite(q, s, 2).log_moment(z, Direction::remove);
        const LogMoment one = group(q, s, 2).log_moment(z, Direction::remove);
        if (z > 0) {
          // Post-processing would undo it: a mixture moved both ways is worse than one moved one way.
          expect_not_above(value_of(one), value_of(apart));
          EXPECT_LE(apart.value - apart.error, 0.5 * z * (z + 1) * 16 / s / s * (1 + 1e-12));
        } else {
          expect_not_above(slope_of(one), slope_of(apart));
        }
      }
    }
  }
}

TEST(PairsOfGroups, GrowWithTheRateTheGroupAndTheSignal) {
  for (const double z : {0.3, 2.0, 40.0}) {
    for (const Direction d : both_directions) {
      double before = 0;
      for (const double q : {1e-30, 1e-3, 0.2, 0.9}) {
        const LogMoment k = group(q, 1.5, 4).log_moment(z, d);
        EXPECT_GT(k.value - k.error, before);
        before = k.value + k.error;
      }
      before = 0;
      for (const std::int64_t size : {2, 3, 10, 40}) {
        const LogMoment k = group(0.1, 1.5, size).log_moment(z, d);
        EXPECT_GT(k.value - k.error, before);
        before = k.value + k.error;
      }
      before = 0;
      for (const double s : {50.0, 5.0, 1.0, 0.2}) {
        const LogMoment k = group(0.1, s, 4).log_moment(z, d);
        EXPECT_GT(k.value - k.error, before);
        before = k.value + k.error;
      }
    }
  }
}

// Weights of e^-4000 under a tilt of e^4000: P and Q are so far apart that the mean is that of the signal.
TEST(PairsOfGroups, MayBeFarAway) {
  for (const PairsCurve& curve : {group(0.5, 10, 10000), opposite(0.5, 10, 10000)}) {
    const LogMoment k = curve.log_moment(0, Direction::remove);
    EXPECT_LE(k.slope_error, 1e-11 * k.slope);
  }
  // E[L] = E_P[ln P] - E_P[ln Q]; P is nearly N(5000, 100 + 2500), whose entropy it has up to 1e-4.
  const double mean = (5000.0 * 5000.0 + 2600) / 200 - 0.5 - 0.5 * std::log(26.0);
  EXPECT_NEAR(group(0.5, 10, 10000).log_moment(0, Direction::remove).slope, mean, 1e-3);
}

// Thousands of narrow peaks: bounds, which hold what the mean of the loss must be.
TEST(PairsOfGroups, FallBackToBounds) {
  const double q = 0.5, s = 0.05;
  const PairsCurve curve = group(q, s, 10000);
  const LogMoment at_zero = curve.log_moment(0, Direction::remove), near = curve.log_moment(1e-9, Direction::remove);
  // Peaks 20 deviations apart: the loss is ln w_i + (i x - i^2/2)/s^2, of mean -H(w) + E[i^2]/(2 s^2) up to e^-50.
  const double mean = (2500 + 5000.0 * 5000.0) * 0.5 / (s * s);
  EXPECT_GE(at_zero.slope + at_zero.slope_error, mean);
  EXPECT_GE(near.value + near.error, 1e-9 * mean * (1 - 1e-6));
  EXPECT_GE(near.slope + near.slope_error, mean);
  const LogMoment served = curve.log_moment(1, Direction::remove);
  EXPECT_LE(served.error, 1e-9 * served.value);
}

TEST(PairsOfGroups, ServeEveryOrder) {
  for (const std::int64_t size : {2, 100, 10000}) {
    for (const double q : {1e-100, 0.5}) {
      for (const double s : {1e-4, 1.0, 1e6}) {
        for (const bool apart : {false, true}) {
          const PairsCurve curve = apart ? opposite(q, s, size) : group(q, s, size);
          for (const Direction d : both_directions) {
            for (const double z : {0.0, 1e-15, 1.0, 1e5, 1e20, 1e100}) {
              SCOPED_TRACE(testing::Message() << size << ' ' << q << ' ' << s << ' ' << z << ' ' << apart);
              const LogMoment k = curve.log_moment(z, d);
              EXPECT_TRUE(std::isfinite(k.value) && std::isfinite(k.error) && std::isfinite(k.slope));
              EXPECT_GE(k.value, 0);
              EXPECT_GT(k.slope, 0);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace renyi::test::group_curve_test
