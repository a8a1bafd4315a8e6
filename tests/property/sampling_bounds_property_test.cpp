// Bounds for samples of steps known by their curve, against enumeration: small worlds in which every sample of every
// dataset is listed, and single pairs of laws at every order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "renyi/extras/custom.h"
#include "renyi/papers/sampling_bounds.h"
#include "support/expect.h"
#include "support/own_discrete.h"

namespace renyi::sampling_bounds_property_test {
namespace {

using test::both_directions;
using test::directed;
using test::DiscretePair;
using test::infinity;
using test::RandomInputs;

using Law = std::vector<long double>;

// The judge's own rounding: of sums in long double, divided by order - 1.
long double judge_error(long double truth, double order) {
  if (std::isinf(truth)) return 0;
  return 1e-15L * truth + 2e-17L * (1 + (order > 1 ? 1 / (static_cast<long double>(order) - 1) : 0));
}

double random_rate(RandomInputs& random) {
  return random.chance(0.3) ? random.one_of({1e-3, 0.25, 0.5, 0.9, 0.999}) : random.log_uniform(1e-4, 1);
}

// Whole orders to 30, orders in between, and the ends.
std::vector<double> random_orders(RandomInputs& random) {
  return {1,
          2,
          3,
          static_cast<double>(2 + random.below(29)),
          random.uniform(1, 30),
          1 + random.log_uniform(1e-3, 1),
          random.log_uniform(1, 300),
          infinity};
}

Law mixed(const Law& a, const Law& b, long double share_of_b) {
  Law m(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) m[i] = (1 - share_of_b) * a[i] + share_of_b * b[i];
  return m;
}

void expect_covered(const Curve& bound, const DiscretePair& pair, Direction direction, double order) {
  const long double truth = test::direct_renyi(pair, order);
  EXPECT_GE(divergence(bound, order, direction).upper(), truth - judge_error(truth, order)) << order;
}

TEST(SamplingBoundsProperty, PoissonCoversEveryPair) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const auto own = test::own_discrete(test::random_pair(random));
    const double g = random_rate(random);
    const auto bound = poisson_bound(own.mechanism.curve(), g);
    const DiscretePair sampled{mixed(own.pair.q, own.pair.p, g), own.pair.q};
    for (const double order : random_orders(random)) {
      for (const Direction direction : both_directions) {
        expect_covered(*bound, directed(sampled, direction), direction, order);
      }
    }
  });
}

// A law with holes that the other lacks: infinite bounds in one direction, sound ones in the other.
TEST(SamplingBoundsProperty, PoissonCoversPairsWithGaps) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const auto own = test::own_discrete(test::random_pair_with_gaps(random));
    const double g = random_rate(random);
    const auto bound = poisson_bound(own.mechanism.curve(), g);
    const DiscretePair sampled{mixed(own.pair.q, own.pair.p, g), own.pair.q};
    for (const double order : random_orders(random)) {
      for (const Direction direction : both_directions) {
        expect_covered(*bound, directed(sampled, direction), direction, order);
      }
    }
  });
}

// With one pair that attains the whole curve, the bound for remove is exact at integer orders and at infinity.
TEST(SamplingBoundsProperty, PoissonIsTightForRemove) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const auto own = test::own_discrete(test::random_pair(random));
    const double g = random_rate(random);
    const auto bound = poisson_bound(own.mechanism.curve(), g);
    const DiscretePair sampled{mixed(own.pair.q, own.pair.p, g), own.pair.q};
    for (const double order : {2.0, 3.0, 2.0 + static_cast<double>(random.below(29)), infinity}) {
      const long double truth = test::direct_renyi(sampled, order);
      EXPECT_LE(divergence(*bound, order, Direction::remove).upper(), truth * (1 + 1e-9L) + 1e-15L)
          << order << ' ' << g;
    }
  });
}

