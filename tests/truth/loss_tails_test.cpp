// Tails of the loss against exact deltas: delta(t) = Pr_P[L > t] - e^t Pr_Q[L > t].
#include <gtest/gtest.h>

#include "loss/contour.h"
#include "renyi/plan.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::loss_tails_test {
namespace {

using loss::contour_integral;
using loss::Kernel;
using test::Row;

Plan plan_of(const Row& row) {
  Plan plan;
  for (const Row& m : row.at("mechanisms")) {
    plan.add(SampledGaussian{m.at("q").get<double>(), m.at("sigma").get<double>()}, m.at("steps").get<std::int64_t>());
  }
  return plan;
}

TEST(LossTailsTruth, TheirDifferenceIsDelta) {
  const auto table = test::read_table("sampled_gaussian_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 80U);
  int served = 0;
  for (const Row& row : table) {
    const auto curve = compose(plan_of(row));
    const double t = row.at("epsilon").get<double>();
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const long double truth = test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add");
      const auto p = contour_integral(*curve, direction, t, Kernel::tail);
      const auto q = contour_integral(*curve, direction, t, Kernel::other_tail);
      if (!p || !q) continue;
      ++served;
      EXPECT_GE(truth, static_cast<long double>(p->lower) - static_cast<long double>(q->upper));
      EXPECT_LE(truth, static_cast<long double>(p->upper) - static_cast<long double>(q->lower));
      EXPECT_LE(p->upper - p->lower, 1e-8 * p->upper);
      EXPECT_LE(q->upper - q->lower, 1e-8 * q->upper);
    }
  }
  EXPECT_GE(served, 158);  // the tails decay more slowly than delta
}

}  // namespace
}  // namespace renyi::loss_tails_test
