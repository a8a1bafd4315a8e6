// "time_limit" and "memory" of requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "api/api.h"

namespace renyi::api_limits_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Reads the names of all operations from the refusal of an unknown one.
std::vector<std::string> operations() {
  const std::string refused = api::answer(R"({"op":"?"})");
  const std::string before = "allowed: one of ";
  const auto start = refused.find(before) + before.size();
  std::istringstream list(refused.substr(start, refused.find('"', start) - start));
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');) names.push_back(name.substr(name.find_first_not_of(' ')));
  return names;
}

TEST(LimitsOfRequests, EveryOperationHasATimeLimit) {
  const auto names = operations();
  EXPECT_GT(names.size(), 20U);
  for (const std::string& name : names) {
    const std::string start = R"({"op":")" + name + R"(","time_limit":)";
    EXPECT_THAT(api::answer(start + "-1}"), HasSubstr("time_limit: got -1, allowed: a number of seconds, at least 0"));
    EXPECT_THAT(api::answer(start + "\"2s\"}"), HasSubstr("allowed: a number of seconds, at least 0"));
    EXPECT_THAT(api::answer(start + "1000}"), Not(HasSubstr("time_limit"))) << name;
    EXPECT_THAT(api::answer(R"({"op":")" + name + R"(","memory":0})"), HasSubstr("memory: got 0, allowed:")) << name;
  }
}

TEST(LimitsOfRequests, SoDoVerbsAndTables) {
  EXPECT_THAT(api::answer(R"({"op":"ledger","verb":"show","time_limit":1,"memory":1})"), Not(HasSubstr("unknown key")));
  EXPECT_THAT(api::answer(R"({"op":"explain","reference_table":true,"time_limit":1,"memory":1})"),
              Not(HasSubstr("\"error\"")));
}

constexpr const char* dp_sgd =
    R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":1000}])";

TEST(LimitsOfRequests, AnAnswerSaysThatALimitWasReached) {
  const std::string steps = dp_sgd;
  EXPECT_THAT(api::answer(R"({"op":"epsilon","delta":1e-5,)" + steps + "}"), Not(HasSubstr("\"limit\"")));
  const std::string limited = api::answer(R"({"op":"epsilon","delta":1e-5,"time_limit":0,)" + steps + "}");
  EXPECT_THAT(limited, HasSubstr(R"("engine":"bounds")"));
  EXPECT_THAT(limited, HasSubstr(R"("limit":"the time limit of 0 s was reached)"));
  const std::string tradeoff = api::answer(R"({"op":"tradeoff","time_limit":0,)" + steps + "}");
  EXPECT_THAT(tradeoff, HasSubstr(R"("limit":"the time limit of 0 s was reached)"));
}

TEST(LimitsOfRequests, SmallRequestsHaveAUsualLimit) {
  const std::string slow =
      R"({"op":"relate","steps":[{"mechanism":"discrete-gaussian","stddev":5,"sensitivity":3,"count":1000000,)"
      R"("sampling":{"scheme":"poisson","rate":1e-8}}],"neighbors":"replace-one"})";
  EXPECT_THAT(api::answer(slow), HasSubstr("the time limit of 2 s was reached"));
}

// Each point of a list takes a while after the limit as well, and a hundred of them are not asked for.
TEST(LimitsOfRequests, ListsEndSoonAfterALimit) {
  std::string epsilons = "0";
  for (int i = 1; i < 1000; ++i) epsilons += "," + std::to_string(i) + "e-3";
  const std::string people =
      R"("neighbors":"replace-one","steps":[{"mechanism":"shuffle-model","epsilon_local":4,"people":1000000000000}])";
  EXPECT_THAT(api::answer(R"({"op":"profile","time_limit":0,"epsilons":[)" + epsilons + "]," + people + "}"),
              HasSubstr("the time limit of 0 s was reached before all was answered"));
}

// Where a limit ends the question lies anywhere, also between the Renyi bound and the exact figures.
TEST(LimitsOfRequests, FilterDesignsSayWhatALimitLeftOpen) {
  for (const char* limit : {"0.001", "0.003", "0.01", "0.02", "0.03"}) {
    const std::string designed = api::answer(
        R"({"op":"filter-design","epsilon":3,"delta":1e-6,"counts":[1,10,100],"neighbors":"replace-one","time_limit":)" +
        std::string(limit) +
        R"(,"steps":[{"mechanism":"discrete-gaussian","stddev":5,"sensitivity":3,"count":1000,)"
        R"("sampling":{"scheme":"poisson","rate":1e-8}}]})");
    EXPECT_THAT(designed, Not(HasSubstr("internal"))) << limit;
    EXPECT_THAT(designed, HasSubstr("the time limit of")) << limit;
  }
}

TEST(LimitsOfRequests, NothingProvedIsAnErrorOfItsOwnKind) {
  const std::string answer =
      api::answer(R"({"op":"epsilon","delta":1e-5,"time_limit":0,"id":7,"steps":[{"mechanism":"laplace","scale":2,)"
                  R"("sampling":{"scheme":"poisson","rate":0.1}}]})");
  EXPECT_THAT(answer, HasSubstr(R"("kind":"limit_reached")"));
  EXPECT_THAT(answer, HasSubstr("allow more time"));
  EXPECT_THAT(answer, HasSubstr(R"("id":7)"));
}

}  // namespace
}  // namespace renyi::api_limits_test
