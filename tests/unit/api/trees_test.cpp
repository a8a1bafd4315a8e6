// Requests whose steps have tables of numbers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "api/api.h"
#include "json/json.h"

namespace renyi::trees_test {
namespace {

using json::Json;

Json rdp_of(const std::string& step) {
  return Json::parse(api::answer(R"({"op":"rdp","neighbors":"zero-out","orders":[2],"steps":[)" + step + "]}"));
}

std::string path_of_error(const std::string& step) { return rdp_of(step).at("error").at("path").get<std::string>(); }

TEST(TreeRequests, AreAnsweredWithTheirSensitivity) {
  // Order 2 and unit noise: the squared sensitivity.
  const auto squared = [](const std::string& step) { return rdp_of(step).at("rdp").at(0).get<double>(); };
  EXPECT_NEAR(squared(R"({"mechanism":"tree-aggregation","noise_multiplier":1,"rounds":24,"participations":8,)"
                      R"("min_separation":3})"),
              88, 1e-12);
  EXPECT_NEAR(squared(R"({"mechanism":"matrix","noise_multiplier":1,"matrix":[[3,0],[4,1]]})"), 25, 1e-12);
  EXPECT_NEAR(squared(R"({"mechanism":"matrix","noise_multiplier":1,"participations":2,"matrix":[[3,0],[4,1]]})"), 34,
              1e-12);
  EXPECT_NEAR(squared(R"({"mechanism":"toeplitz-matrix","noise_multiplier":1,"rounds":9,"coefficients":[3,4]})"), 25,
              1e-12);
  EXPECT_NEAR(squared(R"({"mechanism":"per-layer-clipping","layers":[[3,1],[8,2]]})"), 25, 1e-12);
}

// A record more may move the others to other rounds: figures under add-or-remove-one say that they assume otherwise.
TEST(TreeRequests, StateWhatTheyAssumeOfAddedAndRemovedRecords) {
  const std::string tree = R"({"mechanism":"tree-aggregation","noise_multiplier":8.83,"rounds":1600})";
  const std::string matrix = R"({"mechanism":"matrix","noise_multiplier":1,"matrix":[[3,0],[4,1]]})";
  const std::string toeplitz =
      R"({"mechanism":"toeplitz-matrix","noise_multiplier":1,"rounds":9,"coefficients":[3,4]})";
  const std::string best = R"({"select":[)" + tree + R"(],"runs":{"law":"poisson","mean":3}})";
  const std::string parts = R"({"parallel":[[)" + tree + R"(],[{"mechanism":"laplace","scale":2}]]})";
  const std::string group = R"({"plan":[)" + tree + "," + matrix + R"(],"count":2})";
  const auto asked = [](const std::string& op, const std::string& steps, const std::string& more) {
    return Json::parse(api::answer(R"({"op":")" + op + R"(","steps":[)" + steps + "]" + more + "}"));
  };
  for (const std::string& step : {tree, matrix, toeplitz, best, parts, group}) {
    const Json answer = asked("epsilon", step, R"(,"delta":1e-6)");
    EXPECT_EQ(answer.at("assumes"),
              "a record more or less leaves a gap: the other records keep their rounds, as if it were zeroed out");
    for (const std::string relation : {"zero-out", "replace-one"}) {
      EXPECT_FALSE(asked("epsilon", step, R"(,"delta":1e-6,"neighbors":")" + relation + "\"").contains("assumes"));
    }
  }
  const std::string open = R"({"mechanism":"tree-aggregation","noise_multiplier":null,"rounds":8})";
  for (const Json& answer :
       {asked("rdp", tree, R"(,"orders":[2])"), asked("delta", tree, R"(,"epsilon":1)"), asked("relate", tree, ""),
        asked("profile", tree, R"(,"epsilons":[1])"), asked("explain", tree, R"(,"delta":1e-6)"),
        asked("compare", tree, R"(,"delta":1e-6)"), asked("report", tree, R"(,"delta":1e-6)"),
        asked("calibrate", open, R"(,"epsilon":1,"delta":1e-6)"), asked("loss", tree, "")}) {
    EXPECT_TRUE(answer.contains("assumes")) << answer;
  }
  EXPECT_FALSE(
      asked("epsilon", R"({"mechanism":"gaussian","noise_multiplier":1})", R"(,"delta":1e-6)").contains("assumes"));
}

TEST(TreeRequests, ErrorsNameTheNumber) {
  EXPECT_EQ(path_of_error(R"({"mechanism":"matrix","noise_multiplier":1,"matrix":[[1,0],[1]]})"), "steps[0].matrix[1]");
  EXPECT_EQ(path_of_error(R"({"mechanism":"matrix","noise_multiplier":1})"), "steps[0].matrix");
  EXPECT_EQ(path_of_error(R"({"mechanism":"matrix","noise_multiplier":1,"matrix":[[1,"x"]]})"),
            "steps[0].matrix[0][1]");
  EXPECT_EQ(path_of_error(R"({"mechanism":"toeplitz-matrix","noise_multiplier":1,"rounds":9,"coefficients":[1,1e30]})"),
            "steps[0].coefficients[1]");
  EXPECT_EQ(path_of_error(R"({"mechanism":"per-layer-clipping","layers":[[1,1],[1,0]]})"), "steps[0].layers[1][1]");
  EXPECT_EQ(path_of_error(R"({"mechanism":"tree-aggregation","noise_multiplier":1,"rounds":2.5})"), "steps[0].rounds");
}

}  // namespace
}  // namespace renyi::trees_test
