// Requests whose steps have tables of numbers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "api/api.h"

namespace renyi::trees_test {
namespace {

using api::Json;

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
