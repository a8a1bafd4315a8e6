// The shuffle model against sums straight from the definition of the pair of clones: C other people send clones, A of
// these are of the first kind, and the person's own message is of the first kind with probability e^e0/(e^e0 + 1).
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "mechanism/clones/binomial_cells.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::shuffle_model_test {
namespace {

using Real = long double;

Plan plan_of(double epsilon, double people, double categories = 0, std::int64_t count = 1) {
  return Plan(Neighbors::replace_one).add(ShuffleModel{epsilon, people, categories}, count);
}

Real clone_probability(Real epsilon, bool is_response) {
  return is_response ? 2 / (std::exp(epsilon) + 1) : std::exp(-epsilon);
}

Real binomial(Real n, Real k, Real p) {
  const Real ways = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
  return ways * std::pow(p, k) * std::pow(1 - p, n - k);
}

using Counts = std::pair<int, int>;

// Returns the law of the counts of both kinds of messages if the person's own is of the first kind with that
// probability.
std::map<Counts, Real> counts_law(int people, Real clone, Real own) {
  std::map<Counts, Real> law;
  for (int c = 0; c < people; ++c) {
    for (int a = 0; a <= c; ++a) {
      const Real mass = binomial(people - 1, c, clone) * binomial(c, a, 0.5L);
      law[{a + 1, c - a}] += own * mass;
      law[{a, c - a + 1}] += (1 - own) * mass;
    }
  }
  return law;
}

struct Truth {
  std::map<Counts, Real> p;
  std::map<Counts, Real> q;
};
Truth truth_of(Real epsilon, int people, bool is_response) {
  const Real clone = clone_probability(epsilon, is_response), own = 1 / (1 + std::exp(-epsilon));
  return {counts_law(people, clone, own), counts_law(people, clone, 1 - own)};
}

TEST(ShuffleModel, SmallNumbersOfPeopleHaveThePairOfTheDefinition) {
  for (const double local : {0.3, 1.0, 3.0, 9.0}) {
    for (const int people : {1, 2, 3, 7, 12, 40}) {
      for (const double categories : {0.0, 2.0}) {
        const Truth truth = truth_of(local, people, categories != 0);
        const Analysis plan(plan_of(local, people, categories));
        for (const double share : {0.0, 0.2, 0.6, 0.95}) {
          SCOPED_TRACE(testing::Message() << local << " " << people << " " << categories << " " << share);
          const double epsilon = share * local;
          Real sum = 0;
          for (const auto& [counts, p] : truth.p) {
            sum += std::max(0.0L, p - std::exp(static_cast<Real>(epsilon)) * truth.q.at(counts));
          }
          const double upper = delta(plan, epsilon).exact->worst.upper;
          EXPECT_GE(upper, sum * (1 - 1e-14L));
          EXPECT_LE(upper, sum * (1 + 1e-8L) + 1e-30L);
        }
        for (const double order : {1.5, 2.0, 8.0, 64.0}) {
          SCOPED_TRACE(testing::Message() << local << " " << people << " " << categories << " order " << order);
          Real moment = 0;
          for (const auto& [counts, p] : truth.p) moment += p * std::pow(p / truth.q.at(counts), order - 1);
          const Real divergence = std::log(moment) / (order - 1);
          const double upper = rdp(plan, {&order, 1}, {}).at(0).upper();
          EXPECT_GE(upper, divergence * (1 - 1e-12L));
          EXPECT_LE(upper, divergence * (1 + 1e-8L));
        }
      }
    }
  }
}

// delta = (1 + e^epsilon) t E[(U - u)+], t = tanh(e0/2), u = tanh(epsilon/2)/t, by a plain double sum.
Real delta_of_clones(Real local, int people, Real epsilon, Real negligible = 1e-25L) {
  const Real t = std::tanh(local / 2), u = std::tanh(epsilon / 2) / t, clone = std::exp(-local);
  Real sum = 0;
  for (int m = 1; m <= people; ++m) {
    const Real weight = std::exp(std::lgamma(static_cast<Real>(people)) - std::lgamma(static_cast<Real>(m)) -
                                 std::lgamma(static_cast<Real>(people - m + 1)) + (m - 1) * std::log(clone) +
                                 (people - m) * std::log1p(-clone));
    if (weight < negligible) continue;
    Real coin = std::exp(-m * std::log(2.0L)), inner = 0;  // all messages of the first kind
    for (int a = m; 2 * a - m > u * m; --a) {
      inner += coin * (static_cast<Real>(2 * a - m) / m - u);
      coin *= static_cast<Real>(a) / (m - a + 1);
    }
    sum += weight * inner;
  }
  return (1 + std::exp(epsilon)) * t * sum;
}

TEST(ShuffleModel, LargeNumbersOfPeopleAreDominatedClosely) {
  for (const auto& [local, people, epsilon] : {std::tuple{1.0, 500, 0.2}, std::tuple{2.0, 4000, 0.1},
                                               std::tuple{2.0, 4000, 0.3}, std::tuple{4.0, 20000, 0.5}}) {
    SCOPED_TRACE(people);
    const Real truth = delta_of_clones(local, people, epsilon);
    const double upper = delta(plan_of(local, people), epsilon).exact->worst.upper;
    EXPECT_GE(upper, truth);
    EXPECT_LE(upper, truth * 1.003L);
  }
}

TEST(ShuffleModel, MorePeopleAndStrongerRandomizersNeverCostMore) {
  double before = 1e300;
  for (const double people : {1.0, 2.0, 50.0, 300.0, 2e3, 1e5, 1e9, 1e12}) {
    const Cost cost = epsilon(plan_of(2, people), 1e-6);
    EXPECT_LE(cost.exact->worst.lower, before);
    EXPECT_LE(cost.exact->worst.lower, cost.renyi->upper);
    before = cost.exact->worst.upper;
  }
  EXPECT_LT(before, 1e-4);
  EXPECT_LE(epsilon(plan_of(2, 1000), 1e-6).exact->worst.upper, epsilon(plan_of(2.01, 1000), 1e-6).exact->worst.upper);
  EXPECT_LE(epsilon(plan_of(2, 1000, 2), 1e-6).exact->worst.upper, epsilon(plan_of(2, 1000), 1e-6).exact->worst.upper);
}

// Below 1e-12 the excess depends on the number of people; docs/math/shuffle-model.md says by how much.
TEST(ShuffleModel, AFewMorePeopleRaiseTheBoundByItsExcessOnly) {
  for (const auto& [delta, most_rise] : {std::pair{1e-9, 1e-12}, std::pair{1e-12, 1e-5}, std::pair{1e-30, 0.003},
                                         std::pair{1e-60, 0.01}, std::pair{1e-300, 0.02}}) {
    double before = HUGE_VAL;
    for (const double people : {1000.0, 1001.0, 1002.0, 3004.0, 3005.0}) {
      SCOPED_TRACE(testing::Message() << delta << " " << people);
      const double upper = epsilon(plan_of(0.5, people), delta).exact->worst.upper;
      EXPECT_LE(upper, before * (1 + most_rise));
      before = upper;
    }
  }
}

TEST(ShuffleModel, TheBoundHoldsWhereItIsNotMonotone) {
  for (const auto& [people, epsilon] : {std::pair{1001, 0.318}, std::pair{1002, 0.318}, std::pair{1002, 0.41}}) {
    SCOPED_TRACE(people);
    const Real truth = delta_of_clones(0.5L, people, epsilon, 0);
    EXPECT_LT(truth, 1e-57L);
    EXPECT_GE(delta(plan_of(0.5, people), epsilon).exact->worst.upper, truth);
  }
}

TEST(ShuffleModel, AloneAPersonHasTheRandomizerOnly) {
  EXPECT_EQ(rdp(*Mechanism(ShuffleModel{3, 1, 0}).curve(), HUGE_VAL).upper(), 3);
  EXPECT_EQ(epsilon(plan_of(3, 1e6), 0).exact->worst.upper, 3);
  const Mechanism alone = PureDp{3};
  const double order = 4;
  EXPECT_NEAR(rdp(plan_of(3, 1), {&order, 1}, {}).at(0).upper(), rdp(*alone.curve(), order).upper(), 1e-12);
  EXPECT_EQ(epsilon(plan_of(0, 5), 1e-6).exact->worst.upper, 0);
}

TEST(ShuffleModel, OtherRelationsAndSamplesAreRefused) {
  const Mechanism step = ShuffleModel{1, 100, 0};
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out}) {
    EXPECT_THROW(static_cast<void>(Plan(relation).add(step)), Unsupported);
  }
  EXPECT_THROW(static_cast<void>(step.sampled_by(Sampling::poisson(0.1))), InvalidArgument);
  EXPECT_EQ(epsilon(plan_of(1, 100), 1e-6).standing, Standing::dominated);
}

