// The published methods for the Sampled Gaussian beside the quadrature.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mechanism/sampled_gaussian/quadrature.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::methods_agree_test {
namespace {

using Method = SampledGaussianMethod;
using test::expect_overlap;

Bounded by(Method method, const SampledGaussian& m, double order) {
  return sampled_gaussian_divergence(m, order, Direction::remove, method);
}

class Random {
 public:
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform()); }
  double uniform() { return std::uniform_real_distribution<double>()(engine_); }
  SampledGaussian mechanism(double least_rate) { return {log_uniform(least_rate, 0.999), log_uniform(0.3, 30)}; }

 private:
  std::mt19937_64 engine_{4};
};

TEST(MethodsAgree, IntegerSumAndQuadrature) {
  Random random;
  for (int i = 0; i < 400; ++i) {
    const SampledGaussian m = random.mechanism(1e-12);
    const double order = std::floor(random.log_uniform(2, 1000));
    SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
    const Bounded sum = by(Method::integer, m, order);
    expect_overlap(sum, by(Method::quadrature, m, order));
    EXPECT_LE(sum.error, 1e-10 * sum.value);
  }
}

TEST(MethodsAgree, SeriesAndQuadrature) {
  Random random;
  int answered = 0;
  for (int i = 0; i < 150; ++i) {
    const SampledGaussian m = random.mechanism(1e-4);
    const double order = random.log_uniform(1.05, 100);
    SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
    try {
      expect_overlap(by(Method::series, m, order), by(Method::quadrature, m, order));
      ++answered;
    } catch (const NotConverged&) {  // it may say so, it may not be wrong
    }
  }
  EXPECT_GT(answered, 75);
}

TEST(MethodsAgree, AllThreeAtWholeOrders) {
  Random random;
  int answered = 0;
  for (int i = 0; i < 100; ++i) {
    const SampledGaussian m = random.mechanism(1e-3);
    const double order = std::floor(random.log_uniform(2, 64));
    SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
    try {
      const Bounded series = by(Method::series, m, order);
      expect_overlap(series, by(Method::integer, m, order));
      expect_overlap(series, by(Method::quadrature, m, order));
      ++answered;
    } catch (const NotConverged&) {
    }
  }
  EXPECT_GT(answered, 50);
}

TEST(MethodsAgree, TheClosedFormIsNeverBelow) {
  Random random;
  int answered = 0;
  for (int i = 0; i < 600; ++i) {
    const SampledGaussian m{random.log_uniform(1e-8, 0.3), random.log_uniform(3, 300)};
    const double order = random.log_uniform(1.0001, 300);
    SCOPED_TRACE(test::describe(m) + " order " + std::to_string(order));
    if (!closed_form_obstacle(m, order).empty()) {
      EXPECT_THROW(by(Method::closed_form, m, order), Unsupported);
      continue;
    }
    ++answered;
    EXPECT_GE(by(Method::closed_form, m, order).upper(), by(Method::quadrature, m, order).lower());
  }
  EXPECT_GT(answered, 200);
}

// The complex quadrature against the same sum on a lattice twice as fine.
TEST(MethodsAgree, AFinerLatticeChangesNothing) {
  using namespace sampled_gaussian;
  Random random;
  for (int i = 0; i < 150; ++i) {
    const SampledGaussian m = random.mechanism(1e-8);
    const Params params(m.sampling_rate, m.noise_multiplier);
    const std::complex<double> z(random.log_uniform(1e-3, 300), random.log_uniform(0.01, 200));
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(test::describe(m) + " " + test::name_of(direction) + " z = " + std::to_string(z.real()) + " + " +
                   std::to_string(z.imag()) + "i");
      const double step = sufficient_step(params, z.imag(), direction);
      const ComplexLogMoment fine = moment_on(Lattice(params, step / 2), z, direction);
      try {
        const ComplexLogMoment usual = Mechanism(m).curve()->log_moment(z, direction);
        const double turns = std::remainder(fine.value.imag() - usual.value.imag(), 2 * M_PI);
        EXPECT_LE(std::hypot(fine.value.real() - usual.value.real(), turns), fine.error + usual.error);
      } catch (const NotConverged&) {
        // Only where the moment itself is lost beside the real one's rounding.
        EXPECT_FALSE(fine.error < 0.5);
      }
      const Lattice real(params, sufficient_step(params, 0, direction) / 2);
      expect_overlap(test::value_of(moment_on(real, z.real(), direction)),
                     test::value_of(Mechanism(m).curve()->log_moment(z.real(), direction)));
    }
  }
}

}  // namespace
}  // namespace renyi::methods_agree_test
