// Tail probabilities of sums of noises against formulas, direct sums and draws.
#include "accuracy/tail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "accuracy/contour.h"
#include "accuracy/noise_sum.h"
#include "renyi/accuracy.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::noise_error::tail_test {
namespace {

// The value, computed directly, lies in the interval, whose relative width is at most `width`.
void expect_holds(const Interval& interval, Real direct, double width) {
  const Real slack = 1e-15L * direct;
  EXPECT_LE(interval.lower, direct + slack);
  EXPECT_GE(interval.upper, direct - slack);
  EXPECT_LE(interval.upper - interval.lower, width * interval.upper + 0x1p-1072) << static_cast<double>(direct);
}

Interval by_contour(const NoiseSum& sum, Real t) {
  return Contour(sum, t, [](Real) {}).two_sided(t, 0);
}

Real normal_upper(Real x) { return std::erfc(x / std::sqrt(2.0L)) / 2; }

// The masses of a symmetric law on the integers at -reach, ..., reach.
using Masses = std::vector<Real>;
constexpr int reach = 400;

template <class Weight>
Masses masses_of(const Weight& weight) {
  Masses masses;
  Real total = 0;
  for (int x = -reach; x <= reach; ++x) total += weight(std::abs(x));
  for (int x = -reach; x <= reach; ++x) masses.push_back(weight(std::abs(x)) / total);
  return masses;
}

Masses discrete_gaussian(Real s) {
  return masses_of([s](int x) { return std::exp(-static_cast<Real>(x) * static_cast<Real>(x) / (2 * s * s)); });
}
Masses discrete_laplace(Real b) {
  return masses_of([b](int x) { return std::exp(-static_cast<Real>(x) / b); });
}
// The difference of two Poisson variables, by their sum over the smaller one.
Masses skellam(Real variance) {
  return masses_of([half = variance / 2](int x) {
    Real sum = 0;
    for (int k = 0; k <= 200; ++k) {
      sum += std::exp((2 * k + x) * std::log(half) - std::lgamma(k + 1.0L) - std::lgamma(k + x + 1.0L));
    }
    return sum;
  });
}

Masses sum_of(const Masses& a, const Masses& b) {
  Masses sum(a.size(), 0);
  for (int x = -reach; x <= reach; ++x) {
    for (int y = std::max(-reach, x - reach); y <= std::min(reach, x + reach); ++y) {
      sum[static_cast<std::size_t>(x + reach)] +=
          a[static_cast<std::size_t>(y + reach)] * b[static_cast<std::size_t>(x - y + reach)];
    }
  }
  return sum;
}

Real beyond(const Masses& masses, int t) {
  Real tail = 0;
  for (int x = reach; x > t; --x) tail += 2 * masses[static_cast<std::size_t>(x + reach)];
  return tail;
}

void expect_masses(const Plan& plan, const Masses& masses, double width, int last) {
  const NoiseSum sum(plan);
  Tails tails(sum);
  for (int t = 0; t <= last; t += 1 + t / 4) {
    expect_holds(tails.beyond(t), beyond(masses, t), width);
    expect_holds(tails.beyond(t + 0.75), beyond(masses, t), width);
  }
}

TEST(Tails, NormalIsTheErrorFunction) {
  const NoiseSum sum(Plan().add(Gaussian{3}, 4).add(Gaussian{8}));
  Tails tails(sum);
  EXPECT_EQ(tails.method(), AccuracyMethod::closed_form);
  for (const double t : {0.01, 1.0, 9.0, 30.0, 100.0, 300.0}) {
    expect_holds(tails.beyond(t), 2 * normal_upper(t / 10.0L), 4e-14);
    expect_holds(by_contour(sum, t), 2 * normal_upper(t / 10.0L), 1e-12);
  }
  EXPECT_EQ(tails.beyond(0), (Interval{1, 1}));
  EXPECT_EQ(tails.beyond(1e6), (Interval{0, 0x1p-1074}));
}

TEST(Tails, LaplaceSumsAreErlangMixtures) {
  for (const double x : {1e-3, 0.5, 3.0, 20.0, 200.0}) {
    const Real decay = std::exp(-static_cast<Real>(x));
    const NoiseSum one(Plan().add(Laplace{5})), two(Plan().add(Laplace{5}, 2)), three(Plan().add(Laplace{5}, 3));
    expect_holds(Tails(one).beyond(5 * x), decay, 1e-14);
    expect_holds(Tails(two).beyond(5 * x), decay * (1 + x / 2.0L), 1e-14);
    const Real third = decay * (8 + 5.0L * x + static_cast<Real>(x) * x) / 8;
    expect_holds(Tails(three).beyond(5 * x), third, 1e-14);
    expect_holds(by_contour(two, 5 * static_cast<Real>(x)), decay * (1 + x / 2.0L), 1e-8);
    expect_holds(by_contour(three, 5 * static_cast<Real>(x)), third, 1e-9);
  }
}

TEST(Tails, ManyLaplaceNoisesAreTheSameByBothMethods) {
  const NoiseSum sum(Plan().add(Laplace{1}, 400));
  Tails tails(sum);
  EXPECT_EQ(tails.method(), AccuracyMethod::closed_form);
  for (const double t : {1.0, 20.0, 60.0, 200.0, 600.0}) {
    const Interval closed = tails.beyond(t), contour = by_contour(sum, t);
    EXPECT_LE(closed.lower, contour.upper) << t;
    EXPECT_GE(closed.upper, contour.lower) << t;
    EXPECT_LE(contour.upper - contour.lower, 1e-11 * contour.upper) << t;
  }
}

// Two scales: Pr[|S| > t] = (a^2 exp(-t/a) - b^2 exp(-t/b))/(a^2 - b^2).
TEST(Tails, LaplaceNoisesOfTwoScales) {
  for (const double b : {0.9, 0.1, 1e-3}) {
    const NoiseSum sum(Plan().add(Laplace{1}).add(Laplace{b}));
    Tails tails(sum);
    EXPECT_EQ(tails.method(), AccuracyMethod::contour);
    for (const double t : {0.5, 3.0, 30.0}) {
      const Real small = b, at = t;
      const Real direct = (std::exp(-at) - small * small * std::exp(-at / small)) / (1 - small * small);
      expect_holds(tails.beyond(t), direct, 1e-6);
    }
  }
}

// Pr[S > t] = Q(t/s) + (exp(s^2/(2b^2) - t/b) (1 - Q(t/s - s/b)) - exp(s^2/(2b^2) + t/b) Q(t/s + s/b))/2.
TEST(Tails, LaplaceAndGaussian) {
  for (const double s : {0.05, 1.0, 6.0}) {
    const NoiseSum sum(Plan().add(Laplace{2}).add(Gaussian{s}));
    Tails tails(sum);
    for (const double t : {0.5, 4.0, 20.0}) {
      const Real x = t / static_cast<Real>(s), r = s / 2.0L, lift = r * r / 2, slope = t / 2.0L;
      const Real near = std::exp(lift - slope) * normal_upper(r - x),
                 far = std::exp(lift + slope) * normal_upper(x + r);
      const Interval found = tails.beyond(t);
      const Real direct = 2 * normal_upper(x) + near - far;
      EXPECT_LE(found.lower, direct * (1 + 1e-13L));
      EXPECT_GE(found.upper, direct * (1 - 1e-13L));
      EXPECT_LE(found.upper - found.lower, 1e-7 * found.upper);
    }
  }
}

TEST(Tails, SingleNoisesOnTheIntegers) {
  for (const double s : {0.3, 0.99, 1.0, 2.5, 20.0}) {
    expect_masses(Plan().add(DiscreteGaussian{s, 1}), discrete_gaussian(s), 1e-12, s < 1 ? 6 : 100);
  }
  for (const double b : {0.2, 3.0}) expect_masses(Plan().add(DiscreteLaplace{b, 1}), discrete_laplace(b), 1e-14, 80);
  for (const double v : {0.1, 10.0}) expect_masses(Plan().add(Skellam{v, 1}), skellam(v), 1e-12, 20);
}

TEST(Tails, SumsOnTheIntegersAreConvolutions) {
  const Masses two = sum_of(discrete_laplace(3), discrete_laplace(3));
  expect_masses(Plan().add(DiscreteLaplace{3, 1}, 2), two, 1e-9, 150);
  const Masses all = sum_of(sum_of(two, discrete_gaussian(2.5)), sum_of(skellam(10), discrete_gaussian(0.4)));
  Plan mixed;
  mixed.add(DiscreteLaplace{3, 1}, 2).add(DiscreteGaussian{2.5, 1}).add(Skellam{10, 1}).add(DiscreteGaussian{0.4, 1});
  expect_masses(mixed, all, 1e-9, 150);
  // The sensitivity does not matter.
  expect_masses(Plan().add(DiscreteLaplace{3, 1}).add(DiscreteLaplace{3, 2}), two, 1e-9, 60);
}

TEST(Tails, WholeNumbersAndRealNumbersTogether) {
  const Masses masses = sum_of(discrete_gaussian(2), discrete_laplace(1.5));
  const NoiseSum sum(Plan().add(DiscreteGaussian{2, 1}).add(DiscreteLaplace{1.5, 1}).add(Gaussian{0.75}));
  Tails tails(sum);
  for (const double t : {0.25, 1.0, 4.5, 15.0}) {
    Real direct = 0;
    for (int d = -reach; d <= reach; ++d) {
      direct += 2 * masses[static_cast<std::size_t>(d + reach)] * normal_upper((t - d) / 0.75L);
    }
    expect_holds(tails.beyond(t), direct, 1e-10);
  }
}

// A sum of many noises is close to a normal law, by the Berry-Esseen theorem.
TEST(Tails, ManyNoisesAreNearlyNormal) {
  for (const Mechanism& noise : {Mechanism(Laplace{1}), Mechanism(DiscreteGaussian{0.5, 1}), Mechanism(Skellam{3, 1}),
                                 Mechanism(DiscreteLaplace{1, 1})}) {
    const NoiseSum sum(Plan().add(noise, 100'000'000));
    Tails tails(sum);
    const double stddev = static_cast<double>(std::sqrt(sum.variance()));
    for (const double x : {0.5, 2.0, 4.0}) {
      const Interval found = tails.beyond(x * stddev);
      EXPECT_NEAR(found.upper, static_cast<double>(2 * normal_upper(x)), 3e-4) << noise.kind();
      EXPECT_LE(found.upper - found.lower, 1e-6 * found.upper) << noise.kind();
    }
  }
}

TEST(Tails, DrawsAgree) {
  Plan plan;
  plan.add(Gaussian{1}).add(Laplace{1.5}, 2).add(DiscreteLaplace{2, 1}).add(Skellam{6, 1}).add(DiscreteGaussian{2, 1});
  const NoiseSum sum(plan);
  Tails tails(sum);
  std::mt19937_64 random(5);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same draws every time
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential(1 / 1.5);
  std::geometric_distribution<int> geometric(-std::expm1(-0.5));
  std::poisson_distribution<int> poisson(3);
  std::vector<double> weights;
  for (int x = -30; x <= 30; ++x) weights.push_back(std::exp(-x * x / 8.0));
  std::discrete_distribution<int> gaussian(weights.begin(), weights.end());
  constexpr int draws = 200'000;
  std::vector<double> errors;
  for (int i = 0; i < draws; ++i) {
    double error = normal(random) + geometric(random) - geometric(random) + poisson(random) - poisson(random);
    for (int k = 0; k < 2; ++k) error += exponential(random) - exponential(random);
    errors.push_back(std::abs(error + gaussian(random) - 30));
  }
  for (const double t : {1.0, 4.0, 9.0, 14.0}) {
    double above = 0;
    for (const double error : errors) above += error > t ? 1 : 0;
    const double expected = tails.beyond(t).upper;
    EXPECT_NEAR(above / draws, expected, 5 * std::sqrt(expected / draws)) << t;
  }
}

TEST(Tails, RefusesWhatIsTooLongOrTooMany) {
  const NoiseSum sum(Plan().add(DiscreteGaussian{1e6, 1}).add(Gaussian{1e-6}));
  EXPECT_THROW(static_cast<void>(Tails(sum).beyond(1e6)), Unsupported);
  const NoiseSum too_many(Plan().add(DiscreteGaussian{0.9, 1}, 1'000'000'000'000'000));
  EXPECT_THROW(static_cast<void>(Tails(too_many).beyond(1e7)), Unsupported);
}

}  // namespace
}  // namespace renyi::noise_error::tail_test