TEST(BinomialCells, SumsAreBoundedCloselyFromAbove) {
  for (const auto& [n, p] : {std::pair{100.0L, 0.5L}, std::pair{5000.0L, 0.5L}, std::pair{3000.0L, 0.02L}}) {
    const mechanism::BinomialCells cells(n, p);
    const Real deviation = std::sqrt(n * p * (1 - p)), wide = std::floor(deviation / 8);
    for (Real lo = std::floor(n * p); lo < n * p + 5 * deviation; lo += wide + 1) {
      Real total = 0, weighted = 0;
      for (Real k = lo; k <= lo + wide; ++k) {
        total += binomial(n, k, p);
        weighted += binomial(n, k, p) * (k - lo);
        EXPECT_NEAR(static_cast<double>(cells.mass(k) / binomial(n, k, p)), 1, 1e-13);
      }
      const mechanism::CellSum sum = cells.cell(lo, lo + wide);
      EXPECT_GE(sum.total, total * (1 - 1e-13L));
      EXPECT_LE(sum.total, total * 1.01L);
      EXPECT_GE(sum.total * (sum.centre - lo) + sum.first, weighted * (1 - 1e-13L));
    }
    Real tail = 0;
    const Real from = std::floor(n * p + 3 * deviation);
    for (Real k = n; k >= from; --k) tail += binomial(n, k, p);
    EXPECT_GE(cells.tail_above(from), tail);
    EXPECT_LE(cells.tail_above(from), 2 * tail);
  }
}

}  // namespace
}  // namespace renyi::shuffle_model_test
