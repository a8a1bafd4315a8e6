// Noise on the integers against an independent high-precision table (data/README.md).
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::discrete_noise_test {
namespace {

using test::decimal;
using test::Row;

Plan plan_of(const Row& row) { return read_plan(row.at("plan").dump()); }

TEST(DiscreteNoiseTruth, DivergencesInBothDirections) {
  const auto rows = test::read_table("discrete_noise_rdp.jsonl");
  ASSERT_EQ(rows.size(), 300U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const double order = row.at("alpha");
    const Plan plan = plan_of(row);
    const auto at = [&](Direction direction) { return rdp(plan, {&order, 1}, {.direction = direction}).at(0); };
    test::expect_bounds(at(Direction::remove), decimal(row, "rdp_remove"), 1e-11L, 1e-12L);
    test::expect_bounds(at(Direction::add), decimal(row, "rdp_add"), 1e-11L, 1e-12L);
  }
}

// One step is a sum; several without sampling stay on their lattice; sampled ones are rounded to a grid.
void expect_holds(const ExactInterval& figure, const Row& row, const char* key) {
  if (!row.contains(key)) return;
  SCOPED_TRACE(key);
  const Row& step = row.at("plan").at("steps").at(0);
  const long double width = !step.contains("count") ? 1e-11L : step.contains("sampling") ? 2e-3L : 1e-7L;
  const long double truth = decimal(row, key);
  EXPECT_LE(figure.lower, truth * (1 + 1e-16L));
  EXPECT_GE(figure.upper, truth * (1 - 1e-16L));
  EXPECT_LE(figure.upper - figure.lower, width * figure.upper);
}

TEST(DiscreteNoiseTruth, EveryDeltaLiesInItsInterval) {
  const auto rows = test::read_table("discrete_noise_delta.jsonl");
  ASSERT_EQ(rows.size(), 35U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const ExactAnswer answer = PrivacyProfile(plan_of(row)).delta(row.at("epsilon"));
    expect_holds(answer.remove, row, "delta_remove");
    expect_holds(answer.add, row, "delta_add");
  }
}

}  // namespace
}  // namespace renyi::discrete_noise_test
