// Noise on the integers, sampled or not, against enumeration in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::discrete_noise_property_test {
namespace {

using test::both_directions;
using test::DiscretePair;
using test::RandomInputs;

struct Case {
  Mechanism mechanism;
  DiscretePair pair;  // all integers that matter
  double width;
};

long double log_mass(bool gaussian, long double size, long double x) {
  return gaussian ? -0.5L * x * x / (size * size) : -std::abs(x) / size;
}

Case random_noise(RandomInputs& random) {
  const bool gaussian = random.chance(0.5);
  const double size = random.log_uniform(0.4, 4), distance = std::floor(random.uniform(1, 5));
  const double rate = random.chance(0.3) ? 1 : random.log_uniform(1e-3, 0.9);
  Mechanism m = gaussian ? make_mechanism("discrete-gaussian", {{"stddev", size}, {"sensitivity", distance}})
                         : make_mechanism("discrete-laplace", {{"scale", size}, {"sensitivity", distance}});
  if (rate < 1) m = m.sampled_by(Sampling::poisson(rate));
  const double reach = std::ceil(gaussian ? 13 * size : 100 * size) + 10;
  DiscretePair pair;
  long double total = 0;
  for (double x = -2 * reach; x <= 2 * reach; ++x) total += std::exp(log_mass(gaussian, size, x));
  for (double x = -reach; x <= reach + distance; ++x) {
    const long double q = std::exp(log_mass(gaussian, size, x)) / total;
    const long double p = std::exp(log_mass(gaussian, size, x - distance)) / total;
    pair.q.push_back(q);
    pair.p.push_back((1 - static_cast<long double>(rate)) * q + rate * p);
  }
  return {std::move(m), std::move(pair), rate};
}

DiscretePair directed(const DiscretePair& pair, Direction direction) {
  return direction == Direction::remove ? pair : pair.swapped();
}

TEST(DiscreteNoiseProperty, DivergencesAreThoseOfTheDefinition) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const Case c = random_noise(random);
    const double order = 1 + random.log_uniform(0.05, 4);
    const auto curve = analysed(c.mechanism, {}).curve();
    for (const Direction direction : both_directions) {
      const DiscretePair pair = directed(c.pair, direction);
      long double moment = 0;  // (E[r^a] - 1), centred
      for (std::size_t i = 0; i < pair.size(); ++i) {
        const long double r = std::log(pair.p[i] / pair.q[i]), a = order;
        moment += pair.q[i] * (std::expm1(a * r) - a * std::expm1(r));
      }
      const long double truth = std::log1p(moment) / (order - 1);
      const Bounded d = divergence(*curve, order, direction);
      EXPECT_NEAR(d.value, static_cast<double>(truth), 1e-11 * d.value + 1e-17) << c.width;
      EXPECT_LE(d.error, 1e-12 * d.value);
    }
  });
}

// delta of two steps as a double sum: an interval that holds it, and not a wide one.
TEST(DiscreteNoiseProperty, TwoStepsAreADoubleSum) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const Case c = random_noise(random);
    const double epsilon = random.uniform(0, 2);
    const ExactAnswer answer = PrivacyProfile(Plan().add(c.mechanism, 2), {.tolerance = 1e-6}).delta(epsilon);
    for (const Direction direction : both_directions) {
      const DiscretePair pair = directed(c.pair, direction);
      const long double factor = std::exp(static_cast<long double>(epsilon));
      long double truth = 0;
      for (std::size_t i = 0; i < pair.size(); ++i) {
        for (std::size_t j = 0; j < pair.size(); ++j) {
          truth += std::max(0.0L, pair.p[i] * pair.p[j] - factor * pair.q[i] * pair.q[j]);
        }
      }
      const ExactInterval& figure = direction == Direction::remove ? answer.remove : answer.add;
      EXPECT_LE(figure.lower, truth + 1e-17L);
      EXPECT_GE(figure.upper, truth - 1e-17L);
      EXPECT_LE(figure.upper - figure.lower, 2e-3L * figure.upper + 1e-15L);
    }
  });
}

// Further moves and more sampling never cost less; more noise never more.
TEST(DiscreteNoiseProperty, CostsFollowTheParameters) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const char* kind = random.chance(0.5) ? "discrete-gaussian" : "discrete-laplace";
    const Mechanism base = *find_mechanism(kind);
    const auto size = base.parameters()[0].name;
    const double noise = random.log_uniform(0.05, 50), distance = std::floor(random.log_uniform(1, 30));
    const double rate = random.log_uniform(1e-6, 0.9), order = 1 + random.log_uniform(0.01, 500);
    const auto at = [&](double n, double d, double g) {
      const Mechanism m = base.with(size, n).with("sensitivity", d);
      return rdp(*analysed(g < 1 ? m.sampled_by(Sampling::poisson(g)) : m, {}).curve(), order);
    };
    const Bounded here = at(noise, distance, rate);
    test::expect_not_above(at(noise * 1.1, distance, rate), here);
    test::expect_not_above(here, at(noise, distance + 1, rate));
    test::expect_not_above(here, at(noise, distance, 1.1 * rate));
    test::expect_not_above(at(noise * 1.1, distance, 1), at(noise, distance, 1));
  });
}

}  // namespace
}  // namespace renyi::discrete_noise_property_test
