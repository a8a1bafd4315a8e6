#include "apps/cli/plot/text.h"

#include <gtest/gtest.h>

namespace renyi::cli::plot::text_test {
namespace {

TEST(PlotText, IsQuotedSoThatGnuplotReadsItBack) {
  EXPECT_EQ(in_quotes("plan.json"), "'plan.json'");
  EXPECT_EQ(in_quotes("it's"), "'it''s'");
  EXPECT_EQ(in_quotes("''"), "''''''");
  // In single quotes these are characters as all others.
  for (const char* text : {"a\\", "`date`", "@macro", "%s", "\"", "$data1", "{/Symbol a}", "a # b", "\\n"}) {
    EXPECT_EQ(in_quotes(text), "'" + std::string(text) + "'");
  }
}

TEST(PlotText, NeverEndsTheLine) {
  for (int c = 0; c < 256; ++c) {
    const std::string text = in_quotes(std::string("a") + static_cast<char>(c) + "b");
    EXPECT_EQ(text.find_first_of(std::string("\n\r\f\v\0", 5)), std::string::npos) << c;
  }
  EXPECT_EQ(in_quotes("a\nplot 1"), "'a?plot 1'");
}

TEST(PlotText, KeepsUnicodeAndNothingElse) {
  EXPECT_EQ(printable("R\xC3\xA9nyi \xE2\x82\xAC \xF0\x9F\x99\x82"), "R\xC3\xA9nyi \xE2\x82\xAC \xF0\x9F\x99\x82");
  EXPECT_EQ(printable("\xC3"), "?");
  EXPECT_EQ(printable("\xC3("), "?(");
  EXPECT_EQ(printable("\xA9"), "?");
  EXPECT_EQ(printable("\xC0\x80"), "??");                 // overlong
  EXPECT_EQ(printable("\xE0\x80\xAF"), "???");            // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");            // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????");       // beyond Unicode
  EXPECT_EQ(printable("\xC2\x85\xE2\x80\xA8"), "?????");  // line ends of Unicode
  EXPECT_EQ(printable("\x1B[31m\x7F"), "?[31m?");
}

TEST(PlotText, IsShortenedByCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 5), "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 5), "\xC3\xA9\xC3\xA9...");
}

TEST(PlotText, IsNotShortenedWithinANumber) {
  EXPECT_EQ(shortened("delta 0, at most 0.4217 of it", 24), "delta 0, ...");
  EXPECT_EQ(shortened("delta 0, at most 0.42 of it", 24), "delta 0, ...");  // 0.42...: more digits?
  EXPECT_EQ(shortened("delta 0, at most 0.4 of it", 25), "delta 0, at most 0.4 o...");
  EXPECT_EQ(shortened("at most 1e-5", 11), "at most ...");
  EXPECT_EQ(shortened("plan-2024.json", 12), "plan...");
}

}  // namespace
}  // namespace renyi::cli::plot::text_test