// The bound for add is attained in the limit by a rare outcome that the record rules out (u = -1 there and negligible
// elsewhere).
TEST(SamplingBoundsProperty, PoissonIsTightForAdd) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const double rare = random.log_uniform(1e-9, 1e-6), g = random.uniform(0.01, 0.9), order = random.uniform(1.01, 40);
    const auto own = test::own_discrete({0, 1}, {rare, 1 - rare});
    const auto bound = poisson_bound(own.mechanism.curve(), g);
    const DiscretePair sampled{own.pair.q, mixed(own.pair.q, own.pair.p, g)};
    const long double truth = test::direct_renyi(sampled, order);
    const double found = divergence(*bound, order, Direction::add).upper();
    EXPECT_GE(found, truth - 1e-18L);
    EXPECT_LE(found, truth * (1 + 1e-3L)) << g << ' ' << order;
  });
}

// A mechanism on subsets of up to four records: a law for each subset, some of them far apart.
struct SubsetWorld {
  std::size_t records = 0;
  std::vector<Law> laws;  // indexed by bit mask
};

SubsetWorld random_subset_world(RandomInputs& random) {
  SubsetWorld world{2 + random.below(3), {}};
  const double spread = random.one_of({0.05, 0.5, 2});
  const std::size_t outcomes = 2 + random.below(3);
  for (std::size_t mask = 0; mask < (1U << world.records); ++mask) {
    Law law(outcomes);
    long double sum = 0;
    for (auto& mass : law) sum += mass = std::exp(static_cast<long double>(random.uniform(-1, 1) * spread));
    for (auto& mass : law) mass /= sum;
    world.laws.push_back(law);
  }
  return world;
}

// The law of the mechanism on a Poisson sample of the dataset `data`.
Law poisson_law(const SubsetWorld& world, std::size_t data, long double g) {
  Law result(world.laws[0].size(), 0);
  for (std::size_t sample = 0; sample < world.laws.size(); ++sample) {
    if ((sample & ~data) != 0) continue;
    long double chance = 1;
    for (std::size_t i = 0; i < world.records; ++i) {
      if ((data >> i & 1) != 0) chance *= (sample >> i & 1) != 0 ? g : 1 - g;
    }
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += chance * world.laws[sample][k];
  }
  return result;
}

// The curve of an enumerated dataset: the largest divergence over all neighbours and both directions.
Mechanism curve_of(const std::vector<DiscretePair>& neighbors) {
  return custom_curve("world", [neighbors](double order) {
    long double most = 0;
    for (const DiscretePair& pair : neighbors) {
      most = std::max({most, test::direct_renyi(pair, order), test::direct_renyi(pair.swapped(), order)});
    }
    return static_cast<double>(most * (1 + 1e-15L));
  });
}

TEST(SamplingBoundsProperty, PoissonCoversWorldsOfSubsets) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const SubsetWorld world = random_subset_world(random);
    const double g = random_rate(random);
    std::vector<DiscretePair> steps, samples;
    for (std::size_t data = 0; data < world.laws.size(); ++data) {
      for (std::size_t i = 0; i < world.records; ++i) {
        if ((data >> i & 1) == 0) continue;
        const std::size_t without = data & ~(std::size_t{1} << i);
        steps.push_back({world.laws[data], world.laws[without]});
        samples.push_back({poisson_law(world, data, g), poisson_law(world, without, g)});
      }
    }
    const auto bound = poisson_bound(curve_of(steps).curve(), g);
    for (const double order : random_orders(random)) {
      long double remove = 0, add = 0;
      for (const DiscretePair& pair : samples) {
        remove = std::max(remove, test::direct_renyi(pair, order));
        add = std::max(add, test::direct_renyi(pair.swapped(), order));
      }
      EXPECT_GE(divergence(*bound, order, Direction::remove).upper(), remove - judge_error(remove, order)) << order;
      EXPECT_GE(divergence(*bound, order, Direction::add).upper(), add - judge_error(add, order)) << order;
    }
  });
}

// Records with one of three values; the mechanism sees how many of each are in the sample of fixed size.
struct CountWorld {
  std::size_t records = 0;
  std::size_t size = 0;
  std::vector<Law> laws;  // indexed by ones and twos: ones (size + 1) + twos

