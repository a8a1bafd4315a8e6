// Exact deltas and epsilons of compositions of sampled Gaussians, both directions.
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::exact_contour_test {
namespace {

using test::Row;

const ExactOptions by_contour{.engine = Engine::contour};

Plan plan_of(const Row& row) {
  Plan plan;
  for (const Row& m : row.at("mechanisms")) {
    plan.add(SampledGaussian{m.at("q").get<double>(), m.at("sigma").get<double>()}, m.at("steps").get<std::int64_t>());
  }
  return plan;
}

const ExactInterval& in(const ExactAnswer& answer, Direction direction) {
  return direction == Direction::remove ? answer.remove : answer.add;
}

// The table has 17 digits: this much of a value is its own rounding.
constexpr long double digits = 6e-17L;

TEST(ExactContourTruth, EveryDeltaLiesInItsInterval) {
  const auto table = test::read_table("sampled_gaussian_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 80U);
  for (const Row& row : table) {
    const ExactAnswer answer = PrivacyProfile(plan_of(row), by_contour).delta(row.at("epsilon").get<double>());
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const long double truth = test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add");
      const ExactInterval& figure = in(answer, direction);
      EXPECT_LE(figure.lower, truth * (1 + digits));
      EXPECT_GE(figure.upper, truth * (1 - digits));
      EXPECT_LE(figure.upper - figure.lower, 1e-8 * figure.upper);
    }
  }
}

TEST(ExactContourTruth, EpsilonFromDeltaGoesRound) {
  for (const Row& row : test::read_table("sampled_gaussian_composition_delta.jsonl")) {
    const PrivacyProfile accountant(plan_of(row), by_contour);
    const double epsilon = row.at("epsilon").get<double>();
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const auto delta =
          static_cast<double>(test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add"));
      if (delta > 0.9) continue;
      const ExactInterval figure = in(accountant.epsilon(delta), direction);
      EXPECT_LE(figure.lower, epsilon * (1 + 1e-13));  // delta rounded to a double moves epsilon by so much
      EXPECT_GE(figure.upper, epsilon * (1 - 1e-13));
      EXPECT_LE(figure.upper - figure.lower, std::max(1e-9 * epsilon, 1e-12));
      EXPECT_NEAR(figure.lower, epsilon, 1e-10);
      EXPECT_NEAR(figure.upper, epsilon, 1e-10);
    }
  }
}

// From 34-digit arithmetic with the step halved until nothing moved.
TEST(ExactContourTruth, ReferenceEpsilons) {
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
    const ExactAnswer answer = PrivacyProfile(Plan().add(SampledGaussian{r.q, r.sigma}, r.steps)).epsilon(r.delta);
    EXPECT_EQ(answer.worst.engine, Engine::contour);
    EXPECT_EQ(answer.direction, Direction::remove);
    for (const double end : {answer.remove.lower, answer.remove.upper}) EXPECT_NEAR(end, r.remove, 5e-12);
    for (const double end : {answer.add.lower, answer.add.upper}) EXPECT_NEAR(end, r.add, 5e-12);
    EXPECT_EQ(answer.worst.upper, answer.remove.upper);
  }
}

// 200 distinct steps, 50 times each.
TEST(ExactContourTruth, AHeterogeneousSchedule) {
  Plan plan;
  for (int i = 0; i < 200; ++i) plan.add(SampledGaussian{0.001 + 0.049 * i / 199, 0.8 + 3.2 * i / 199}, 50);
  EXPECT_NEAR(PrivacyProfile(plan).epsilon(1e-6).remove.upper, 5.22541, 1e-5);
}

}  // namespace
}  // namespace renyi::exact_contour_test
