// Names that are going away: the words of warnings, and requests with members that are deprecated.
#include "api/deprecations.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/ops.h"
#include "json/json.h"
#include "renyi/error.h"

namespace renyi::api::deprecations_test {
namespace {

using json::Json;

constexpr std::array<Deprecation, 4> table{{
    {Interface::command, "delta", "no_member", "0.1.0", "0.2.0"},
    {Interface::request, "epsilon failure", "delta", "0.1.0", "0.2.0"},
    {Interface::request, "run.sigma", "noise_multiplier", "0.3.0", "1.0.0"},
    {Interface::request, "limit", "time_limit", "0.3.0", "1.0.0"},
}};

Json warning(const std::string& words) { return {{"kind", "deprecated"}, {"message", words}}; }

Json current(const std::string& op) {
  return {{"op", op},
          {"run", {{"steps", 10}, {"sampling_rate", 0.5}, {"noise_multiplier", 4}}},
          {"delta", 1e-5},
          {"want", {"renyi"}},
          {"id", 7}};
}

TEST(Deprecations, EveryEntryIsWhole) {
  for (const Deprecation& entry : deprecations()) {
    for (const std::string_view part : {entry.name, entry.instead, entry.since, entry.goes}) EXPECT_FALSE(part.empty());
  }
}

TEST(Deprecations, AWarningSaysWhatToWriteAndUntilWhen) {
  EXPECT_EQ(warning_of(table[1]), "epsilon failure is deprecated since 0.1.0 and goes with 0.2.0: write delta");
}

TEST(Deprecations, ADeprecatedMemberIsUnderstoodAndTheAnswerWarns) {
  Json asked = current("epsilon"), expected = evaluate(asked, table);
  asked["run"].erase("noise_multiplier");
  asked["run"]["sigma"] = 4;
  asked.erase("delta");
  asked["failure"] = 1e-5;
  expected["warnings"].push_back(warning(warning_of(table[1])));
  expected["warnings"].push_back(warning(warning_of(table[2])));
  EXPECT_EQ(evaluate(asked, table), expected);
}

TEST(Deprecations, AnAnswerWithoutWarningsGetsThem) {
  Json asked{{"op", "rdp"}, {"steps", {{{"mechanism", "gaussian"}, {"noise_multiplier", 4}}}}, {"orders", {2}}};
  Json expected = evaluate(asked, table);
  EXPECT_FALSE(expected.contains("warnings"));
  asked["limit"] = 60;
  expected["warnings"] = {warning(warning_of(table[3]))};
  EXPECT_EQ(evaluate(asked, table), expected);
}

TEST(Deprecations, WithoutAnEntryTheNameIsUnknown) {
  Json asked = current("epsilon");
  asked["limit"] = 60;
  EXPECT_THROW(evaluate(asked, {}), InvalidArgument);
  asked = current("rdp");
  asked["failure"] = 1e-5;  // the entry is about another operation
  EXPECT_THROW(evaluate(asked, table), InvalidArgument);
}

TEST(Deprecations, BothNamesAtOnceAreRefused) {
  Json asked = current("epsilon");
  asked["run"]["sigma"] = 5;
  try {
    evaluate(asked, table);
    FAIL() << "two noise multipliers";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), R"(run.sigma: got 5, allowed: nothing beside "noise_multiplier")");
  }
}

TEST(Deprecations, ACertificateStandsAsItIsProved) {
  Json asked{{"op", "certify"}, {"steps", {{{"mechanism", "laplace"}, {"scale", 2}}}}, {"delta", 0.01}, {"limit", 60}};
  EXPECT_FALSE(evaluate(asked, table).contains("warnings"));
}

}  // namespace
}  // namespace renyi::api::deprecations_test
