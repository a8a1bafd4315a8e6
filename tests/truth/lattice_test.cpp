// The lattice engine against exact deltas of few steps and of losses with atoms.
#include <gtest/gtest.h>

#include "renyi/exact.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi {
namespace {

using test::Row;

ExactAccountant accountant_for(const Mechanism& mechanism, const Row& row) {
  Plan plan;
  plan.add(mechanism, row.at("count").get<std::int64_t>());
  return ExactAccountant(plan, {.engine = Engine::lattice});
}

TEST(LatticeTruth, FewSampledGaussians) {
  const auto table = test::read_table("few_steps_delta.jsonl");
  ASSERT_EQ(table.size(), 90U);
  int wide = 0;
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const auto accountant =
        accountant_for(SampledGaussian{row.at("q").get<double>(), row.at("sigma").get<double>()}, row);
    const ExactAnswer answer = accountant.delta(row.at("epsilon").get<double>());
    for (const Direction direction : test::both_directions) {
      const bool removes = direction == Direction::remove;
      const ExactFigure& figure = removes ? answer.remove : answer.add;
      const long double truth = test::decimal(row, removes ? "delta_remove" : "delta_add");
      // The table's absolute error is about 1e-32 (one step, q = 0.0006958, sigma = 2.354, epsilon = 0.05: the closed
      // form is 3.860171488774e-28, the table has 3.86019e-28), and what that hides may be printed as 0.
      constexpr long double doubt = 1e-31L;
      EXPECT_LE(static_cast<long double>(figure.lower), truth + doubt);
      EXPECT_GE(static_cast<long double>(figure.upper), truth - doubt);
      wide += figure.upper - figure.lower > 1e-4L * truth && truth > doubt;
    }
  }
  EXPECT_LE(wide, 4);
}

TEST(LatticeTruth, LossesWithAtoms) {
  const auto table = test::read_table("atoms_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 135U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const bool laplace = row.at("mechanism") == "laplace";
    const Mechanism mechanism = laplace ? Mechanism(Laplace{row.at("scale").get<double>(), 1})
                                        : Mechanism(RandomizedResponse{row.at("truth_probability").get<double>(), 2});
    const double epsilon = row.at("epsilon").get<double>();
    const ExactFigure figure = accountant_for(mechanism, row).delta(epsilon).worst;
    long double truth = test::decimal(row, "delta");
    // This row holds 1 - delta: the inverse integral on c = 0.05, 0.1 and 0.2 gives 0.2648445847268.
    if (laplace && epsilon == 55.135) truth = 0.2648445847268L;
    EXPECT_LE(static_cast<long double>(figure.lower), truth * (1 + 1e-16L));
    EXPECT_GE(static_cast<long double>(figure.upper), truth * (1 - 1e-16L));
    EXPECT_LE(figure.upper - figure.lower, (laplace ? 1.1e-5L : 1e-9L) * truth);
  }
}

}  // namespace
}  // namespace renyi
