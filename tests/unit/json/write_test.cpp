#include "json/write.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "json/parse.h"

namespace renyi::json::write_test {
namespace {

TEST(Write, OneLineInOrder) {
  const std::string text = R"({"b":1,"a":[1.5,"x\n",null,true,{}],"c":[]})";
  EXPECT_EQ(write(parse(text)), text);
}

TEST(Write, NumbersReadBackToTheSameDouble) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse(write(Json(value))).get<double>(), value);
  }
}

TEST(Write, NumbersAreShort) {
  EXPECT_EQ(write(Json(0.1)), "0.1");
  EXPECT_EQ(write(Json(5.0)), "5");
  EXPECT_EQ(write(Json(1e-5)), "1e-05");
  EXPECT_EQ(write(Json(5e-324)), "5e-324");
  EXPECT_EQ(write(Json(9007199254740993)), "9007199254740993");
}

TEST(Write, MinusZeroKeepsItsSign) { EXPECT_TRUE(std::signbit(parse(write(Json(-0.0))).get<double>())); }

TEST(Write, InfinityIsAStringAndNothingElseNotFiniteIsWritten) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(write(number(infinity)), "\"inf\"");
  EXPECT_THROW(number(-infinity), std::logic_error);
  EXPECT_THROW(number(std::nan("")), std::logic_error);
  EXPECT_THROW(write(Json(std::nan(""))), std::logic_error);
  EXPECT_THROW(write(Json::array({infinity})), std::logic_error);
}

TEST(Write, BadBytesInStringsAreReplaced) {
  const std::string text = write(Json(std::string("a\xff")));
  EXPECT_EQ(parse(text).get<std::string>(), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace renyi::json::write_test
