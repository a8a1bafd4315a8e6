#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/extras/certify.h"
#include "renyi/plan.h"

namespace renyi::api::mechanisms_test {
namespace {

using json::Json;

Json ask(const std::string& rest = "") { return Json::parse(answer(R"({"op":"mechanisms")" + rest + "}")); }

std::string error_path(const std::string& rest) { return ask(rest).at("error").at("path").get<std::string>(); }

Plan plan_of(const Json& step, const std::string& neighbors = "add-or-remove-one") {
  return read_plan(R"({"renyi":1,"neighbors":")" + neighbors + R"(","steps":[)" + step.dump() + "]}");
}

TEST(MechanismsRequest, ListsEveryMechanismInTheOrderOfTheTable) {
  const Json entries = ask().at("mechanisms");
  ASSERT_EQ(entries.size(), all_mechanisms().size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Mechanism& mechanism = all_mechanisms()[i];
    EXPECT_EQ(entries[i].at("kind"), std::string(mechanism.kind()));
    EXPECT_EQ(entries[i].at("parameters").size(), mechanism.parameters().size());
    EXPECT_EQ(entries[i].at("tables").size(), mechanism.tables().size());
    EXPECT_EQ(entries[i].at("references").size(), mechanism.notes().references.size());
    EXPECT_EQ(entries[i].at("certified"), has_certified_method(mechanism));
  }
}

TEST(MechanismsRequest, OneByItsKind) {
  const Json answer = ask(R"(,"kind":"gaussian","id":7)");
  EXPECT_EQ(answer.at("id"), 7);
  EXPECT_FALSE(answer.contains("forms"));
  ASSERT_EQ(answer.at("mechanisms").size(), 1U);
  const Json& entry = answer.at("mechanisms")[0];
  EXPECT_EQ(entry.at("summary"), std::string(find_mechanism("gaussian")->summary()));
  const Json& stddev = entry.at("parameters")[0];
  EXPECT_EQ(stddev.at("name"), "stddev");
  EXPECT_EQ(stddev.at("effect"), "lowers-cost");
  EXPECT_EQ(stddev.at("allowed"), find_mechanism(Gaussian::kind)->parameters()[0].allowed());
  EXPECT_FALSE(stddev.contains("default"));
  EXPECT_EQ(entry.at("parameters")[1].at("default"), 1);
  EXPECT_EQ(entry.at("aliases")[0].at("name"), "noise_multiplier");
  EXPECT_EQ(entry.at("known_by"), "loss");
  EXPECT_EQ(entry.at("sampling"), "any scheme");
  EXPECT_EQ(entry.at("groups"), "own rule");
  EXPECT_EQ(entry.at("certified"), can_certify());
  EXPECT_EQ(entry.at("references")[0].at("bibtex").get<std::string>().find('@'), 0U);
}

TEST(MechanismsRequest, SaysHowMuchIsKnownAndWhatIsNever) {
  const auto entry = [](const std::string& kind) { return ask(R"(,"kind":")" + kind + '"').at("mechanisms")[0]; };
  EXPECT_EQ(entry("gdp").at("known_by"), "profile");
  EXPECT_EQ(entry("zcdp").at("known_by"), "orders");
  EXPECT_EQ(entry("sampled-gaussian").at("sampling").at("unavailable"), "it is sampled already");
  EXPECT_EQ(entry("sampled-gaussian").at("groups"), "general bound");
}

// The example of a mechanism is a step of that mechanism.
TEST(MechanismsRequest, ExamplesAreSteps) {
  const Json answer = ask();
  for (const Json& entry : answer.at("mechanisms")) {
    const Mechanism& mechanism = *find_mechanism(entry.at("kind").get<std::string>());
    const bool replaces = !mechanism.replacement_only().empty();
    const Plan plan = plan_of(entry.at("example"), replaces ? "replace-one" : "add-or-remove-one");
    EXPECT_EQ(std::get<Mechanism>(plan.steps().at(0).what), mechanism);
  }
  std::set<std::string> keys;
  for (const Json& form : answer.at("forms")) {
    keys.insert(form.at("key").get<std::string>());
    EXPECT_TRUE(form.at("example").contains(form.at("key").get<std::string>()));
    EXPECT_EQ(plan_of(form.at("example")).steps().size(), 1U);
  }
  EXPECT_TRUE(keys.contains("plan") && keys.contains("parallel"));
}

TEST(MechanismsRequest, ListsTheSchemesWithTheirNumbers) {
  const Json schemes = ask().at("schemes");
  ASSERT_EQ(schemes.size(), all_schemes.size());
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    EXPECT_EQ(schemes[i].at("scheme"), std::string(to_string(all_schemes[i])));
    EXPECT_EQ(schemes[i].at("parameters").size(), parameters(all_schemes[i]).size());
    EXPECT_FALSE(schemes[i].at("summary").get<std::string>().empty());
  }
}

TEST(MechanismsRequest, RefusesOtherKeysAndKinds) {
  EXPECT_EQ(error_path(R"(,"kind":"gauss")"), "kind");
  EXPECT_EQ(error_path(R"(,"kind":3)"), "kind");
  EXPECT_EQ(error_path(R"(,"steps":[])"), "steps");
}

}  // namespace
}  // namespace renyi::api::mechanisms_test
