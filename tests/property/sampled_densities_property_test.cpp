// Densities on a Poisson sample: steps, whose mixture is that of two discrete laws, against the definition in long
// double.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::sampled_densities_property_test {
namespace {

using test::DiscretePair;
using test::RandomInputs;

// Law i has its mass on [i, i+1).
std::function<double(double)> steps_of(const std::vector<long double>& law) {
  std::vector<double> logs;
  for (const long double mass : law) logs.push_back(static_cast<double>(std::log(mass)));
  return [logs](double x) {
    const bool inside = x > 0 && x < static_cast<double>(logs.size());
    return inside ? logs[static_cast<std::size_t>(x)] : -std::numeric_limits<double>::infinity();
  };
}

DistributionPair as_densities(const DiscretePair& pair) {
  LogDensities given{.log_p = steps_of(pair.p), .log_q = steps_of(pair.q)};
  given.lower = 0;
  given.upper = static_cast<double>(pair.size());
  for (std::size_t i = 1; i < pair.size(); ++i) given.points.push_back(static_cast<double>(i));
  return DistributionPair::densities(std::move(given));
}

DiscretePair mixed(const DiscretePair& pair, long double rate) {
  DiscretePair result = pair;
  for (std::size_t i = 0; i < pair.size(); ++i) result.p[i] = (1 - rate) * pair.q[i] + rate * pair.p[i];
  return result;
}

TEST(SampledDensitiesProperty, TheMixtureIsThatOfTheDefinition) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    // Masses that double cannot tell from none make densities that a quadrature cannot see.
    for (std::size_t i = 0; i < pair.size(); ++i) {
      if (pair.p[i] < 1e-30L || pair.q[i] < 1e-30L) return;
    }
    const double rate = random.log_uniform(1e-6, 0.999), order = 1 + random.log_uniform(1e-2, 50);
    const Mechanism step = custom_pair("steps", as_densities(pair)).sampled_by(Sampling::poisson(rate));
    const auto curve = analysed(step, {}).curve();
    for (const Direction direction : test::both_directions) {
      const DiscretePair laws = mixed(pair, rate);
      const DiscretePair& seen = direction == Direction::remove ? laws : laws.swapped();
      const long double truth = test::direct_renyi(seen, order), judge = 1e-16L * (1 + truth);
      const Bounded d = divergence(*curve, order, direction);
      EXPECT_LE(d.lower(), truth + judge) << rate << ' ' << order;
      EXPECT_GE(d.upper(), truth - judge) << rate << ' ' << order;
      EXPECT_LE(d.error, 1e-8L * truth + judge) << rate << ' ' << order;
    }
  });
}

}  // namespace
}  // namespace renyi::sampled_densities_property_test
