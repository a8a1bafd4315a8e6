// Noise on the integers on a Poisson sample, in each direction by itself, beside sums in long double.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi {
namespace {

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
      const ExactAccountant accountant(Plan().add(noise.sampled_by(Sampling::poisson(rate))));
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
}  // namespace renyi
