// The lattice engine against exact deltas of few steps and of losses with atoms.
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::lattice_test {
namespace {

using test::Row;

PrivacyProfile accountant_for(const Mechanism& mechanism, const Row& row) {
  Plan plan;
  plan.add(mechanism, row.at("count").get<std::int64_t>());
  return PrivacyProfile(plan, {.engine = Engine::lattice});
}

TEST(LatticeTruth, FewSampledGaussians) {
  const auto table = test::read_table("few_steps_delta.jsonl");
  ASSERT_EQ(table.size(), 85U);
  int wide = 0;
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const auto accountant =
        accountant_for(SampledGaussian{row.at("q").get<double>(), row.at("sigma").get<double>()}, row);
    const ExactAnswer answer = accountant.delta(row.at("epsilon").get<double>());
    for (const Direction direction : test::both_directions) {
      const bool removes = direction == Direction::remove;
      const ExactInterval& figure = removes ? answer.remove : answer.add;
      const long double truth = test::decimal(row, removes ? "delta_remove" : "delta_add");
      EXPECT_LE(static_cast<long double>(figure.lower), truth * (1 + 1e-16L));
      EXPECT_GE(static_cast<long double>(figure.upper), truth * (1 - 1e-16L));
      wide += figure.upper - figure.lower > 1e-4L * truth;
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
    const ExactInterval figure = accountant_for(mechanism, row).delta(epsilon).worst;
    const long double truth = test::decimal(row, "delta");
    EXPECT_LE(static_cast<long double>(figure.lower), truth * (1 + 1e-16L));
    EXPECT_GE(static_cast<long double>(figure.upper), truth * (1 - 1e-16L));
    EXPECT_LE(figure.upper - figure.lower, (laplace ? 1.1e-5L : 1e-9L) * truth);
  }
}

}  // namespace
}  // namespace renyi::lattice_test
