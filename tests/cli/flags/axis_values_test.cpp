// Lists and ranges in flags.
#include "apps/cli/flags/axis_values.h"

#include <gtest/gtest.h>

#include <string>

#include "renyi/error.h"

namespace renyi::cli::axis_values_test {
namespace {

std::string real(const std::string& text) { return axis_of_numbers("--x", text, AxisNumbers::real).text(); }
std::string whole(const std::string& text) { return axis_of_numbers("--x", text, AxisNumbers::whole).text(); }

TEST(AxisValues, DecimalsAreExact) {
  EXPECT_EQ(real("0.8:1.2:0.1"), R"({"values":[0.8,0.9,1,1.1,1.2]})");
  EXPECT_EQ(real("0:0.3:0.1"), R"({"values":[0,0.1,0.2,0.3]})");
  EXPECT_EQ(real("1:2:0.4"), R"({"values":[1,1.4,1.8]})");
  EXPECT_EQ(real("-1:1:1e0"), R"({"values":[-1,0,1]})");
  EXPECT_EQ(real("2:2:1"), R"({"values":[2]})");
}

TEST(AxisValues, RatiosAndLists) {
  EXPECT_EQ(real("1e-3:1:x10"), R"({"values":[0.001,0.01,0.1,1]})");
  EXPECT_EQ(real("1:10:x2"), R"({"values":[1,2,4,8]})");
  EXPECT_EQ(real("1,5:7:1,20.5"), R"({"values":[1,5,6,7,20.5]})");
  EXPECT_EQ(real("1.5"), "1.5");
  EXPECT_EQ(whole("1e3,2000"), R"({"values":[1000,2000]})");
  EXPECT_EQ(whole("10:30:10"), R"({"values":[10,20,30]})");
  EXPECT_EQ(whole("2.50e1"), "25");
  EXPECT_EQ(axis_of_words("a,b").text(), R"({"values":["a","b"]})");
  EXPECT_EQ(axis_of_words("a").text(), R"("a")");
}

std::string refusal(const std::string& text, AxisNumbers numbers = AxisNumbers::real) {
  try {
    return axis_of_numbers("--x", text, numbers).text();
  } catch (const InvalidArgument& error) {
    return error.allowed();
  }
}

TEST(AxisValues, WhatIsWrong) {
  EXPECT_EQ(refusal("1:2"), "a range first:last:step or first:last:xRATIO");
  EXPECT_EQ(refusal("1:2:0"), "a step above 0");
  EXPECT_EQ(refusal("2:1:1"), "a last value of at least the first one");
  EXPECT_EQ(refusal("1:2:x1"), "a ratio above 1");
  EXPECT_EQ(refusal("0:2:x2"), "a first value above 0");
  EXPECT_EQ(refusal("0:1:1e-9"), "at most 1000000 values");
  EXPECT_EQ(refusal("1,"), "a number such as 1.5, 1e-5, 1/60000 or 0.5%");
  EXPECT_EQ(refusal("1:2:3:4"), "a range of decimal numbers of at most 18 digits, such as 0.8:4:0.1");
  EXPECT_EQ(refusal("1:1e300:1"), "a range whose numbers have at most 18 digits together");
  EXPECT_EQ(refusal("1.5", AxisNumbers::whole), "a whole number from 1 to 9223372036854775807, such as 250 or 1e6");
  EXPECT_EQ(refusal("0", AxisNumbers::whole), "a whole number from 1 to 9223372036854775807, such as 250 or 1e6");
}

}  // namespace
}  // namespace renyi::cli::axis_values_test
