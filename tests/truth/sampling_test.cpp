// Sampled steps under every relation against independent high-precision tables (data/README.md): the rows
// carry the plan as a plan file has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::sampling_test {
namespace {

using test::decimal;
using test::read_table;
using test::Row;

Plan plan_of(const Row& row) { return read_plan(row.at("plan").dump()); }

// An exception is the failure of one row, not the end of the table.
template <class Law>
void expect_row(const Row& row, const Law& law) {
  SCOPED_TRACE(row.dump());
  try {
    law(plan_of(row));
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw: " << error.what();
  }
}

Bounded divergence_of(const Plan& plan, double order, std::optional<Direction> direction) {
  return rdp(plan, {&order, 1}, {.direction = direction}).at(0);
}

TEST(SamplingTruth, DivergencesInBothDirections) {
  const auto rows = read_table("sampling_rdp.jsonl");
  ASSERT_EQ(rows.size(), 286U);
  for (const Row& row : rows) {
    expect_row(row, [&](const Plan& plan) {
      const double order = row.at("alpha");
      test::expect_bounds(divergence_of(plan, order, Direction::remove), decimal(row, "rdp_remove"), 1e-9L, 1e-10L);
      test::expect_bounds(divergence_of(plan, order, Direction::add), decimal(row, "rdp_add"), 1e-9L, 1e-10L);
    });
  }
}

TEST(SamplingTruth, TheAnswerIsTheLargerDirection) {
  for (const Row& row : read_table("sampling_rdp.jsonl")) {
    expect_row(row, [&](const Plan& plan) {
      const long double truth = std::max(decimal(row, "rdp_remove"), decimal(row, "rdp_add"));
      test::expect_bounds(divergence_of(plan, row.at("alpha"), {}), truth, 1e-9L, 1e-10L);
    });
  }
}

// One step has a closed form; more are as narrow as the lattice makes them.
void expect_holds(const ExactInterval& figure, const Row& row, const char* key, long double width) {
  if (!row.contains(key)) return;
  SCOPED_TRACE(key);
  const long double truth = decimal(row, key), slack = row.at("error").get<long double>();
  EXPECT_LE(figure.lower, truth * (1 + slack));
  EXPECT_GE(figure.upper, truth * (1 - slack));
  EXPECT_LE(figure.upper - figure.lower, width * figure.upper);
}

TEST(SamplingTruth, EveryDeltaLiesInItsInterval) {
  const auto rows = read_table("sampling_delta.jsonl");
  ASSERT_EQ(rows.size(), 87U);
  for (const Row& row : rows) {
    expect_row(row, [&](const Plan& plan) {
      const bool single = !row.at("plan").at("steps").at(0).contains("count");
      const ExactAnswer answer = PrivacyProfile(plan).delta(row.at("epsilon"));
      expect_holds(answer.remove, row, "delta_remove", single ? 1e-9L : 1e-3L);
      expect_holds(answer.add, row, "delta_add", single ? 1e-9L : 1e-3L);
      EXPECT_EQ(answer.worst.upper, std::max(answer.remove.upper, answer.add.upper));
    });
  }
}

}  // namespace
}  // namespace renyi::sampling_test
