// Random allocation against deltas of epochs of one, two, three and many steps, integrated from the definition.
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::random_allocation_test {
namespace {

using test::Row;

void expect_rows(const std::vector<Row>& table) {
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    for (const Neighbors neighbors : {Neighbors::zero_out, Neighbors::add_or_remove_one}) {
      Plan plan(neighbors);
      plan.add(Mechanism(Gaussian{row.at("noise_multiplier").get<double>(), 1})
                   .sampled_by(Sampling::random_allocation(row.at("steps").get<double>())));
      const ExactAnswer answer = PrivacyProfile(plan, {}).delta(row.at("epsilon").get<double>());
      for (const Direction direction : test::both_directions) {
        const bool removes = direction == Direction::remove;
        const ExactInterval& figure = removes ? answer.remove : answer.add;
        const long double truth = test::decimal(row, removes ? "delta_remove" : "delta_add");
        // The tables have thirteen digits.
        EXPECT_LE(static_cast<long double>(figure.lower), truth * (1 + 1e-12L));
        EXPECT_GE(static_cast<long double>(figure.upper), truth * (1 - 1e-12L));
        EXPECT_LE(figure.upper - figure.lower, 1e-9L * truth);
      }
    }
  }
}

TEST(RandomAllocationTruth, OneAndTwoSteps) {
  const auto table = test::read_table("random_allocation_delta.jsonl");
  ASSERT_EQ(table.size(), 12U);
  expect_rows(table);
}

TEST(RandomAllocationTruth, ThreeSteps) {
  const auto table = test::read_table("random_allocation_three_delta.jsonl");
  ASSERT_EQ(table.size(), 7U);
  expect_rows(table);
}

// One large term dominates the moments of most of these, and is cut off.
TEST(RandomAllocationTruth, ManySteps) {
  const auto table = test::read_table("random_allocation_long_delta.jsonl");
  ASSERT_EQ(table.size(), 5U);
  expect_rows(table);
}

}  // namespace
}  // namespace renyi::random_allocation_test
