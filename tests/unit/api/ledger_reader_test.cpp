// What is written of a ledger's answers is read back, and says the same; errors become errors again.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/api.h"
#include "api/ledger.h"
#include "renyi/error.h"
#include "support/temporary_directory.h"

namespace renyi::api::ledger_reader_test {

// A server in this process, which may lose answers.
class Server : public LedgerServer {
 public:
  explicit Server(const std::string& file) : ledger_(std::make_shared<Ledger>(Ledger::create(file))) {}

  std::string ask(std::string_view verb, const std::string& members, const std::string& key) override {
    const LedgerCall call{.verb = *ledger_verb(verb), .ledger = ledger_, .key = key, .person = "ana"};
    keys.push_back(key);
    const auto answered = [&]() -> std::string {
      try {
        return answer_call(read(members), call, [](const LedgerRequest& asked) { return answer(asked); });
      } catch (const Error& error) {
        return error_line(error);
      }
    };
    if (loses) static_cast<void>(answered());
    return answered();
  }

  std::string new_key() override { return "made-" + std::to_string(++made_); }

  bool loses = false;
  std::vector<std::string> keys{};

 private:
  std::shared_ptr<Ledger> ledger_;
  int made_ = 0;
};

class LedgerReader : public ::testing::Test {
 protected:
  void SetUp() override {
    ask(R"({"verb":"scope","scope":"a","budget":{"kind":"zcdp","rho":0.5},"cap":{"kind":"zcdp","rho":1},)"
        R"("block_rule":{"rule":"months","unit_in_one_block":true},"blocks":["m","n"],"may_cancel":false})");
  }

  Document request_of(const std::string& members) const {
    Document request = read(members);
    return request.set("op", "ledger").set("ledger", "http://server");
  }
  LedgerAnswer ask(const std::string& members) const { return answer(read_ledger(request_of(members), server)); }

  // Asks, and compares the answer with what it is after it was written and read.
  void round_trip(const std::string& members) const {
    const Document request = request_of(members);
    const LedgerRequest asked = read_ledger(request, server);
    const LedgerAnswer found = answer(asked);
    const std::string text = write(request, found);
    EXPECT_EQ(write(request, read_ledger_answer(asked.verb, text)), text) << members;
    EXPECT_EQ(text.find("\"error\""), std::string::npos) << text;
  }

  test::TemporaryDirectory directory;
  std::string file = directory.file("test.ledger");
  std::shared_ptr<Server> server = std::make_shared<Server>(file);
};

TEST_F(LedgerReader, EveryVerbSaysTheSameAfterItWasReadBack) {
  const std::string steps = R"("steps":[{"mechanism":"zcdp","rho":0.1}])";
  for (
      const std::string& members : std::vector<std::string>{
          R"({"verb":"scope","scope":"a/b","budget":{"kind":"curve","limits":[{"order":2,"epsilon":1},{"order":8,"epsilon":9}]}})",
          R"({"verb":"blocks","scope":"a","blocks":["o"]})",
          R"({"verb":"lower","scope":"a","budget":{"kind":"zcdp","rho":0.4}})",
          R"({"verb":"raise","scope":"a","budget":{"kind":"zcdp","rho":0.45},"reason":"the \"board\" — Ärzte"})",
          R"({"verb":"charge","scope":"a","blocks":["m"],"person":"mira","comment":"c",)" + steps + "}",
          R"({"verb":"charge","charges":[{"scope":"a",)" + steps + R"(},{"scope":"a","count":100,)" + steps + "}]}",
          R"({"verb":"charge","scope":"a","count":100,)" + steps + "}",
          R"({"verb":"may-run","scope":"a",)" + steps + "}",
          R"({"verb":"may-run","scope":"a/b","count":9,)" + steps + "}",
          R"({"verb":"reserve","scope":"a","expires_in":60,"key":"k",)" + steps + "}",
          R"({"verb":"reserve","scope":"a","expires_in":60,"key":"k",)" + steps + "}",
          R"({"verb":"cancel","ticket":10})",
          R"({"verb":"open","ticket":10,"secret":"guessed"})",
          R"({"verb":"ticket","ticket":10})",
          R"({"verb":"show"})",
          R"({"verb":"show","scope":"a","burn_down":"entry"})",
          R"({"verb":"history"})",
          R"({"verb":"verify"})",
          R"({"verb":"verify","head":{"ledger":"x","entry":99,"hash":"y"}})",
          R"({"verb":"head"})",
          R"({"verb":"export"})"}) {
    round_trip(members);
  }
}

TEST_F(LedgerReader, WhatIsStoredComesBackWhetherOrNotItIsText) {
  const std::string reserve =
      R"({"verb":"reserve","scope":"a","expires_in":60,"steps":[{"mechanism":"zcdp","rho":0.1}]})";
  for (const auto& [stored, bytes] :
       std::vector<std::pair<std::string, std::string>>{{R"("output":"1203 \u0000")", std::string("1203 \0", 6)},
                                                        {R"("output_hex":"00fF80")", std::string("\0\xff\x80", 3)}}) {
    const Receipt ticket = std::get<Receipt>(ask(reserve));
    const std::string number = std::to_string(ticket.ticket);
    ask(R"({"verb":"open","ticket":)" + number + R"(,"secret":")" + ticket.secret + "\"}");
    EXPECT_TRUE(std::get<Receipt>(ask(R"({"verb":"commit","ticket":)" + number + "," + stored + "}")).accepted);
    round_trip(R"({"verb":"ticket","ticket":)" + number + "}");
    const auto shown = std::get<ShownTicket>(ask(R"({"verb":"ticket","ticket":)" + number + "}"));
    EXPECT_EQ(shown.output->bytes, bytes) << stored;
  }
  for (const char* bad : {R"("output_hex":"0")", R"("output_hex":"0g")", R"("output_hex":"00","output":"a")"}) {
    EXPECT_THROW(ask(std::string(R"({"verb":"commit","ticket":3,)") + bad + "}"), InvalidArgument) << bad;
  }
}

