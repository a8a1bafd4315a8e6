// One word for how sure a number is, with one meaning: what is printed, and what the glossary defines.
#include "api/certainty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace renyi::test::certainty_test {
namespace {

namespace fs = std::filesystem;
using api::Certainty;
using testing::HasSubstr;
using testing::Not;

std::string content(const fs::path& name) {
  std::ifstream file(fs::path(RENYI_SOURCE_DIR) / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Certainty, HasThreeWordsThatTheGlossaryDefines) {
  const std::string glossary = content("docs/glossary.md");
  for (const Certainty certainty : {Certainty::estimate, Certainty::bound, Certainty::proven}) {
    EXPECT_THAT(glossary, HasSubstr("\n| " + std::string(to_string(certainty)) + " | "));
  }
}

TEST(Certainty, OfDefaultAnswersIsThatOfBounds) {
  EXPECT_EQ(in_words(Certainty::bound), "bounds in floating point, their errors counted and cross-checked");
  EXPECT_EQ(in_words(Certainty::proven), "proven in ball arithmetic");
  // What these pages said of default answers, before they meant the same.
  for (const char* page : {"README.md", "docs/trust.md", "docs/limitations.md", "docs/math/privacy-loss.md",
                           "include/renyi/interval.h", "include/renyi/limits.h"}) {
    const std::string text = content(page);
    ASSERT_FALSE(text.empty()) << page;
    EXPECT_THAT(text, Not(HasSubstr("careful"))) << page;
    EXPECT_THAT(text, Not(HasSubstr("// a guarantee"))) << page;
    EXPECT_THAT(text, Not(HasSubstr("it is proven"))) << page;
  }
}

}  // namespace
}  // namespace renyi::test::certainty_test
