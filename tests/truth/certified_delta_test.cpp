// Certified deltas and epsilons against independent tables: contained, and narrow.
#include <gtest/gtest.h>

#include "renyi/extras/certify.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::certified_delta_test {
namespace {

using test::Row;

// The table has 17 digits: this much of a value is its own rounding.
constexpr long double digits = 6e-17L;

void expect_held(const Certified& figure, long double truth, long double precision, double widest) {
  const double lower = rounded_down(figure.value.lower);
  const double upper = rounded_up(figure.value.upper);
  EXPECT_LE(lower, truth * (1 + precision));
  EXPECT_GE(upper, truth * (1 - precision));
  EXPECT_LE(upper - lower, widest * upper);
}

Plan plan_of(const Row& row) {
  Plan plan;
  for (const Row& m : row.at("mechanisms")) {
    plan.add(SampledGaussian{m.at("q").get<double>(), m.at("sigma").get<double>()}, m.at("steps").get<std::int64_t>());
  }
  return plan;
}

TEST(CertifiedDeltaTruth, EverySampledGaussianComposition) {
  const auto table = test::read_table("sampled_gaussian_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 80U);
  for (const Row& row : table) {
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const long double truth = test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add");
      const Certified figure = certified::delta(plan_of(row), row.at("epsilon").get<double>(), direction);
      EXPECT_EQ(figure.method, "contour integral");
      expect_held(figure, truth, digits, 1e-9);
    }
  }
}

// The verifier's line, on every fourth row.
TEST(CertifiedDeltaTruth, SecondRoute) {
  const auto table = test::read_table("sampled_gaussian_composition_delta.jsonl");
  for (std::size_t i = 0; i < table.size(); i += 4) {
    const Row& row = table[i];
    SCOPED_TRACE(row.dump());
    const Plan plan = plan_of(row);
    const double epsilon = row.at("epsilon").get<double>();
    const Certified second = certified::delta(plan, epsilon, Direction::remove, Route::second);
    expect_held(second, test::decimal(row, "delta_remove"), digits, 1e-12);
    EXPECT_TRUE(contains(certified::delta(plan, epsilon, Direction::remove).value, second.value));
  }
}

// The contour is the second route of Gaussians.
TEST(CertifiedDeltaTruth, GaussiansByTheContour) {
  int met = 0;
  for (const Row& row : test::read_table("gaussian_composition_delta.jsonl")) {
    const auto count = row.at("count").get<std::int64_t>();
    const long double truth = test::decimal(row, "delta");
    if (truth == 0) continue;
    SCOPED_TRACE(row.dump());
    const Plan plan = Plan().add(Gaussian{row.at("sigma").get<double>(), 1}, count);
    const Certified figure = certified::delta(plan, row.at("epsilon").get<double>(), Direction::remove, Route::second);
    EXPECT_EQ(figure.method, "contour integral");
    expect_held(figure, truth, digits, 1e-12);
    ++met;
  }
  EXPECT_GT(met, 50);
}

// The references come from 34-digit arithmetic, with the step halved until nothing changed; they have 13 digits.
TEST(CertifiedDeltaTruth, ReferenceEpsilons) {
  struct Reference {
    double q, sigma;
    std::int64_t steps;
    double delta, remove, add;
  };
  for (const Reference& r : {Reference{0.01, 1.1, 10'000, 1e-5, 5.192583445883, 4.806500065667},
                             Reference{0.001, 0.8, 100'000, 1e-6, 2.914478334989, 2.724264268613},
                             Reference{0.1, 5, 1'000, 1e-8, 3.580172278359, 3.458314738152},
                             Reference{256.0 / 60000, 1.1, 14'040, 1e-5, 2.379554518826, 2.241547252366}}) {
    SCOPED_TRACE(r.remove);
    const Plan plan = Plan().add(SampledGaussian{r.q, r.sigma}, r.steps);
    expect_held(certified::epsilon(plan, r.delta, Direction::remove), r.remove, 0, 1e-10);
    expect_held(certified::epsilon(plan, r.delta, Direction::add), r.add, 0, 1e-10);
    for (const Direction direction : test::both_directions) {
      const Certified sharp = certified::epsilon(plan, r.delta, direction, Route::second);
      expect_held(sharp, direction == Direction::remove ? r.remove : r.add, 3e-13L, 1e-13);
    }
  }
}

}  // namespace
}  // namespace renyi::certified_delta_test
