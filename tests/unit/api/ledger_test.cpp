// Requests about ledgers, as lines of JSON.
#include "api/ledger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "support/temporary_directory.h"

namespace renyi::api::ledger_test {

using Json = nlohmann::ordered_json;

class LedgerRequests : public ::testing::Test {
 protected:
  Json ask(const std::string& members) const {
    return Json::parse(answer(R"({"op":"ledger","ledger":")" + file + R"(",)" + members + "}"));
  }
  void SetUp() override {
    ask(R"("verb":"init")");
    ask(R"("verb":"scope","scope":"a","budget":{"kind":"zcdp","rho":0.5},"neighbors":"replace-one")");
  }

  test::TemporaryDirectory directory;
  std::string file = directory.file("test.ledger");
};

TEST_F(LedgerRequests, StepsHaveTheRelationOfTheirScope) {
  const Json paid = ask(R"("verb":"charge","scope":"a","steps":[{"mechanism":"zcdp","rho":0.25}])");
  EXPECT_TRUE(paid.at("accepted").get<bool>()) << paid;
  const Json other =
      ask(R"("verb":"charge","scope":"a","neighbors":"zero-out","steps":[{"mechanism":"zcdp","rho":0.25}])");
  EXPECT_EQ(other.at("error").at("kind"), "invalid_argument") << other;
}

TEST_F(LedgerRequests, AListOfChargesIsRecordedWholeOrNotAtAll) {
  const Json bad = ask(
      R"("verb":"charge","charges":[{"scope":"a","steps":[{"mechanism":"zcdp","rho":0.1}]},{"scope":"b","steps":[]}])");
  EXPECT_TRUE(bad.contains("error")) << bad;
  EXPECT_EQ(ask(R"("verb":"head")").at("entry"), 1);
}

TEST_F(LedgerRequests, ASecretIsToldToWhoeverReserves) {
  const Json ticket = ask(R"("verb":"reserve","scope":"a","steps":[{"mechanism":"zcdp","rho":0.1}],"expires_in":60)");
  EXPECT_TRUE(ticket.contains("secret")) << ticket;
  const Json shown = ask(R"("verb":"ticket","ticket":2)");
  EXPECT_EQ(shown.at("state"), "reserved");
  EXPECT_FALSE(shown.contains("secret")) << shown;
}

TEST_F(LedgerRequests, AnExportIsVerifiedAndImported) {
  const std::string lines = ask(R"("verb":"export")").at("lines");
  const Json verified = Json::parse(answer(Json{{"op", "ledger"}, {"verb", "verify"}, {"lines", lines}}.dump()));
  EXPECT_TRUE(verified.at("valid").get<bool>()) << verified;
  const Json made = Json::parse(answer(
      Json{{"op", "ledger"}, {"verb", "import"}, {"ledger", directory.file("new.ledger")}, {"lines", lines}}.dump()));
  EXPECT_EQ(made.at("entry"), 2) << made;
}

TEST_F(LedgerRequests, ABurnDownFollowsTheLog) {
  ask(R"("verb":"charge","scope":"a","steps":[{"mechanism":"zcdp","rho":0.25}])");
  ask(R"("verb":"reserve","scope":"a","steps":[{"mechanism":"zcdp","rho":0.125}],"expires_in":60)");
  ask(R"("verb":"lower","scope":"a","budget":{"kind":"zcdp","rho":0.4})");
  ask(R"("verb":"cancel","ticket":3)");
  const Json points = ask(R"("verb":"show","scope":"a","burn_down":"entry")").at("scopes").at(0).at("burn_down");
  ASSERT_EQ(points.size(), 5U) << points;
  const auto spent = [&](int i) { return points.at(i).at("balances").at(0).at("spent").get<double>(); };
  EXPECT_EQ(spent(0), 0);
  EXPECT_NEAR(spent(1), 0.25, 1e-12);
  EXPECT_NEAR(spent(2), 0.375, 1e-12);
  EXPECT_EQ(points.at(3).at("balances").at(0).at("limit"), 0.4);
  EXPECT_NEAR(spent(4), 0.25, 1e-12);
}

}  // namespace renyi::api::ledger_test