  const Law& law_of(std::size_t ones, std::size_t twos) const { return laws[ones * (size + 1) + twos]; }
};

CountWorld random_count_world(RandomInputs& random) {
  CountWorld world;
  world.records = 3 + random.below(3);
  world.size = 1 + random.below(world.records - 1);
  const double spread = random.one_of({0.05, 0.5, 2});
  for (std::size_t i = 0; i < (world.size + 1) * (world.size + 1); ++i) {
    Law law(3);
    long double sum = 0;
    for (auto& mass : law) sum += mass = std::exp(static_cast<long double>(random.uniform(-1, 1) * spread));
    for (auto& mass : law) mass /= sum;
    world.laws.push_back(law);
  }
  return world;
}

using Values = std::vector<std::size_t>;

// The law on a sample without replacement: every subset of the right size, once.
Law sample_law(const CountWorld& world, const Values& values) {
  Law result(3, 0);
  long double subsets = 0;
  for (std::size_t mask = 0; mask < (1U << world.records); ++mask) {
    std::size_t ones = 0, twos = 0, chosen = 0;
    for (std::size_t i = 0; i < world.records; ++i) {
      if ((mask >> i & 1) == 0) continue;
      ++chosen, ones += values[i] == 1 ? 1 : 0, twos += values[i] == 2 ? 1 : 0;
    }
    if (chosen != world.size) continue;
    ++subsets;
    for (std::size_t k = 0; k < 3; ++k) result[k] += world.law_of(ones, twos)[k];
  }
  for (auto& mass : result) mass /= subsets;
  return result;
}

// Two samples are neighbours when one record's value differs.
std::vector<DiscretePair> neighboring_laws(const CountWorld& world) {
  std::vector<DiscretePair> pairs;
  for (std::size_t ones = 0; ones <= world.size; ++ones) {
    for (std::size_t twos = 0; ones + twos <= world.size; ++twos) {
      const Law& here = world.law_of(ones, twos);
      if (ones + twos < world.size) {
        pairs.push_back({here, world.law_of(ones + 1, twos)});
        pairs.push_back({here, world.law_of(ones, twos + 1)});
      }
      if (ones > 0) pairs.push_back({here, world.law_of(ones - 1, twos + 1)});
    }
  }
  return pairs;
}

TEST(SamplingBoundsProperty, WithoutReplacementCoversWorldsOfCounts) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const CountWorld world = random_count_world(random);
    const double g = static_cast<double>(world.size) / static_cast<double>(world.records);
    const auto bound = without_replacement_bound(curve_of(neighboring_laws(world)).curve(), g);
    Values values(world.records);
    for (auto& value : values) value = random.below(3);
    Values other = values;
    other[0] = (values[0] + 1 + random.below(2)) % 3;
    const DiscretePair pair{sample_law(world, values), sample_law(world, other)};
    for (const double order : random_orders(random)) {
      for (const Direction direction : both_directions) {
        expect_covered(*bound, directed(pair, direction), direction, order);
      }
    }
  });
}

// The theorem's three laws at small rates: without the record (r), with it (p), with its replacement (q).
TEST(SamplingBoundsProperty, WithoutReplacementCoversTriples) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const DiscretePair first = test::random_pair(random);
    Law r(first.size());
    long double sum = 0;
    const double share = random.uniform();
    for (std::size_t i = 0; i < r.size(); ++i) {
      sum += r[i] = std::pow(first.p[i], share) * std::pow(first.q[i], 1 - share) * random.uniform(0.5, 1.5);
    }
    for (auto& mass : r) mass /= sum;
    const double g = random_rate(random);
    const auto bound = without_replacement_bound(curve_of({first, {first.p, r}, {first.q, r}}).curve(), g);
    const DiscretePair pair{mixed(r, first.p, g), mixed(r, first.q, g)};
    for (const double order : random_orders(random)) {
      for (const Direction direction : both_directions) {
        expect_covered(*bound, directed(pair, direction), direction, order);
      }
    }
  });
}

}  // namespace
}  // namespace renyi::sampling_bounds_property_test
