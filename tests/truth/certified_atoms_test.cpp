// Certified deltas of losses with atoms, of few steps and in closed form, against independent tables.
#include <gtest/gtest.h>

#include "renyi/extras/certify.h"
#include "support/expect.h"
#include "support/truth_table.h"

namespace renyi::certified_atoms_test {
namespace {

using test::Row;

Plan plan_of(Mechanism mechanism, const Row& row) {
  return Plan().add(std::move(mechanism), row.at("count").get<std::int64_t>());
}

// The enclosure meets truth +- doubt, and its width is at most `share` of the truth. Tables have some 18 to 25 digits.
void expect_held(const Plan& plan, Direction direction, double epsilon, const std::string& truth, long double doubt,
                 long double share) {
  const Certified found = certified::delta(plan, epsilon, direction);
  // To 64 bits; deltas below the smallest double are 0 here, and their tables' rows too.
  const long double value = std::strtold(truth.c_str(), nullptr);
  const auto lower = static_cast<long double>(rounded_down(found.value.lower));
  const auto upper = static_cast<long double>(rounded_up(found.value.upper));
  EXPECT_LE(lower, value + doubt);
  EXPECT_GE(upper, value - doubt);
  constexpr long double smallest_normal = 1e-290L;
  if (value > 1e6L * doubt && value > smallest_normal) {
    // Two roundings to double besides.
    EXPECT_LE(upper - lower, share * value + 3e-16L * upper) << found.method;
  }
}

constexpr long double digits = 1e-16L;
constexpr long double closed_form_width = 1e-12L;
constexpr long double lattice_width = 1e-3L;

TEST(CertifiedAtomsTruth, GaussianCompositions) {
  const auto table = test::read_table("gaussian_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 106U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const auto truth = row.at("delta").get<std::string>();
    expect_held(plan_of(Gaussian{row.at("sigma").get<double>()}, row), Direction::remove,
                row.at("epsilon").get<double>(), truth, digits * test::decimal(row, "delta"), closed_form_width);
  }
}

TEST(CertifiedAtomsTruth, ExtremesInClosedForm) {
  const auto table = test::read_table("closed_form_delta.jsonl");
  ASSERT_EQ(table.size(), 808U);
  for (const Row& row : table) {
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const char* key = direction == Direction::remove ? "delta_remove" : "delta_add";
      expect_held(plan_of(test::mechanism_of(row), row), direction, row.at("epsilon").get<double>(),
                  row.at(key).get<std::string>(), digits * test::decimal(row, key), closed_form_width);
    }
  }
}

TEST(CertifiedAtomsTruth, FewSampledGaussians) {
  const auto table = test::read_table("few_steps_delta.jsonl");
  ASSERT_EQ(table.size(), 85U);
  for (const Row& row : table) {
    const Plan plan = plan_of(SampledGaussian{row.at("q").get<double>(), row.at("sigma").get<double>()}, row);
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(row.dump() + test::name_of(direction));
      const char* key = direction == Direction::remove ? "delta_remove" : "delta_add";
      expect_held(plan, direction, row.at("epsilon").get<double>(), row.at(key).get<std::string>(),
                  digits * test::decimal(row, key), row.at("count") == 1 ? closed_form_width : lattice_width);
    }
  }
}

TEST(CertifiedAtomsTruth, LossesWithAtoms) {
  const auto table = test::read_table("atoms_composition_delta.jsonl");
  ASSERT_EQ(table.size(), 135U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.dump());
    const bool laplace = row.at("mechanism") == "laplace";
    const Mechanism mechanism = laplace ? Mechanism(Laplace{row.at("scale").get<double>(), 1})
                                        : Mechanism(RandomizedResponse{row.at("truth_probability").get<double>(), 2});
    const double epsilon = row.at("epsilon").get<double>();
    const bool closed = !laplace || row.at("count") == 1;
    expect_held(plan_of(mechanism, row), Direction::remove, epsilon, row.at("delta").get<std::string>(),
                2 * digits * test::decimal(row, "delta"), closed ? closed_form_width : lattice_width);
  }
}

}  // namespace
}  // namespace renyi::certified_atoms_test
