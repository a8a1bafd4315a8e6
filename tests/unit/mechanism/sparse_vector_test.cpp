#include <gtest/gtest.h>

#include "renyi/plan.h"

namespace renyi::sparse_vector_test {
namespace {

double epsilon_of(const Mechanism& mechanism) { return mechanism.equivalent()->get_if<PureDp>()->epsilon; }

Mechanism sparse_vector(double cutoff, double sensitivity = 1, double monotonic = 0) {
  return make_mechanism("sparse-vector", {{"threshold_scale", 4},
                                          {"query_scale", 8},
                                          {"cutoff", cutoff},
                                          {"sensitivity", sensitivity},
                                          {"monotonic", monotonic}});
}

TEST(SparseVector, TheThresholdIsPaidOnceAndQueriesByTheCutoff) {
  EXPECT_EQ(epsilon_of(sparse_vector(1)), 0.25 + 0.25);
  EXPECT_EQ(epsilon_of(sparse_vector(3)), 0.25 + 0.75);
  EXPECT_EQ(epsilon_of(sparse_vector(3, 2)), 0.5 + 1.5);
  EXPECT_EQ(epsilon_of(sparse_vector(3, 1, 1)), 0.25 + 0.375);
}

TEST(SparseVector, RoundsEpsilonUp) {
  const Mechanism thirds = make_mechanism("sparse-vector", {{"threshold_scale", 3}, {"query_scale", 7}});
  const double epsilon = epsilon_of(thirds);
  EXPECT_GE(static_cast<long double>(epsilon), 1.0L / 3 + 2.0L / 7);
  EXPECT_LE(epsilon, (1.0 / 3 + 2.0 / 7) * (1 + 1e-15));
}

// Several records of one person: pure epsilons add.
TEST(SparseVector, GroupsAndSamplesAreThoseOfItsEpsilon) {
  const Plan three = Plan(Neighbors::add_or_remove_one, 3).add(sparse_vector(1));
  EXPECT_NEAR(rdp(*compose(three), 2).value, rdp(*Mechanism(PureDp{1.5}).curve(), 2).value, 1e-13);
  const Plan sampled = Plan().add(sparse_vector(1).sampled_by(Sampling::poisson(0.1)));
  const Plan same = Plan().add(Mechanism(PureDp{0.5}).sampled_by(Sampling::poisson(0.1)));
  EXPECT_EQ(rdp(*compose(sampled), 2).value, rdp(*compose(same), 2).value);
}

}  // namespace
}  // namespace renyi::sparse_vector_test
