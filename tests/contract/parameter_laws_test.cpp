// Checks the ranges and the effects that the table of parameters states.
#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::parameter_laws_test {
namespace {

using test::expect_not_above;

TEST(ParameterLaws, EveryMechanismHasNamesAndParameters) {
  ASSERT_GE(all_mechanisms().size(), 5U);
  for (const Mechanism& m : all_mechanisms()) {
    EXPECT_FALSE(m.kind().empty());
    EXPECT_FALSE(m.summary().empty());
    EXPECT_EQ(find_mechanism(m.kind())->kind(), m.kind());
    EXPECT_EQ(m.parameters().size(), m.values().size());
    for (const Parameter& p : m.parameters()) EXPECT_FALSE(p.name.empty() || p.meaning.empty());
  }
  EXPECT_EQ(find_mechanism("no-such-mechanism"), nullptr);
}

std::vector<double> outside(const Parameter& p) {
  std::vector<double> values{std::numeric_limits<double>::quiet_NaN(),
                             test::infinity,
                             -test::infinity,
                             -1,
                             std::nextafter(p.highest, test::infinity),
                             std::nextafter(p.lowest, -test::infinity)};
  if (!p.lowest_allowed) values.push_back(p.lowest);
  if (!p.highest_allowed) values.push_back(p.highest);
  if (p.whole) values.push_back(p.lowest + 0.5);
  // The range may hold negative numbers, and 0 below its lowest.
  std::erase_if(values, [&](double value) { return (value == -1 || value == 0) && p.allows(value); });
  // Infinity stands for a number that is left out.
  std::erase_if(values, [&](double value) { return p.is_left_out(value); });
  return values;
}

TEST(ParameterLaws, ValuesOutOfRangeAreRefusedByName) {
  for (const Mechanism& m : all_mechanisms()) {
    for (const Parameter& p : m.parameters()) {
      for (const double value : outside(p)) {
        SCOPED_TRACE(std::string(m.kind()) + "." + std::string(p.name) + " = " + std::to_string(value));
        EXPECT_FALSE(p.allows(value));
        try {
          const Mechanism accepted = m.with(p.name, value);
          ADD_FAILURE() << "accepted";
        } catch (const InvalidArgument& error) {
          EXPECT_EQ(error.path(), p.name);
          EXPECT_EQ(error.allowed(), p.allowed());
        }
      }
    }
    EXPECT_THROW(static_cast<void>(m.with("no_such_parameter", 1)), InvalidArgument);
  }
}

// Compares the cost at each value with that at the next larger one. Values that the other parameters do not allow are
// omitted.
void expect_effect(const Mechanism& m, const Parameter& p, std::vector<double> values) {
  std::erase_if(values, [&](double value) { return !test::with_value(m, p, value); });
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    SCOPED_TRACE(test::describe(m) + " " + std::string(p.name) + " " + std::to_string(values[i]));
    const Mechanism low = m.with(p.name, values[i]), high = m.with(p.name, values[i + 1]);
    const bool raises = p.effect == Effect::raises_cost;
    const auto cheap = (raises ? low : high).curve(), dear = (raises ? high : low).curve();
    for (const double order : test::some_orders()) expect_not_above(rdp(*cheap, order), rdp(*dear, order));
    expect_not_above(rdp(*cheap, test::infinity), rdp(*dear, test::infinity));
  }
}

// More noise never costs more; more sampling, sensitivity or epsilon never less.
TEST(ParameterLaws, CostFollowsTheStatedEffect) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    for (const Mechanism& m : test::corners_of(mechanism, 1)) {  // a second parameter varies too
      for (const Parameter& p : m.parameters()) {
        if (p.effect != Effect::not_monotone) expect_effect(m, p, test::corner_values(p, 0.7));
      }
    }
  }
}

// A number in the midst of the range.
double ordinary(const Mechanism& m, const Parameter& p) {
  for (const double value : {0.6, 2.6}) {
    if (p.allows(value)) return value;
  }
  const auto values = m.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (m.parameters()[i].name == p.name) return values[i];
  }
  return p.lowest;
}

// Values a hair apart, where the order of two costs is decided by rounding.
TEST(ParameterLaws, CostFollowsTheStatedEffectClosely) {
  for (const Mechanism& m : test::everyday_settings()) {
    for (const Parameter& p : m.parameters()) {
      if (p.effect == Effect::not_monotone || p.whole) continue;
      std::vector<double> values;
      for (int i = 0; i < 8; ++i) values.push_back(ordinary(m, p) * (1 + 1e-11 * i));
      expect_effect(m, p, values);
    }
  }
}

}  // namespace
}  // namespace renyi::parameter_laws_test
