// Order 1 (Kullback-Leibler) and order infinity (the largest loss) of every mechanism.
#include <gtest/gtest.h>

#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::limit_orders_test {
namespace {

using test::both_directions;
using test::decimal;
using test::name_of;
using test::Row;

std::vector<Row> table() { return test::read_table("limit_orders.jsonl"); }

TEST(LimitOrdersTruth, HasItsRows) { ASSERT_EQ(table().size(), 40U); }

TEST(LimitOrdersTruth, OrderOne) {
  for (const Row& row : table()) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(row.dump() + name_of(direction));
      const Bounded d = divergence(*test::mechanism_of(row).curve(), 1, direction);
      test::expect_bounds(d, decimal(row, direction == Direction::remove ? "order_1_remove" : "order_1_add"), 1e-9L,
                          1e-10L);
    }
  }
}

TEST(LimitOrdersTruth, OrderInfinity) {
  for (const Row& row : table()) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(row.dump() + name_of(direction));
      const Bounded d = divergence(*test::mechanism_of(row).curve(), test::infinity, direction);
      const long double truth = decimal(row, direction == Direction::remove ? "order_inf_remove" : "order_inf_add");
      if (std::isinf(truth)) {
        EXPECT_EQ(d.upper(), test::infinity);
      } else {
        test::expect_bounds(test::for_binary_values(d), truth, 1e-9L, 1e-10L);
      }
    }
  }
}

}  // namespace
}  // namespace renyi::limit_orders_test
