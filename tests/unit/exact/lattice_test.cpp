// The lattice engine alone, against enumeration in extended precision and against itself.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi::exact_lattice_test {
namespace {

// P-masses by loss.
using Law = std::map<long double, long double>;

Law response(long double p, int categories) {
  const long double other = (1 - p) / (categories - 1), e = std::log(p / other);
  Law law{{e, p}, {-e, other}};
  if (categories > 2) law[0] = other * (categories - 2);
  return law;
}

Law sum_of(const Law& a, const Law& b) {
  Law sum;
  for (const auto& [l, p] : a) {
    for (const auto& [m, q] : b) sum[l + m] += p * q;
  }
  return sum;
}

long double delta_of(const Law& law, double epsilon) {
  long double sum = 0;
  for (const auto& [l, p] : law) {
    if (l > epsilon) sum += p * -std::expm1(epsilon - l);
  }
  return sum;
}

ExactOptions lattice(double tolerance = 1e-5) { return {.tolerance = tolerance, .engine = Engine::lattice}; }

void expect_inside(const ExactInterval& figure, long double truth, long double width) {
  EXPECT_EQ(figure.engine, Engine::lattice);
  EXPECT_LE(static_cast<long double>(figure.lower), truth);
  EXPECT_GE(static_cast<long double>(figure.upper), truth);
  EXPECT_LE(figure.upper - figure.lower, width * truth);
}

TEST(LatticeEngine, ResponsesAgainstEnumeration) {
  const Law a = response(0.75L, 2), b = response(0.6L, 2), c = response(0.5L, 4);
  Plan plan;
  plan.add(RandomizedResponse{0.75, 2}, 2).add(RandomizedResponse{0.6, 2}).add(RandomizedResponse{0.5, 4});
  const Law law = sum_of(sum_of(a, a), sum_of(b, c));
  for (const double epsilon : {0.0, 0.3, 1.0, 2.5, 3.5}) {
    expect_inside(PrivacyProfile(plan, lattice()).delta(epsilon).worst, delta_of(law, epsilon), 1e-9);
  }
}

TEST(LatticeEngine, PureDpIsTheResponseThatDominatesIt) {
  Plan plan;
  plan.add(PureDp{0.3}, 3).add(PureDp{0.7}, 1);
  const auto of = [](long double e) { return response(std::exp(e) / (1 + std::exp(e)), 2); };
  const Law law = sum_of(sum_of(of(0.3L), of(0.3L)), sum_of(of(0.3L), of(0.7L)));
  for (const double epsilon : {0.0, 0.5, 1.4}) {
    expect_inside(PrivacyProfile(plan, lattice()).delta(epsilon).worst, delta_of(law, epsilon), 1e-9);
  }
}

// One Laplace step has delta 1 - exp((epsilon - e)/2); a response moves epsilon by its loss.
TEST(LatticeEngine, LaplaceWithAResponse) {
  Plan plan;
  plan.add(Laplace{0.8, 1}).add(RandomizedResponse{0.7, 2});
  const auto laplace = [](long double epsilon) -> long double {
    const long double e = 1.25L, x = std::abs(epsilon);
    const long double d = x >= e ? 0 : -std::expm1((x - e) / 2);
    return epsilon >= 0 ? d : 1 - std::exp(epsilon) * (1 - d);
  };
  for (const double epsilon : {0.0, 0.6, 1.1, 1.9}) {
    long double truth = 0;
    for (const auto& [l, p] : response(0.7L, 2)) truth += p * laplace(epsilon - l);
    expect_inside(PrivacyProfile(plan, lattice()).delta(epsilon).worst, truth, 1.01e-5);
  }
}

TEST(LatticeEngine, GaussiansOfAnyKindAreOne) {
  Plan plan;
  plan.add(Gaussian{2, 1}, 3).add(Gdp{0.5}).add(SampledGaussian{1, 3});
  const long double mu = std::sqrt(0.75L + 0.25L + 1 / 9.0L);
  const auto tail = [](long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; };
  for (const double epsilon : {0.0, 0.5, 3.0, 8.0}) {
    const long double truth =
        tail(epsilon / mu - mu / 2) - std::exp(static_cast<long double>(epsilon)) * tail(epsilon / mu + mu / 2);
    expect_inside(PrivacyProfile(plan, lattice()).delta(epsilon).worst, truth, 1.01e-5);
  }
}

TEST(LatticeEngine, EpsilonAndDeltaAgree) {
  Plan plan;
  plan.add(SampledGaussian{0.05, 0.9}, 30).add(Laplace{3, 1}, 4).add(RandomizedResponse{0.55, 2}, 20);
  const PrivacyProfile accountant(plan, lattice());
  for (const double delta : {0.01, 1e-5, 1e-11}) {
    const ExactAnswer answer = accountant.epsilon(delta);
    EXPECT_LE(answer.worst.upper - answer.worst.lower, 1.01e-5) << delta;
    EXPECT_FALSE(answer.worst.limited) << delta;
    EXPECT_LE(accountant.delta(answer.remove.upper).remove.lower, delta);
    EXPECT_GE(accountant.delta(answer.remove.lower).remove.upper, delta);
    EXPECT_LE(accountant.delta(answer.add.upper).add.lower, delta);
    EXPECT_GE(accountant.delta(answer.add.lower).add.upper, delta);
  }
}

// Far beyond what a transform in double could resolve beside a mass of 1.
TEST(LatticeEngine, TwoStepsKeepTheSmallestDeltas) {
  Plan plan;
  plan.add(SampledGaussian{0.0004398, 1.814}, 2);
  expect_inside(PrivacyProfile(plan, lattice()).delta(0.05).remove, 1.50885314625124e-21L, 1.1e-2L);
}

TEST(LatticeEngine, LittleMemoryGivesAWiderIntervalAndSaysSo) {
  Plan plan;
  plan.add(Laplace{10, 1}, 300);
  ExactOptions options = lattice(1e-7);
  const ExactInterval best = PrivacyProfile(plan, options).epsilon(1e-6).worst;
  options.memory = std::size_t{1} << 20;
  const ExactInterval poor = PrivacyProfile(plan, options).epsilon(1e-6).worst;
  EXPECT_TRUE(poor.limited);
  EXPECT_LE(poor.lower, best.upper);
  EXPECT_GE(poor.upper, best.lower);
  EXPECT_GT(poor.upper - poor.lower, best.upper - best.lower);
}

TEST(LatticeEngine, OverlapsTheContour) {
  Plan plan;
  plan.add(SampledGaussian{0.02, 1.1}, 2000);
  ExactOptions contour;
  contour.engine = Engine::contour;
  for (const double delta : {1e-3, 1e-8}) {
    const ExactAnswer a = PrivacyProfile(plan, lattice(1e-4)).epsilon(delta);
    const ExactAnswer b = PrivacyProfile(plan, contour).epsilon(delta);
    EXPECT_LE(a.remove.lower, b.remove.upper);
    EXPECT_GE(a.remove.upper, b.remove.lower);
    EXPECT_LE(a.add.lower, b.add.upper);
    EXPECT_GE(a.add.upper, b.add.lower);
  }
}

// A rare record that is then seen plainly: mass 3e-6 at losses near 200, all the rest near 0.
TEST(LatticeEngine, MassFarFromTheBulkIsNotLost) {
  Plan plan;
  plan.add(SampledGaussian{1e-6, 0.05}, 3);
  const PrivacyProfile accountant(plan, lattice());
  expect_inside(accountant.delta(0).remove, -std::expm1(3 * std::log1p(-1e-6L)), 1e-5L);
  EXPECT_GT(accountant.epsilon(1e-6).remove.lower, 190);
}

// Atoms closer to each other than any grid in reach: they are not waited for. Losses of at most 1e-6 each move epsilon
// by 2e-6 at most.
TEST(LatticeEngine, StepsOfNextToNoLossDoNotSetTheGrid) {
  const SampledGaussian step{0.1, 1};
  const ExactInterval figure = PrivacyProfile(Plan().add(Laplace{1e6}, 2).add(step), lattice()).delta(0.2).remove;
  const PrivacyProfile alone(Plan().add(step));
  EXPECT_GE(figure.upper, alone.delta(0.2).remove.lower);
  EXPECT_LE(figure.lower, alone.delta(0.2 - 2e-6).remove.upper);
  EXPECT_LE(figure.upper - figure.lower, 1e-4 * figure.upper);
}

TEST(LatticeEngine, ExtremesAreServedOrRefused) {
  for (const SampledGaussian step : {SampledGaussian{1e-12, 1}, SampledGaussian{0.5, 0.05}, SampledGaussian{1e-6, 0.05},
                                     SampledGaussian{0.999999, 0.3}, SampledGaussian{0.1, 1000}}) {
    for (const std::int64_t count : {std::int64_t{3}, std::int64_t{1'000'000'000'000}}) {
      Plan plan;
      plan.add(step, count);
      try {
        const ExactAnswer answer = PrivacyProfile(plan, lattice()).epsilon(1e-6);
        EXPECT_GE(answer.worst.lower, 0);
        EXPECT_LE(answer.worst.lower, answer.worst.upper);
      } catch (const Unsupported&) {
        EXPECT_TRUE(count > 3 || step.noise_multiplier > 100) << step.sampling_rate << " " << step.noise_multiplier;
      }
    }
  }
}

}  // namespace
}  // namespace renyi::exact_lattice_test
