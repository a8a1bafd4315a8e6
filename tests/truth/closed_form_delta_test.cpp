// delta(epsilon) in closed form against independent tables, and its inverse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::closed_form_delta_test {
namespace {

using test::Row;

constexpr double ulp = std::numeric_limits<double>::epsilon();

Plan plan_of(Mechanism mechanism, const Row& row) {
  return Plan().add(std::move(mechanism), row.at("count").get<std::int64_t>());
}

PrivacyProfile accountant_of(const Plan& plan) {
  ExactOptions options;
  options.engine = Engine::closed_form;
  return PrivacyProfile(plan, options);
}

const ExactInterval& of(const ExactAnswer& answer, Direction direction) {
  return direction == Direction::remove ? answer.remove : answer.add;
}

// Widths are promised relative to delta: 1e-8, or 8 units of what its exponent rounds by.
double promised_width(const Plan& plan, Direction direction, double epsilon) {
  const auto curve = compose(plan);
  const double c = renyi_delta(*curve, epsilon).order - 1;
  if (!(c > 0 && c < 1e6)) return 1e-8;
  return std::max(1e-8, 8 * ulp * (curve->log_moment(c, direction).value + c * epsilon));
}

// Below the smallest normal doubles there are fewer digits to have.
constexpr long double fewer_digits = 1e-290L;

void expect_inside(const Plan& plan, Direction direction, double epsilon, long double truth) {
  const ExactInterval figure = of(accountant_of(plan).delta(epsilon), direction);
  EXPECT_LE(static_cast<long double>(figure.lower), truth);
  EXPECT_GE(static_cast<long double>(figure.upper), truth);
  EXPECT_GE(figure.lower, 0);
  EXPECT_LE(figure.upper, 1);
  if (truth > fewer_digits) {
    EXPECT_LE((figure.upper - figure.lower) / truth, promised_width(plan, direction, epsilon));
  }
}

double delta_at(const Plan& plan, Direction direction, double epsilon) {
  return of(accountant_of(plan).delta(epsilon), direction).upper;
}

// delta -> epsilon -> delta.
void expect_round_trip(const Plan& plan, Direction direction, double delta) {
  const ExactInterval epsilon = of(accountant_of(plan).epsilon(delta), direction);
  ASSERT_LE(epsilon.lower, epsilon.upper);
  ASSERT_TRUE(std::isfinite(epsilon.upper));
  // The ends prove themselves.
  EXPECT_LE(of(accountant_of(plan).delta(epsilon.upper), direction).lower, delta);
  if (epsilon.lower > 0) {
    EXPECT_GE(of(accountant_of(plan).delta(epsilon.lower), direction).upper, delta);
  }
  if (epsilon.upper == 0) return;
  const double back = delta_at(plan, direction, epsilon.upper), forth = delta_at(plan, direction, epsilon.lower);
  // Six units of epsilon: what its own rounding does to delta where the profile is steep.
  const double step = delta_at(plan, direction, epsilon.upper * (1 - 6 * ulp)) / back - 1;
  EXPECT_LE(std::abs(back / delta - 1), std::max(1e-10, step));
  // Narrow, unless delta itself cannot tell the two ends apart: there the profile is flat.
  const bool flat = forth <= delta * (1 + 8 * ulp) && back >= delta * (1 - 8 * ulp);
  if (!flat) {
    EXPECT_LE(epsilon.upper - epsilon.lower, std::max(1e-9 * epsilon.upper, 1e-12));
  }
}

TEST(ClosedFormDeltaTruth, GaussianCompositions) {
  const auto table = test::read_table("gaussian_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 106U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const Plan plan = plan_of(Gaussian{row.at("sigma").get<double>()}, row);
    // Two directions, one pair.
    for (const Direction direction : test::both_directions) {
      expect_inside(plan, direction, row.at("epsilon").get<double>(), test::decimal(row, "delta"));
    }
  }
}

TEST(ClosedFormDeltaTruth, OneSampledGaussian) {
  int rows = 0;
  for (const Row& row : test::read_table("few_steps_delta.jsonl")) {
    if (row.at("count") != 1) continue;
    SCOPED_TRACE(row.dump());
    ++rows;
    const Plan plan = plan_of(SampledGaussian{row.at("q").get<double>(), row.at("sigma").get<double>()}, row);
    for (const Direction direction : test::both_directions) {
      expect_inside(plan, direction, row.at("epsilon").get<double>(),
                    test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add"));
    }
  }
  EXPECT_EQ(rows, 45);
}

TEST(ClosedFormDeltaTruth, Atoms) {
  int rows = 0;
  for (const Row& row : test::read_table("atoms_composition_delta.jsonl")) {
    const bool response = row.at("mechanism") == "randomized-response";
    if (!response && row.at("count") != 1) continue;
    SCOPED_TRACE(row.dump());
    ++rows;
    const Mechanism mechanism = response ? Mechanism(RandomizedResponse{row.at("truth_probability").get<double>()})
                                         : Mechanism(Laplace{row.at("scale").get<double>()});
    const Plan plan = plan_of(mechanism, row);
    expect_inside(plan, Direction::remove, row.at("epsilon").get<double>(), test::decimal(row, "delta"));
  }
  EXPECT_EQ(rows, 87);
}

TEST(ClosedFormDeltaTruth, ExtremesOfEveryKind) {
  const auto table = test::read_table("closed_form_delta.jsonl");
  ASSERT_EQ(table.size(), 808U);
  for (const Row& row : table) {
    const Plan plan = plan_of(test::mechanism_of(row), row);
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const long double truth = test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add");
      expect_inside(plan, direction, row.at("epsilon").get<double>(), truth);
    }
  }
}

TEST(ClosedFormDeltaTruth, EpsilonGoesBackToDelta) {
  for (const Row& row : test::read_table("closed_form_delta.jsonl")) {
    const Plan plan = plan_of(test::mechanism_of(row), row);
    for (const Direction direction : test::both_directions) {
      const auto delta =
          static_cast<double>(test::decimal(row, direction == Direction::remove ? "delta_remove" : "delta_add"));
      if (!(delta > 0 && delta <= 0.9)) continue;
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      expect_round_trip(plan, direction, delta);
    }
  }
}

}  // namespace
}  // namespace renyi::closed_form_delta_test
