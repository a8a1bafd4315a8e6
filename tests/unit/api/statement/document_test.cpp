// Documents as Markdown and HTML: whatever stands in a text is shown, and changes nothing.
#include "api/statement/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/balanced_tags.h"

namespace renyi::api::document_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string hostile = "</title><script>alert(\"1\")</script> & `|` *x* _y_ [z](w) $e$ 'q'\nnext";

Page document_with(const std::string& text) {
  return {
      .title = text,
      .lead = {Paragraph{Words(text) + strong(text) + code(text)}, Caution{text}},
      .sections = {{text, {List{{text}}, Table{{text, text}, {{text, code(text)}}}, CodeBlock{"json", "{\"a\":1}"}}}}};
}

TEST(DocumentAsHtml, EscapesEveryText) {
  const std::string page = html(document_with(hostile));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; `|`"));
  EXPECT_THAT(page, HasSubstr("&#39;q&#39; next"));
  EXPECT_EQ(test::unbalanced_tag(page), "");
}

TEST(DocumentAsHtml, StandsAlone) {
  const std::string page = html(document_with("a"));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  for (const char* foreign : {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  }
}

TEST(DocumentAsHtml, TheCheckOfTagsCanFail) {
  EXPECT_EQ(test::unbalanced_tag("<p><b>x</p></b>"), "p");
  EXPECT_EQ(test::unbalanced_tag("<p>x"), "p");
  EXPECT_EQ(test::unbalanced_tag("<meta/><p a=\"1\">x</p>"), "");
}

TEST(DocumentAsMarkdown, EscapesWhatHasAMeaning) {
  const std::string text = markdown({.title = hostile});
  EXPECT_EQ(text,
            "# \\</title\\>\\<script\\>alert(\"1\")\\</script\\> \\& \\`\\|\\` \\*x\\* \\_y\\_ \\[z\\](w) \\$e\\$ 'q' "
            "next\n");
}

TEST(DocumentAsMarkdown, FencesAreLongerThanTicksInside) {
  EXPECT_THAT(markdown({.title = "t", .lead = {Paragraph{code("a`b``c")}}}), HasSubstr("\n```a`b``c```\n"));
  EXPECT_THAT(markdown({.title = "t", .lead = {Paragraph{code("`a")}}}), HasSubstr("\n`` `a ``\n"));
  EXPECT_THAT(markdown({.title = "t", .lead = {CodeBlock{"json", "````"}}}), HasSubstr("\n`````json\n````\n`````\n"));
}

TEST(DocumentAsMarkdown, TablesHaveAsManyCellsInEveryLine) {
  EXPECT_EQ(markdown({.title = "t", .lead = {Table{{"", "b|c"}, {{"1", strong("2")}, {"3", code("4|5")}}}}}),
            "# t\n\n| | b\\|c |\n|---|---|\n| 1 | **2** |\n| 3 | `4/5` |\n");
}

TEST(Page, SpellsNamesWithTheirAccents) {
  EXPECT_EQ(with_accents("Renyi, Harremoes, renyi, Renyi"), "R\u00e9nyi, Harremo\u00ebs, renyi, R\u00e9nyi");
  EXPECT_THAT(html({.title = "Renyi"}), HasSubstr("<h1>R\u00e9nyi</h1>"));
  EXPECT_THAT(markdown({.title = "t", .lead = {Paragraph{code("Renyi")}}}), HasSubstr("`Renyi`"));
}

}  // namespace
}  // namespace renyi::api::document_test
