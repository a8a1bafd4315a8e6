// One curve, several threads: the lattice is filled on first use, and everybody
// has to see the same numbers.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "conversion/renyi_bound.h"
#include "renyi/rdp.h"

namespace renyi::concurrency_test {
namespace {

Plan plan() {
  return Plan()
      .add(SampledGaussian{0.01, 1.1}, 1000)
      .add(SampledGaussian{0.3, 4}, 10)
      .add(Laplace{5}, 3)
      .add(Gaussian{9});
}

// Values at many points, visited from a starting place of its own.
std::vector<double> visit(const Curve& curve, std::size_t start) {
  constexpr std::size_t points = 60;
  std::vector<double> values(4 * points);
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t at = (start + i) % points;
    const double z = 0.05 * static_cast<double>(at * at) + 0.01;
    const Direction direction = at % 2 == 0 ? Direction::remove : Direction::add;
    const LogMoment k = curve.log_moment(z, direction);
    const ComplexLogMoment off = curve.log_moment(std::complex<double>(z, 0.5 * static_cast<double>(at)), direction);
    values[4 * at] = k.value;
    values[4 * at + 1] = k.slope;
    values[4 * at + 2] = off.value.real();
    values[4 * at + 3] = off.value.imag();
  }
  return values;
}

TEST(Concurrency, ThreadsSharingACurveGetTheSameBits) {
  const std::vector<double> alone = visit(*compose(plan()), 0);
  for (int round = 0; round < 3; ++round) {
    const auto shared = compose(plan());
    std::vector<std::vector<double>> seen(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < seen.size(); ++t) {
      threads.emplace_back([&, t] { seen[t] = visit(*shared, 15 * t); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& values : seen) EXPECT_EQ(values, alone);
  }
}

TEST(Concurrency, ThreadsAskingForEpsilonGetTheSameBits) {
  const auto shared = compose(plan());
  const double alone = renyi_epsilon(plan(), 1e-5).upper;
  std::vector<double> seen(4);
  std::vector<std::thread> threads;
  for (double& epsilon : seen) threads.emplace_back([&] { epsilon = renyi_epsilon(*shared, 1e-5).upper; });
  for (std::thread& thread : threads) thread.join();
  for (const double epsilon : seen) EXPECT_EQ(epsilon, alone);
}

}  // namespace
}  // namespace renyi::concurrency_test
