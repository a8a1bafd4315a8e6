#include "api/openapi.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace renyi::test::openapi_test {
namespace {

// A member that was added to the table without words about it makes the description throw.
TEST(OpenApi, HasWordsForEveryMember) {
  const auto document = nlohmann::json::parse(api::openapi());
  for (const auto& [name, schema] : document.at("components").at("schemas").items()) {
    if (!schema.contains("properties") || name == "Error" || name == "Token" || name == "Session") continue;
    for (const auto& [key, member] : schema.at("properties").items()) {
      EXPECT_FALSE(member.at("description").get<std::string>().empty()) << name << '.' << key;
    }
  }
}

TEST(OpenApi, OffersNoMemberThatIsTheServersOwn) {
  const auto document = nlohmann::json::parse(api::openapi());
  const auto& charge = document.at("components").at("schemas").at("ledger-charge").at("properties");
  for (const char* key : {"op", "verb", "ledger", "witness", "patience", "key"})
    EXPECT_FALSE(charge.contains(key)) << key;
  EXPECT_TRUE(charge.contains("steps"));
}

}  // namespace
}  // namespace renyi::test::openapi_test
