// The shuffle model against an independent high-precision table of the pair of clones (data/README.md).
#include <gtest/gtest.h>

#include "renyi/cost.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/truth_table.h"

namespace renyi::shuffle_model_test {
namespace {

using test::Row;

long double number(const Row& text) { return std::strtold(text.get<std::string>().c_str(), nullptr); }

// Up to some 60 people the pair is the one of the table; for more, a pair that dominates it closely.
TEST(ShuffleModelTruth, NothingIsBelowThePairOfClonesOrFarAboveIt) {
  const auto rows = test::read_table("shuffle_model.jsonl");
  ASSERT_EQ(rows.size(), 22U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dump());
    const double people = row.at("people");
    const Analysis plan(Plan(Neighbors::replace_one)
                            .add(ShuffleModel{row.at("epsilon_local"), people, row.at("categories").get<double>()}));
    const long double excess = people <= 60 ? 1e-8L : 2e-3L;
    for (std::size_t i = 0; i < row.at("epsilons").size(); ++i) {
      const long double truth = number(row.at("deltas").at(i));
      const double upper = delta(plan, row.at("epsilons").at(i).get<double>()).exact->worst.upper;
      EXPECT_GE(upper, truth * (1 - 1e-15L));
      EXPECT_LE(upper, truth * (1 + excess));
    }
    for (std::size_t i = 0; i < row.at("orders").size(); ++i) {
      const double order = row.at("orders").at(i);
      const long double truth = number(row.at("divergences").at(i));
      const double upper = rdp(plan, {&order, 1}, {}).at(0).upper();
      EXPECT_GE(upper, truth * (1 - 1e-12L));
      EXPECT_LE(upper, truth * (1 + excess));
    }
  }
}

}  // namespace
}  // namespace renyi::shuffle_model_test