TEST_F(LedgerReader, GuaranteesAreComputedHere) {
  const auto shown = std::get<LedgerShown>(ask(R"({"verb":"show","delta":1e-5})"));
  ASSERT_TRUE(shown.scopes.at(0).guaranteed);
  EXPECT_NEAR(shown.scopes.at(0).guaranteed->upper(), 7.0772, 1e-4);
}

TEST_F(LedgerReader, AKeyThatNobodyChoseIsRepeatedByLostAnswersOnly) {
  server->loses = true;
  const std::string charge = R"({"verb":"charge","scope":"a","steps":[{"mechanism":"zcdp","rho":0.1}])";
  EXPECT_FALSE(std::get<Receipt>(ask(charge + "}")).repeated);
  EXPECT_TRUE(std::get<Receipt>(ask(charge + R"(,"key":"k"})")).repeated);
  EXPECT_EQ(server->keys.back(), "k");
  EXPECT_TRUE(server->keys.at(1).starts_with("made-")) << server->keys.at(1);
  ask(charge + "}");
  EXPECT_NE(server->keys.at(1), server->keys.back());
}

TEST_F(LedgerReader, WhatIsOnlyForTheCallerIsNotSent) {
  const LedgerRequest asked = read_ledger(request_of(R"({"verb":"head","private_key":"secret","id":1})"), server);
  EXPECT_EQ(asked.members.text(), "{}");
  EXPECT_THROW(ask(R"({"verb":"init"})"), Unsupported);
  EXPECT_THROW(ask(R"({"verb":"show","witness":"w"})"), InvalidArgument);
}

TEST_F(LedgerReader, PagesAndBalancesAreThoseOfTheLedger) {
  const LedgerRequest asked = read_ledger(request_of(R"({"verb":"export"})"), server);
  std::string lines;
  for_each_entry(asked, [&](const LedgerEntry& entry) { lines += entry.text + '\n'; });
  EXPECT_EQ(lines, log_at(file, {}));
  EXPECT_TRUE(verify_log(lines).valid);
  const LedgerRequest charge = read_ledger(
      request_of(
          R"({"verb":"reserve","scope":"a","expires_in":9,"person":"p","steps":[{"mechanism":"zcdp","rho":0.1}]})"),
      server);
  EXPECT_EQ(left_for_charge(charge).at(0).balances.at(0).name, "rho");
}

TEST_F(LedgerReader, ALongLogIsReadInPages) {
  std::string charges;
  for (int i = 0; i < 1001; ++i) {
    charges += std::string(i == 0 ? "" : ",") + R"({"scope":"a","steps":[{"mechanism":"zcdp","rho":1e-6}]})";
  }
  ask(R"({"verb":"charge","charges":[)" + charges + "]}");
  const auto read_back = [&](const std::string& more) {
    return std::get<std::vector<LedgerEntry>>(ask(R"({"verb":"history")" + more + "}"));
  };
  EXPECT_EQ(read_back("").size(), 1003U);
  EXPECT_EQ(read_back("").back().entry, 1002);
  EXPECT_EQ(read_back(R"(,"most":1002)").back().entry, 1001);
  EXPECT_EQ(read_back(R"(,"after":1001)").size(), 1U);
  EXPECT_EQ(read_back(R"(,"most":3,"after":5)").back().entry, 8);
}

TEST_F(LedgerReader, ErrorsAreErrorsAgain) {
  const auto error = [](const std::string& members) {
    static_cast<void>(read_ledger_answer(LedgerVerb::show, R"({"error":{)" + members + "}}"));
  };
  try {
    error(R"("kind":"invalid_argument","message":"scope: got \"x\", allowed: one of a, b","path":"scope")");
    FAIL();
  } catch (const InvalidArgument& one) {
    EXPECT_EQ(one.path() + "|" + one.value() + "|" + one.allowed(), "scope|\"x\"|one of a, b");
  }
  try {
    error(R"("kind":"store_failure","message":"it is full; make room","path":"ledger","fault":"full")");
    FAIL();
  } catch (const StoreFailure& one) {
    EXPECT_EQ(one.fault(), StoreFault::full);
    EXPECT_STREQ(one.what(), "ledger: it is full; make room");
  }
  EXPECT_THROW(error(R"("kind":"unsupported","message":"steps: no; give others","path":"steps")"), Unsupported);
  EXPECT_THROW(error(R"("kind":"limit_reached","message":"no time; ask for less","path":"")"), LimitReached);
  EXPECT_THROW(error(R"("kind":"not_converged","message":"no","path":"")"), NotConverged);
  EXPECT_THROW(error(R"("kind":"unauthorized","message":"no token","path":"")"), InvalidArgument);
  EXPECT_THROW(error(R"("kind":"internal","message":"no","path":"")"), StoreFailure);
  for (const char* text : {"", "[]", "{}", "nonsense", R"({"ledger":"x","hash":3})"}) {
    EXPECT_THROW(static_cast<void>(read_ledger_answer(LedgerVerb::show, text)), StoreFailure) << text;
  }
}

}  // namespace renyi::api::ledger_reader_test
