#include "mechanism/sampled_gaussian/lattice.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "mechanism/sampled_gaussian/order.h"
#include "mechanism/sampled_gaussian/quadrature.h"

namespace renyi::sampled_gaussian::sampled_gaussian_lattice_test {
namespace {

TEST(Params, TheTwoPartsAreEqualAtTheCrossing) {
  for (const double q : {1e-6, 0.3, 0.9}) {
    const Params k(q, 1.5);
    EXPECT_NEAR(k.membership(k.crossing), 0.5, 1e-12);
    EXPECT_NEAR(k.membership(0.5), q, 1e-12);  // N(0) and N(1) are equal at 1/2
  }
}

TEST(Lattice, WeightsSumToProbabilityOne) {
  const Params params(0.2, 1);
  const Lattice lattice(params, 0.125);
  double p = 0, q = 0;
  Chunk scratch{};
  for (long c = -8; c < 8; ++c) {
    const Chunk& chunk = lattice.chunk(c, scratch);
    for (std::size_t i = 0; i < Chunk::size; ++i) {
      p += chunk.p[i];
      q += chunk.q[i];
      EXPECT_NEAR(chunk.p[i], chunk.q[i] * std::exp(chunk.loss[i]), 1e-14 * chunk.p[i] + 1e-300);
    }
  }
  EXPECT_NEAR(p, 1, 1e-13);
  EXPECT_NEAR(q, 1, 1e-13);
}

TEST(Lattice, ChunksNearAndFarHoldTheirNodes) {
  const Lattice lattice(Params(0.2, 1), 0.125);
  Chunk scratch{};
  for (const long c : {-1000L, -1L, 0L, 5L, 1000L}) {
    const Chunk& chunk = lattice.chunk(c, scratch);
    EXPECT_EQ(chunk.x(0), static_cast<double>(c * Chunk::size) * 0.125);
  }
  EXPECT_EQ(&lattice.chunk(0, scratch), &lattice.chunk(0, scratch));  // kept, not refilled
}

// Whoever comes second while a chunk is being filled computes it for itself.
TEST(Lattice, ThreadsSeeTheSameNodes) {
  const Lattice lattice(Params(0.2, 1), 0.125);
  const Lattice quiet(Params(0.2, 1), 0.125);
  std::vector<std::thread> threads;
  std::atomic<int> differences = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      Chunk scratch{}, other{};
      for (long c = -150; c < 400; ++c) differences += lattice.chunk(c, scratch).p != quiet.chunk(c, other).p;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, 0);
}

TEST(Step, FinerForPhasesThatTurnFaster) {
  const Params k(0.1, 2);
  EXPECT_LT(sufficient_step(k, 100, Direction::remove), sufficient_step(k, 0, Direction::remove));
  EXPECT_EQ(sufficient_step(k, 5, Direction::remove), sufficient_step(k, -5, Direction::remove));
  EXPECT_LT(sufficient_step(k, 5, Direction::add), sufficient_step(k, 5, Direction::remove));
}

// ln of the centred integrand r^a - 1 - a (r-1) under N(0, s^2), up to a constant.
double log_integrand(const Params& k, double a, double x) {
  const double u = k.q * std::expm1((2 * x - 1) * k.inv_2s2), w = std::log1p(u);
  const double log_centred = a * w > 30 ? a * w : std::log(std::expm1(a * w) - a * u);
  return log_centred - x * x * k.inv_2s2;
}

TEST(Windows, PeaksLieWhereTheIntegrandIsLarge) {
  for (const double s : {0.5, 1.0, 3.0}) {
    for (const double a : {3.0, 10.0, 60.0}) {
      const Params k(0.05, s);
      const Peaks peaks = peaks_above_one(k, a);
      double best = -1e300, where = 0;
      for (double x = 0.5 + s / 4; x < a + 8 * s; x += s / 64) {
        const double size = log_integrand(k, a, x);
        if (size > best) {
          best = size;
          where = x;
        }
      }
      const double off = std::min(std::abs(peaks.right - where), std::abs(peaks.upper.value_or(1e300) - where));
      EXPECT_LE(off, 2 * s) << "s = " << s << ", a = " << a;
      EXPECT_LT(peaks.left, 0.5);
    }
  }
}

}  // namespace
}  // namespace renyi::sampled_gaussian::sampled_gaussian_lattice_test
