// The command is no library, so the file under test is compiled in here.
#include "apps/cli/plain_decimal.cpp"  // NOLINT(bugprone-suspicious-include)

#include <gtest/gtest.h>

namespace renyi::cli {
namespace {

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
}  // namespace renyi::cli
