// Weights of tilted nodes and moments of buckets, for every instruction set there is, against plain formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/line.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "numerics/rounding.h"

namespace renyi::test::tilted_chunk_test {

namespace {

using namespace sampled_gaussian;  // NOLINT(google-build-using-namespace): all of one small room
using renyi::simd::Target;

constexpr double ulp = numerics::unit_roundoff;

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target target : {Target::baseline, Target::avx2, Target::avx3}) {
    if (target <= renyi::simd::best_target()) all.push_back(target);
  }
  return all;
}

template <Direction direction>
void expect_plain_weights(Target target, const Lattice& lattice, double c, long at) {
  const Params& k = lattice.params();
  const Order order = make_order(lattice, c, direction, peaks_of(k, c, direction));
  const double log_mass = moment_on(lattice, c, direction).value;
  const Tilt tilt{order, k, direction, log_mass, lattice.step()};
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  const Chunk& chunk = lattice.chunk(at, scratch);
  TiltedChunk tilted{};
  TiltedMoments moments;
  tilt_chunk(target, tilt, chunk, tilted, moments);
  double mass = 0, second = 0, noise = 0;
  for (std::size_t i = 0; i < Chunk::size; ++i) {
    const Exponent e = exponent<direction>(order, k, chunk, i);
    const double weight = std::exp(e.value + order.shift - log_mass), loss = chunk.loss[i];
    const double allowed = (e.noise + 16 + 4 * std::abs(order.shift - log_mass)) * ulp * weight + 1e-300;
    EXPECT_NEAR(tilted.weight[i], weight, allowed) << "node " << i << " of chunk " << at;
    EXPECT_EQ(tilted.loss[i], direction == Direction::remove ? loss : -loss);
    const double density = weight / (k.membership(chunk.x(i)) * 2 * k.inv_2s2 * lattice.step());
    if (weight > 0 && std::isfinite(density)) {
      EXPECT_NEAR(tilted.density[i], density, 1e-10 * density) << "node " << i;
    }
    mass += weight;
    second += weight * loss * loss;
    noise += weight * (e.noise + chunk.noise(i) + 16);
  }
  EXPECT_NEAR(moments.moment[0], mass, 1e-11 * mass);
  EXPECT_NEAR(moments.moment[2], second, 1e-11 * second);
  EXPECT_NEAR(moments.noise[0], noise, 1e-11 * noise);
}

TEST(TiltedChunk, HasThePlainWeights) {
  for (const Target target : targets()) {
    for (const auto& [q, s] : {std::pair{0.01, 1.1}, {0.5, 0.6}, {1e-6, 8.0}}) {
      const Lattice lattice(Params(q, s), s / 8);
      for (const double c : {0.3, 4.0, 30.0}) {
        for (long chunk = -3; chunk < 6; ++chunk) {
          SCOPED_TRACE(testing::Message() << "q " << q << ", s " << s << ", c " << c);
          expect_plain_weights<Direction::remove>(target, lattice, c, chunk);
          expect_plain_weights<Direction::add>(target, lattice, c, chunk);
        }
      }
    }
  }
}

// About the mean: a variance of 1e-18 beside a loss of -1/2 is not lost.
TEST(TiltedChunk, CentralMomentsKeepSmallVariances) {
  for (const Target target : targets()) {
    for (const std::size_t count : {1u, 6u, 7u, 8u, 9u, 40u}) {
      std::vector<double> loss, weight;
      for (std::size_t i = 0; i < count; ++i) {
        loss.push_back(-0.5 + 1e-9 * static_cast<double>(i * i));
        weight.push_back(1.0 / static_cast<double>(1 + i));
      }
      const CentralMoments found = central_moments(target, loss.data(), weight.data(), count);
      long double mass = 0, sum = 0, m[5] = {0, 0, 0, 0, 0};
      for (std::size_t i = 0; i < count; ++i) {
        mass += weight[i];
        sum += static_cast<long double>(weight[i]) * loss[i];
      }
      for (std::size_t i = 0; i < count; ++i) {
        long double power = weight[i];
        for (long double& each : m) {
          each += power;
          power *= loss[i] - sum / mass;
        }
      }
      EXPECT_NEAR(found.m[0], static_cast<double>(m[0]), 1e-14);
      EXPECT_NEAR(found.m[2] - found.m[1] * found.m[1] / found.m[0], static_cast<double>(m[2]),
                  1e-6 * static_cast<double>(m[2]));
      EXPECT_NEAR(found.m[4], static_cast<double>(m[4]), 1e-5 * static_cast<double>(m[4]) + 1e-60);
    }
  }
}

TEST(TiltedNodes, AreAProbabilityInRisingOrder) {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Lattice lattice(Params(0.02, 0.9), 0.05);
    const double c = 7;
    const double log_mass = moment_on(lattice, c, direction).value;
    const TiltedNodes nodes = tilted_nodes(lattice, c, direction, log_mass);
    ASSERT_FALSE(nodes.loss.empty());
    EXPECT_TRUE(std::is_sorted(nodes.loss.begin(), nodes.loss.end()));
    EXPECT_NEAR(nodes.moment[0], 1, 1e-10);
    EXPECT_EQ(nodes.largest(), std::max(std::abs(nodes.loss.front()), std::abs(nodes.loss.back())));
    // At their ends only what is negligible is missing.
    EXPECT_LT(nodes.weight.front(), 1e-15);
    EXPECT_LT(nodes.weight.back(), 1e-15);
    // The far bound falls, the near one holds at its points.
    const std::vector<Cut> all = cuts(nodes);
    double before = 0;
    for (double y = 0.5; y < 1e4; y *= 3) {
      const double far = far_decay(all, y);
      EXPECT_LE(far, before);
      before = far;
      double re = 0, im = 0;
      for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
        re += nodes.weight[i] * std::cos(1.3 * y * nodes.loss[i]);
        im += nodes.weight[i] * std::sin(1.3 * y * nodes.loss[i]);
      }
      if (y > 10) break;  // beyond this, the lattice does not resolve the phases
      EXPECT_GE(near_decay(nodes, {y, 2 * y}), std::log(std::hypot(re, im)) - 1e-12) << y;
    }
  }
}

}  // namespace

}  // namespace renyi::test::tilted_chunk_test
