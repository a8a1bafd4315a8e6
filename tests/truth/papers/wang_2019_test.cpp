// The figure of Wang, Balle, Kasiviswanathan 2019 (arXiv:1808.00087) that compares bounds for samples without
// replacement at rate 0.001, order by order, against sums and integrals of many digits
// (docs/math/published-comparisons.md).
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "renyi/mechanism.h"
#include "renyi/papers/sampling_bounds.h"
#include "support/truth_table.h"

namespace renyi::wang_2019_test {
namespace {

using test::decimal;
using test::Row;

constexpr double rate = 0.001;

std::shared_ptr<const Curve> step_of(const Row& row) {
  const std::map<std::string, std::shared_ptr<const Curve>> steps{
      {"gaussian", Mechanism(Gaussian{5}).curve()},
      {"laplace", Mechanism(Laplace{2, 1}).curve()},
      {"randomized-response", Mechanism(RandomizedResponse{0.6, 2}).curve()},
  };
  return steps.at(row.at("mechanism"));
}

void expect_just_above(double bound, long double truth) {
  EXPECT_GE(bound, truth * (1 - 1e-18L));
  EXPECT_LE(bound, truth * (1 + 1e-11L));
}

class WangFigure : public testing::Test {
 protected:
  const std::vector<Row> table = test::read_table("fixed_size_sampling.jsonl");
};

TEST_F(WangFigure, GeneralBound) {
  ASSERT_EQ(table.size(), 33U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    expect_just_above(rdp(*without_replacement_bound(step_of(row), rate), row.at("order")).upper(),
                      decimal(row, "general"));
  }
}

TEST_F(WangFigure, TightBoundOfTheGaussian) {
  int rows = 0;
  for (const Row& row : table) {
    if (row.at("mechanism") != "gaussian") continue;
    SCOPED_TRACE(row.dump());
    expect_just_above(without_replacement_gaussian_bound(5, rate, row.at("order")).upper(), decimal(row, "tight"));
    ++rows;
  }
  EXPECT_EQ(rows, 11);
}

// Their lower bound is what Poisson sampling leaves of the same curve in the direction remove.
TEST_F(WangFigure, LowerBound) {
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const auto sampled = poisson_bound(step_of(row), rate);
    expect_just_above(divergence(*sampled, row.at("order"), Direction::remove).upper(), decimal(row, "lower"));
  }
}

// The order of the figure's curves, and how far apart they are: the truth lies between the lower bound and the closure.
TEST_F(WangFigure, CurvesLieAsInTheFigure) {
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const long double lower = decimal(row, "lower"), closure = decimal(row, "closure"),
                      general = decimal(row, "general");
    EXPECT_LE(lower, closure);
    EXPECT_LT(closure, general);
    EXPECT_LT(closure, 1.25L * lower);
    // A factor 4 at order 2 that grows before the curve of the Gaussian leaves the quadratic part, and vanishes after.
    EXPECT_LT(general, 10 * lower);
    if (!row.contains("tight")) continue;
    EXPECT_LT(closure, decimal(row, "tight"));
    EXPECT_LT(decimal(row, "tight"), 4.2L * lower);
  }
}

}  // namespace
}  // namespace renyi::wang_2019_test
