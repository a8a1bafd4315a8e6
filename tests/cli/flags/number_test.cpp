// The numbers of the command line.
#include "apps/cli/flags/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace renyi::cli::number_test {
namespace {

TEST(Rounding, GoesUpOrDownNeverToNearest) {
  EXPECT_EQ(rounded_up(1.0000001), "1.00001");
  EXPECT_EQ(rounded_down(1.0000099), "1");
  EXPECT_EQ(rounded_up(9.999991), "10");
  EXPECT_EQ(rounded_down(0.99999999), "0.999999");
  EXPECT_EQ(rounded_up(1.23456000001e-7), "1.23457e-7");
  EXPECT_EQ(rounded_down(123456789012.0), "1.23456e11");
  EXPECT_EQ(rounded_up(12345678.0), "12345700");
}

TEST(Rounding, KeepsWhatFits) {
  for (const auto& [value, text] :
       {std::pair{0.5, "0.5"}, {3.0, "3"}, {1e-5, "1e-5"}, {0.0001, "0.0001"}, {0.0, "0"}}) {
    EXPECT_EQ(rounded_up(value), text);
    EXPECT_EQ(rounded_down(value), text);
    EXPECT_EQ(rounded(value), text);
  }
  EXPECT_EQ(rounded_up(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Rounding, BracketsEveryNumberClosely) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::abs(std::bit_cast<double>(random()));
    if (!std::isnormal(value) || value > 1e308) continue;
    const double up = std::stod(rounded_up(value));
    const double down = std::stod(rounded_down(value));
    ASSERT_GE(up, value);
    ASSERT_LE(down, value);
    ASSERT_LE(up, value * (1 + 1.1e-5));
    ASSERT_GE(down, value * (1 - 1.1e-5));
  }
}

TEST(Rounding, PowersOfTenAreAbove) {
  EXPECT_EQ(power_of_ten_above(1e-9), "1e-9");
  EXPECT_EQ(power_of_ten_above(1.0000001e-9), "1e-8");
  EXPECT_EQ(power_of_ten_above(9.9999999e-10), "1e-9");
  EXPECT_EQ(power_of_ten_above(0.02), "0.1");
  EXPECT_EQ(power_of_ten_above(1), "1");
  EXPECT_EQ(power_of_ten_above(0), "0");
}

TEST(PlainDecimal, MovesThePointAndKeepsTheDigits) {
  EXPECT_EQ(plain_decimal("8.75e-1"), "0.875");
  EXPECT_EQ(plain_decimal("-8.75e-3"), "-0.00875");
  EXPECT_EQ(plain_decimal("1e2"), "100");
  EXPECT_EQ(plain_decimal("1.2345e2"), "123.45");
  EXPECT_EQ(plain_decimal("1.23e2"), "123");
  EXPECT_EQ(plain_decimal("9.999999999e9"), "9999999999");
}

TEST(PlainDecimal, LeavesWhatNeedsItsExponent) {
  for (const char* text : {"0", "inf", "1.5", "-2", "1e-4", "1.5e-300", "1e10"}) EXPECT_EQ(plain_decimal(text), text);
}

TEST(Shortened, KeepsDigitsAndRoundsToTheSideAskedFor) {
  EXPECT_EQ(shortened("81.7361", 3, Side::above), "8.18e1");
  EXPECT_EQ(shortened("5366.38", 5, Side::below), "5.3663e3");
  EXPECT_EQ(shortened("0.0123456", 3, Side::above), "1.24e-2");
  EXPECT_EQ(shortened("0.0999999", 3, Side::above), "1e-1");
  EXPECT_EQ(shortened("100000", 3, Side::above), "1e5");
  EXPECT_EQ(shortened("0.000", 2, Side::above), "0.000");
  EXPECT_EQ(shortened("1.23456e-7", 3, Side::below), "1.23e-7");
  EXPECT_EQ(shortened("1.23456e-7", 3, Side::above), "1.24e-7");
  EXPECT_EQ(shortened("1.29999", 3, Side::below), "1.29");
  EXPECT_EQ(shortened("1.29999", 3, Side::above), "1.3");
  EXPECT_EQ(shortened("9.9999e2", 3, Side::above), "1e3");
  EXPECT_EQ(shortened("9.9999e-1", 3, Side::above), "1");
  EXPECT_EQ(shortened("1.0001e5", 3, Side::below), "1e5");
}

TEST(Shortened, LeavesWhatIsShort) {
  for (const char* text : {"0", "inf", "1", "1.23", "1.23e-700"}) {
    EXPECT_EQ(shortened(text, 3, Side::below), text);
    EXPECT_EQ(shortened(text, 3, Side::above), text);
  }
}

}  // namespace
}  // namespace renyi::cli::number_test
