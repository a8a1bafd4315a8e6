// The operation "odometer".
#include "renyi/odometer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"

namespace renyi::api::api_odometer_test {
namespace {

using json::Json;

const std::string steps = R"(,"steps":[{"mechanism":"gaussian","noise_multiplier":4,"count":3}]})";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_of(const std::string& request) {
  const Json got = ask(request);
  if (!got.contains("error")) return "no error";
  return got["error"]["kind"].get<std::string>() + " " + got["error"]["path"].get<std::string>();
}

TEST(OdometerRequest, ReadingsAreTheLibrarys) {
  Odometer renyi = Odometer::renyi(1e-5, {}, {2, 8, 32}), zcdp = Odometer::zcdp(1e-5),
           gdp = Odometer::gdp(1e-5, {}, 1e-6);
  for (Odometer* odometer : {&renyi, &zcdp, &gdp}) odometer->charge(Gaussian{.stddev = 4}, 3);
  const Json by_orders = ask(R"({"op":"odometer","kind":"renyi","delta":1e-5,"orders":[2,8,32])" + steps);
  EXPECT_EQ(by_orders["epsilon"].get<double>(), renyi.reading().epsilon);
  EXPECT_EQ(by_orders["order"].get<double>(), *renyi.reading().order);
  const Json by_rho = ask(R"({"op":"odometer","kind":"zcdp","delta":1e-5)" + steps);
  EXPECT_EQ(by_rho["epsilon"].get<double>(), zcdp.reading().epsilon);
  EXPECT_EQ(by_rho["kind"], "zcdp");
  const Json by_mu = ask(R"({"op":"odometer","kind":"gdp","delta":1e-5,"infinite_mass":1e-6)" + steps);
  EXPECT_EQ(by_mu["epsilon"].get<double>(), gdp.reading().epsilon);
  EXPECT_EQ(by_mu["delta"].get<double>(), gdp.reading().delta);
}

TEST(OdometerRequest, WithoutStepsItReadsZero) {
  const Json got = ask(R"({"op":"odometer","kind":"zcdp","delta":1e-5,"id":7})");
  EXPECT_EQ(got["epsilon"], 0);
  EXPECT_FALSE(got.contains("order"));
  EXPECT_EQ(got["id"], 7);
}

TEST(OdometerRequest, BadRequestsNameTheField) {
  EXPECT_EQ(error_of(R"({"op":"odometer","delta":1e-5})"), "invalid_argument kind");
  EXPECT_EQ(error_of(R"({"op":"odometer","kind":"pure","delta":1e-5})"), "invalid_argument kind");
  EXPECT_EQ(error_of(R"({"op":"odometer","kind":"zcdp","delta":1})"), "invalid_argument delta");
  EXPECT_EQ(error_of(R"({"op":"odometer","kind":"zcdp","delta":1e-5,"orders":[2]})"), "invalid_argument orders");
  EXPECT_EQ(error_of(R"({"op":"odometer","kind":"renyi","delta":1e-5,"orders":[1]})"), "invalid_argument orders[0]");
}

}  // namespace
}  // namespace renyi::api::api_odometer_test
