#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/extras/privacy_loss.h"

namespace renyi::api::loss_test {
namespace {

using json::Json;

const std::string gaussian = R"({"op":"loss","steps":[{"mechanism":"gaussian","noise_multiplier":2}])";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

TEST(LossRequest, NumbersAreTheLibrarys) {
  const Json got = ask(gaussian + R"(,"at_least":[0.5,-1],"within":[2],"orders":[3],"id":1})");
  const PrivacyLoss loss(Plan().add(Gaussian{2}), Direction::remove);
  const Json& remove = got["remove"];
  EXPECT_TRUE(remove["known"]);
  EXPECT_EQ(remove["mean"]["upper"].get<double>(), loss.mean().upper());
  EXPECT_EQ(remove["skewness"]["lower"].get<double>(), loss.skewness()->lower);
  EXPECT_EQ(remove["log_mgf"][0]["order"], 3.0);
  EXPECT_EQ(remove["log_mgf"][0]["upper"].get<double>(), loss.log_moment(3).upper());
  EXPECT_EQ(remove["at_least"][1]["loss"], -1.0);
  EXPECT_EQ(remove["at_least"][1]["lower"].get<double>(), loss.at_least(-1).lower);
  EXPECT_EQ(remove["within"][0]["upper"].get<double>(), loss.within(2).upper);
  EXPECT_EQ(remove["within"][0]["method"], "closed-form");
  EXPECT_TRUE(got.contains("add"));
}

TEST(LossRequest, OneDirectionAlone) {
  const Json got = ask(gaussian + R"(,"direction":"add"})");
  EXPECT_FALSE(got.contains("remove"));
  EXPECT_EQ(got["add"]["at_least"].size(), 5U);
}

TEST(LossRequest, AnUnknownLossHasUpperEndsOnly) {
  const Json got = ask(R"({"op":"loss","steps":[{"mechanism":"zcdp","rho":0.1}],"direction":"remove"})")["remove"];
  EXPECT_FALSE(got["known"]);
  EXPECT_FALSE(got["mean"].contains("lower"));
  EXPECT_FALSE(got.contains("variance"));
  EXPECT_EQ(got["at_least"][1]["method"], "chernoff");
}

TEST(LossRequest, BadValuesAreNamed) {
  EXPECT_EQ(error_path(gaussian + R"(,"at_least":[1,"inf"]})"), "at_least[1]");
  EXPECT_EQ(error_path(gaussian + R"(,"within":[-1]})"), "within[0]");
  EXPECT_EQ(error_path(gaussian + R"(,"orders":[-0.5]})"), "orders[0]");
  EXPECT_EQ(error_path(gaussian + R"(,"within":[]})"), "within");
  EXPECT_EQ(error_path(gaussian + R"(,"direction":"up"})"), "direction");
  EXPECT_EQ(error_path(gaussian + R"(,"delta":0.1})"), "delta");
}

// The variance, 1e-275, has a power 3/2 that is no double: the skewness is its third cumulant over that.
TEST(LossRequest, RareLossesHaveASkewness) {
  const Json got = ask(
      R"({"op":"loss","steps":[{"mechanism":"randomized-response","truth_probability":1e-300,"count":9223372036854775807}],)"
      R"("orders":[5.06,1e100],"at_least":[15.8],"within":[1e-09]})");
  ASSERT_FALSE(got.contains("error")) << got;
  for (const char* direction : {"remove", "add"}) {
    const Json& loss = got[direction];
    EXPECT_GT(loss["variance"]["lower"].get<double>(), 0);
    // (1 - 2p)/sqrt(n p (1 - p)), with the sign of the rare loss.
    const double expected = 1 / std::sqrt(9223372036854775807.0 * 1e-300);
    EXPECT_LE(std::abs(loss["skewness"]["lower"].get<double>()), expected * (1 + 1e-6));
    EXPECT_GE(std::abs(loss["skewness"]["upper"].get<double>()), expected * (1 - 1e-6));
  }
}

}  // namespace
}  // namespace renyi::api::loss_test
