// The numbers of the command line as people write them.
#include "apps/cli/flags/written_number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "renyi/error.h"

namespace renyi::cli::written_number_test {
namespace {

TEST(ReadNumber, TakesDecimalsFractionsAndPercentages) {
  EXPECT_EQ(read_number("--x", "1e-5"), 1e-5);
  EXPECT_EQ(read_number("--x", "-2.5"), -2.5);
  EXPECT_EQ(read_number("--x", ".5"), 0.5);
  EXPECT_EQ(read_number("--x", "1/60000"), 1.0 / 60000);
  EXPECT_EQ(read_number("--x", "1/6e4"), 1.0 / 60000);
  EXPECT_EQ(read_number("--x", "0/7"), 0.0);
  EXPECT_EQ(read_number("--x", "9007199254740992/1"), 0x1p53);
  EXPECT_EQ(read_number("--x", "100%"), 1.0);
}

// Dividing a rounded decimal by 100 would round twice: 0.07 / 100 is not the double nearest to 0.0007.
TEST(ReadNumber, RoundsOnce) {
  EXPECT_EQ(read_number("--x", "0.5%"), 0.005);
  EXPECT_EQ(read_number("--x", "0.07%"), 0.0007);
  EXPECT_EQ(read_number("--x", "1.1e-3%"), 1.1e-5);
  EXPECT_EQ(read_number("--x", "29%"), 0.29);
}

TEST(ReadNumber, TakesPowersOfTwo) {
  EXPECT_EQ(read_number("--grid", "2^-10"), 0x1p-10);
  EXPECT_EQ(read_number("--grid", "2^0"), 1);
  EXPECT_EQ(read_number("--grid", "2^1023"), 0x1p1023);
  EXPECT_EQ(read_number("--grid", "2^-1074"), 0x1p-1074);
  for (const char* text : {"2^", "^2", "2^1024", "2^-1075", "2^0.5", "3^2", "-2^2", "2^2^2", "2^1/2", "2^-3%", "1^"}) {
    EXPECT_THROW(read_number("--grid", text), InvalidArgument) << text;
  }
}

TEST(ReadNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"",     "x",      "1x",     " 1",   "1 ",     "nan",   "inf",
                           "-inf", "1e999",  "1e-999", "0x10", "1,5",    "5 %",   "%",
                           "inf%", "1e400%", "1/0",    "1/",   "/2",     "1/2/3", "1/-2",
                           "-1/2", "1/0.3",  "a/b",    "1/3%", "1e20/3", "1e400", "1/9007199254740993"}) {
    EXPECT_THROW(read_number("--x", text), InvalidArgument) << text;
  }
  try {
    read_number("--delta", "1/0");
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "--delta: got \"1/0\", allowed: a fraction whose denominator is not 0");
  }
}

TEST(ReadInteger, TakesWholeNumbersOnly) {
  EXPECT_EQ(read_integer("--n", "9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_integer("--n", "1e6"), 1'000'000);
  EXPECT_EQ(read_integer("--n", "1.5e3"), 1500);
  EXPECT_EQ(read_integer("--n", "9.223372036854775807e18"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_integer("--n", "60000.0"), 60000);
  EXPECT_EQ(read_integer("--n", "1200e-2"), 12);
  for (const char* text : {"", "0", "-1", "1.5", "15e-1", "1e19", "1e400", "9223372036854775808", "10 000", "50%",
                           "120/2", "e3", "1e", "0e5", "+5", "inf", "1e99999999999999999999"}) {
    EXPECT_THROW(read_integer("--n", text), InvalidArgument) << text;
  }
  EXPECT_THROW(read_integer("--n", "1e6", 999'999), InvalidArgument);
}

TEST(UnderstoodNumbers, EchoesWhatIsNotObvious) {
  Flags flags;
  flags.slot("--delta") = "1/60000";
  flags.slot("--dataset-size") = "6e4";
  flags.slot("--batch-size") = "256";
  flags.slot("--noise-multiplier") = "1e1";
  flags.slot("--set") = "scale=50%,epsilon=0.1";
  flags.slot("--baseline") = "0.1,1%";
  flags.slot("--out") = "1/2";
  flags.slot("--epsilon") = "1/0";
  const std::vector<FlagText> texts{{"--delta", "DELTA", ""},
                                    {.name = "--dataset-size", .value = "N", .help = "", .whole = true},
                                    {.name = "--batch-size", .value = "B", .help = "", .whole = true},
                                    {"--noise-multiplier", "NUMBER", ""},
                                    {"--set", "NAME=NUMBER,...", ""},
                                    {"--baseline", "LIST", ""},
                                    {"--out", "FILE", ""},
                                    {"--epsilon", "EPSILON", ""},
                                    {"--steps", "COUNT", ""}};
  EXPECT_THAT(understood_numbers(texts, flags),
              testing::ElementsAre("--delta 1/60000 = 1.66667e-5", "--dataset-size 6e4 = 60000",
                                   "--set scale 50% = 0.5", "--baseline 1% = 0.01"));
}

}  // namespace
}  // namespace renyi::cli::written_number_test
