// Every instruction set's nodes against the definitions, in long double. What the column `noise` allows is all they may
// be off by: the error estimates of the curve rest on it.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "support/simd.h"

namespace renyi::sampled_gaussian::node_kernel_test {
namespace {

using renyi::simd::Target;
using test::available_targets;
using test::exp_rest;
using Real = long double;

struct Exact {
  Real log_q, loss, rho, log_p;

  Exact(const Params& k, Real step, Real x) {
    const Real q = k.q, s2 = static_cast<Real>(k.s) * k.s, t = (2 * x - 1) / (2 * s2);
    const Real log_weight = std::log(step / (k.s * std::sqrt(2 * std::acos(-1.0L))));
    log_q = log_weight - x * x / (2 * s2);
    rho = std::log1p((1 - q) / q * std::exp(-t));
    const Real u = q * std::expm1(t);
    loss = u > -0.5L ? std::log1p(u) : std::log((1 - q) + q * std::exp(t));
    log_p = log_q + loss;
  }
};

// Exponents of smaller weights round by more than the noise; what they add to a sum does not show, or goes by the
// exponent with an error estimate of its own.
constexpr double least_weight = -20;

struct Case {
  double q, s;
};
constexpr Case cases[] = {{0.01, 1.1}, {1e-6, 0.6}, {0.3, 5},    {0.5, 0.2},         {1e-100, 2},
                          {0.9, 1},    {1e-3, 30},  {0.02, 1e4}, {1 - 0x1p-52, 0.7}, {1e-9, 0.05}};

void expect_close(double value, Real exact, double noise, const char* column, double x) {
  EXPECT_LE(std::abs(value - exact), noise * 0x1p-53L * std::abs(exact) + 1e-320L) << column << " at x = " << x;
}

TEST(NodeKernel, NodesAreThoseOfTheDefinitionWithinTheirNoise) {
  int compared = 0;
  for (const Target target : available_targets()) {
    for (const auto& [q, s] : cases) {
      SCOPED_TRACE(testing::Message() << "target " << static_cast<int>(target) << ", q = " << q << ", s = " << s);
      const Params k(q, s);
      const Lattice lattice(k, Lattices(k).base_step());
      for (long c = -4; c < 8; ++c) {
        Chunk chunk{};
        fill_nodes_for(target)(k, lattice.step(), lattice.log_weight(), c * Chunk::size, chunk);
        for (std::size_t i = 0; i < Chunk::size; ++i) {
          const double x = chunk.x(i), noise = chunk.noise(i);
          ASSERT_EQ(x, static_cast<double>(c * Chunk::size + static_cast<long>(i)) * lattice.step());
          const Exact exact(k, lattice.step(), x);
          expect_close(chunk.log_q(i), exact.log_q, 8, "log_q", x);
          expect_close(chunk.loss[i], exact.loss, noise, "loss", x);
          if (x > k.crossing && chunk.rho[i] != 0) expect_close(chunk.rho[i], exact.rho, noise, "rho", x);
          if (x > k.crossing && chunk.rho[i] == 0) {
            EXPECT_LT(exact.rho, 1e-17L);
          }
          if (exact.log_q > least_weight) {
            expect_close(chunk.q[i], std::exp(exact.log_q), noise, "q", x);
            expect_close(chunk.centred_q[i], std::exp(exact.log_q) * exp_rest(exact.loss), noise, "centred_q", x);
          }
          if (exact.log_q > least_weight || (exact.log_p > least_weight && chunk.rho[i] == 0)) {
            expect_close(chunk.p[i], std::exp(exact.log_p), noise, "p", x);
            expect_close(chunk.centred_p[i], std::exp(exact.log_p) * exp_rest(-exact.loss), noise, "centred_p", x);
          }
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 10 * 12 * Chunk::size);
}

TEST(NodeKernel, TheProcessorsVersionIsOneOfThem) {
  const Params k(0.01, 1.1);
  Chunk one{}, other{};
  fill_nodes(k, 0.25, -1.5, -8, one);
  fill_nodes_for(renyi::simd::best_target())(k, 0.25, -1.5, -8, other);
  EXPECT_EQ(one.loss, other.loss);
  EXPECT_EQ(one.centred_p, other.centred_p);
}

}  // namespace
}  // namespace renyi::sampled_gaussian::node_kernel_test
