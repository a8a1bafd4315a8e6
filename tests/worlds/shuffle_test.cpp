// The shuffle model: every dataset of a few people, every value of one of them replaced, and the law of the histogram,
// which counts the messages and is all that a shuffler publishes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "renyi/cost.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::worlds::shuffle_test {
namespace {

using Real = long double;
using Histogram = std::vector<int>;
using Law = std::map<Histogram, Real>;
// Row x: the probabilities of the messages of a person whose value is x.
using Randomizer = std::vector<std::vector<Real>>;

Law with_message(const Law& law, const std::vector<Real>& row) {
  Law result;
  for (const auto& [histogram, mass] : law) {
    for (std::size_t y = 0; y < row.size(); ++y) {
      Histogram more = histogram;
      ++more[y];
      result[more] += mass * row[y];
    }
  }
  return result;
}

Real epsilon_of(const Randomizer& randomizer) {
  Real largest = 0;
  for (const auto& row : randomizer) {
    for (const auto& other : randomizer) {
      for (std::size_t y = 0; y < row.size(); ++y) largest = std::max(largest, std::log(row[y] / other[y]));
    }
  }
  return largest;
}

// Claims at a few epsilons and orders.
struct Claims {
  std::vector<std::pair<Real, Real>> deltas{};
  std::vector<std::pair<Real, Real>> divergences{};
};

Claims claims_of(Real local, int people, double categories) {
  const double rounded_up = std::nextafter(static_cast<double>(local), HUGE_VAL);
  const Analysis plan(
      Plan(Neighbors::replace_one).add(ShuffleModel{rounded_up, static_cast<double>(people), categories}));
  Claims claims;
  for (const double share : {0.0, 0.1, 0.3, 0.6, 0.9}) {
    const double epsilon = share * rounded_up;
    claims.deltas.emplace_back(epsilon, delta(plan, epsilon).exact->worst.upper);
  }
  for (const double order : {1.5, 3.0, 20.0}) {
    claims.divergences.emplace_back(order, rdp(plan, {&order, 1}, {}).at(0).upper());
  }
  return claims;
}

// Returns the largest delta in units of its claim.
Real expect_dominated(const Law& p, const Law& q, const Claims& claims) {
  Real nearest = 0;
  for (const auto& [epsilon, claim] : claims.deltas) {
    Real sum = 0;
    for (const auto& [histogram, mass] : p) sum += std::max(0.0L, mass - std::exp(epsilon) * q.at(histogram));
    EXPECT_LE(sum, claim * (1 + 1e-15L) + 1e-18L);
    nearest = std::max(nearest, sum / claim);
  }
  for (const auto& [order, claim] : claims.divergences) {
    Real moment = 0;
    for (const auto& [histogram, mass] : p) moment += mass * std::pow(mass / q.at(histogram), order - 1);
    EXPECT_LE(std::log(moment) / (order - 1), claim + 1e-15L);
  }
  return nearest;
}

// Calls `then` with the law of the messages of every multiset of values.
template <class Then>
void for_each_dataset(const Randomizer& randomizer, int people, std::size_t least, const Law& law, const Then& then) {
  if (people == 0) return then(law);
  for (std::size_t x = least; x < randomizer.size(); ++x) {
    for_each_dataset(randomizer, people - 1, x, with_message(law, randomizer[x]), then);
  }
}

Real nearest_of(const Randomizer& randomizer, int people, double categories) {
  SCOPED_TRACE(testing::Message() << people << " people, " << categories << " categories");
  const Claims claims = claims_of(epsilon_of(randomizer), people, categories);
  const Law nobody{{Histogram(randomizer.front().size()), 1}};
  Real nearest = 0;
  for_each_dataset(randomizer, people - 1, 0, nobody, [&](const Law& others) {
    std::vector<Law> whole;
    for (const auto& row : randomizer) whole.push_back(with_message(others, row));
    for (const Law& p : whole) {
      for (const Law& q : whole) {
        if (&p != &q) nearest = std::max(nearest, expect_dominated(p, q, claims));
      }
    }
  });
  return nearest;
}

Randomizer response(std::size_t categories, Real epsilon) {
  const Real other = 1 / (std::exp(epsilon) + static_cast<Real>(categories - 1));
  Randomizer rows(categories, std::vector<Real>(categories, other));
  for (std::size_t x = 0; x < categories; ++x) rows[x][x] = std::exp(epsilon) * other;
  return rows;
}

// With two categories some datasets attain the total variation of the claim: it cannot be smaller.
TEST(WorldsShuffle, RandomizedResponse) {
  for (const Real epsilon : {0.5L, 1.0L, 3.0L}) {
    for (int people = 1; people <= 5; ++people) {
      EXPECT_GT(nearest_of(response(2, epsilon), people, 2), 1 - 1e-8L);
      for (const std::size_t categories : {3U, 4U}) {
        if (people < 5) {
          EXPECT_GT(nearest_of(response(categories, epsilon), people, static_cast<double>(categories)), 0.5L);
        }
      }
    }
  }
}

// Randomizers whose messages overlap: two values that are alike, and intervals of a line.
TEST(WorldsShuffle, OtherRandomizers) {
  const Randomizer alike{{0.6L, 0.3L, 0.1L}, {0.6L, 0.1L, 0.3L}, {0.2L, 0.4L, 0.4L}};
  const Randomizer line{{0.5L, 0.3L, 0.15L, 0.05L}, {0.25L, 0.35L, 0.25L, 0.15L}, {0.05L, 0.15L, 0.3L, 0.5L}};
  for (const Randomizer& randomizer : {alike, line, response(3, 2)}) {
    for (int people = 1; people <= 5; ++people) EXPECT_GT(nearest_of(randomizer, people, 0), 0.3L);
  }
}

}  // namespace
}  // namespace renyi::worlds::shuffle_test
