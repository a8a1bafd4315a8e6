// Numbers that are data: what is too large is clamped, and only the form of a line can be wrong.
#include "apps/cli/io/number_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "renyi/error.h"

namespace renyi::cli::number_lines_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(RealInLine, TakesEveryDouble) {
  EXPECT_EQ(real_in_line("1.5"), 1.5);
  EXPECT_EQ(real_in_line(" -2e3\t\r"), -2000);
  EXPECT_EQ(real_in_line("+.5"), 0.5);
  EXPECT_EQ(real_in_line("inf"), infinity);
  EXPECT_EQ(real_in_line("-Infinity"), -infinity);
  EXPECT_TRUE(std::isnan(real_in_line("NaN").value()));
}

TEST(RealInLine, ClampsWhatNoDoubleIs) {
  EXPECT_EQ(real_in_line("1e999"), infinity);
  EXPECT_EQ(real_in_line("-1e999"), -infinity);
  EXPECT_EQ(real_in_line("1e-999"), 0);
  EXPECT_EQ(real_in_line(std::string(1000, '9')), infinity);
}

TEST(RealInLine, RefusesOtherTexts) {
  for (const char* text : {"", " ", "x", "1.5x", "1 2", "1,5", "+-1", "--1", "+", "0x10", "1e", "1/2", "50%"}) {
    EXPECT_FALSE(real_in_line(text)) << text;
  }
}

TEST(WholeInLine, TakesWholeNumbersAndSaturates) {
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(whole_in_line("17"), 17);
  EXPECT_EQ(whole_in_line(" -4\r"), -4);
  EXPECT_EQ(whole_in_line("+3"), 3);
  EXPECT_EQ(whole_in_line("9223372036854775807"), Limits::max());
  EXPECT_EQ(whole_in_line("9223372036854775808"), Limits::max());
  EXPECT_EQ(whole_in_line("-99999999999999999999999999"), Limits::min());
  EXPECT_EQ(whole_in_line("1.0"), 1);
  EXPECT_EQ(whole_in_line("-1e3"), -1000);
  EXPECT_EQ(whole_in_line("4503599627370496.0"), std::int64_t{1} << 52U);
  EXPECT_EQ(whole_in_line("nan"), 0);
  EXPECT_EQ(whole_in_line("-inf"), Limits::min());
}

TEST(WholeInLine, RefusesOtherTexts) {
  for (const char* text : {"", "x", "1.5", "9007199254740993.0", "1 2", "+-1", "0x10"}) {
    EXPECT_FALSE(whole_in_line(text)) << text;
  }
}

TEST(NumberLines, AnErrorNamesTheLineAndNotItsContent) {
  const std::string name = testing::TempDir() + "/numbers.txt";
  std::ofstream(name) << "1\n2.5\nsecret\n";
  Input input(name);
  try {
    read_reals(input);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), name + ": line 3");
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
  }
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace renyi::cli::number_lines_test
