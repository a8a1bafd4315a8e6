#include "apps/cli/plot/text.h"

#include <gtest/gtest.h>

#include "api/figure/words.h"

namespace renyi::cli::plot::text_test {
namespace {

TEST(PlotText, IsEscapedInMarkup) {
  EXPECT_EQ(in_xml("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  EXPECT_EQ(in_xml("</text>\n&amp;"), "&lt;/text&gt;?&amp;amp;");
  EXPECT_EQ(in_xml("it's ε ≤ 10⁻⁵"), "it's ε ≤ 10⁻⁵");
}

TEST(PlotText, HasNoControlCharactersInMarkup) {
  for (int c = 0; c < 256; ++c) {
    const std::string text = in_xml(std::string("a") + static_cast<char>(c) + "b");
    EXPECT_EQ(text.find_first_of(std::string("<>\n\r\f\v\0", 7)), std::string::npos) << c;
  }
}

TEST(PlotText, IsPlainOnATerminal) {
  EXPECT_EQ(in_plain_characters("ε ≤ 5.6 at δ = 10⁻⁵"), "epsilon <= 5.6 at delta = 1e-5");
  EXPECT_EQ(in_plain_characters("2.5×10⁻⁷, 10⁰, 10¹²"), "2.5e-7, 1, 1e12");
  EXPECT_EQ(in_plain_characters("10000 × gaussian, 2q²α/σ², Rényi"), "10000 x gaussian, 2q^2alpha/sigma^2, Renyi");
  EXPECT_EQ(in_plain_characters("1 − ∞ …"), "1 - inf ...");
  EXPECT_EQ(in_plain_characters("x"), "x");
  EXPECT_EQ(in_plain_characters("110²"), "110^2");  // no power of ten
}

TEST(PlotText, RaisesExponents) {
  using api::figure::with_raised_exponent;
  EXPECT_EQ(with_raised_exponent("1e-5"), "10⁻⁵");
  EXPECT_EQ(with_raised_exponent("2.5e-7"), "2.5×10⁻⁷");
  EXPECT_EQ(with_raised_exponent("5.19259"), "5.19259");
  EXPECT_EQ(with_raised_exponent("1e+20"), "10²⁰");
  EXPECT_EQ(with_raised_exponent("inf"), "∞");
  EXPECT_EQ(with_raised_exponent("0.0001"), "10⁻⁴");
  EXPECT_EQ(with_raised_exponent("0.000125"), "1.25×10⁻⁴");
  EXPECT_EQ(with_raised_exponent("0.001"), "0.001");
  EXPECT_EQ(with_raised_exponent("0"), "0");
}

TEST(PlotText, IsBrokenAtBlanks) {
  EXPECT_EQ(lines_of("", 10, 50, 3), std::vector<std::string>{""});
  EXPECT_EQ(lines_of("one two three", 10, 1000, 3), std::vector<std::string>{"one two three"});
  const auto lines = lines_of("one two three four five six", 10, 60, 9);
  EXPECT_GE(lines.size(), 3U);
  for (const std::string& line : lines) EXPECT_LE(text_width(line, 10), 60) << line;
  // "δ = 0.05" stays together, and what does not fit at all is cut with a sign of it.
  EXPECT_EQ(lines_of("the tail at δ = 0.05", 10, 80, 9), (std::vector<std::string>{"the tail at", "δ = 0.05"}));
  const auto cut = lines_of("one two three four five six", 10, 60, 2);
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_TRUE(cut[1].ends_with("...")) << cut[1];
  EXPECT_LE(text_width(cut[1], 10), 60);
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
