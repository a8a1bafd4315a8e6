// The fast curve against slow, plain sums in extended precision: no centring, no
// windows, no scaling tricks; moderate parameters, where these suffice.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::reference_property_test {
namespace {

using test::RandomInputs;

// E_Q[r^power] by the trapezoidal rule with a tiny step over a huge range.
long double plain_moment(long double q, long double s, long double power) {
  const long double h = std::min(s / 12, s * s / 6), low = std::min(0.0L, power) - 14 * s;
  const long double high = std::max(1.0L, power) + 14 * s, norm = h / (s * std::sqrt(2 * 3.14159265358979323846264L));
  long double sum = 0;
  for (long double j = std::floor(low / h); j * h < high; ++j) {
    const long double x = j * h, r = (1 - q) + q * std::exp((2 * x - 1) / (2 * s * s));
    sum += std::exp(power * std::log(r) - x * x / (2 * s * s));
  }
  return norm * sum;
}

TEST(ReferenceProperty, QuadratureMatchesAPlainSum) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-2, 0.999), random.log_uniform(0.5, 4)};
    const double z = random.log_uniform(0.2, 20);
    SCOPED_TRACE(fmt::format("{} z = {}", test::describe(m), z));
    const auto curve = Mechanism(m).curve();
    for (const Direction direction : test::both_directions) {
      const long double power = direction == Direction::remove ? z + 1.0L : -static_cast<long double>(z);
      const long double plain = plain_moment(m.sampling_rate, m.noise_multiplier, power);
      const LogMoment k = curve->log_moment(z, direction);
      // The plain sum knows A to about 1e-17 of itself, and so K absolutely.
      EXPECT_LE(std::abs(k.value - std::log(plain)), k.error + 1e-16L) << test::name_of(direction);
    }
  });
}

// A - 1 = sum_{k>=2} C(a,k) (1-q)^(a-k) q^k (exp((k^2-k)/(2 s^2)) - 1), term by term.
long double plain_binomial_sum(long double q, long double s, int order) {
  long double sum = 0, choose = 1;
  for (int k = 1; k <= order; ++k) {
    choose *= static_cast<long double>(order - k + 1) / k;
    const long double growth = static_cast<long double>(k) * (k - 1) / (2 * s * s);
    sum += choose * std::pow(1 - q, order - k) * std::pow(q, k) * std::expm1(growth);
  }
  return sum;
}

TEST(ReferenceProperty, QuadratureMatchesThePlainBinomialSum) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-80, 0.999), random.log_uniform(0.5, 1e5)};
    const int order = 2 + static_cast<int>(random.below(50));
    SCOPED_TRACE(fmt::format("{} order {}", test::describe(m), order));
    const long double k = std::log1p(plain_binomial_sum(m.sampling_rate, m.noise_multiplier, order));
    test::expect_bounds(rdp(*Mechanism(m).curve(), order), k / (order - 1), 1e-9L, 1e-10L);
  });
}

// Small q: A - 1 -> q^2 a (a-1)/2 (exp(1/s^2) - 1), any real order, both directions.
TEST(ReferenceProperty, RareSamplingIsASecondMoment) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const SampledGaussian m{random.log_uniform(1e-100, 1e-30), random.log_uniform(0.5, 1e6)};
    const double order = random.log_uniform(1, 8);
    SCOPED_TRACE(fmt::format("{} order {}", test::describe(m), order));
    const long double q = m.sampling_rate, s = m.noise_multiplier;
    const long double truth = q * q * order / 2 * std::expm1(1 / (s * s));
    const auto curve = Mechanism(m).curve();
    for (const Direction direction : test::both_directions) {
      EXPECT_NEAR(static_cast<double>(divergence(*curve, order, direction).value / truth), 1, 1e-10);
    }
  });
}

}  // namespace
}  // namespace renyi::reference_property_test
