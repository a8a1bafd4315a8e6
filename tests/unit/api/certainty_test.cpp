// One word for how sure a number is, with one meaning: what is printed, and what the glossary defines.
#include "api/certainty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
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

// What the shells say: only certificates and theorems prove.
TEST(Certainty, NoDefaultAnswerIsCalledProven) {
  const std::regex proof(R"(\bprov(en|ed|es|able)\b)");
  const std::regex of_proofs(R"([Cc]ertif|[Cc]ertainty|verify|theorem|_native)");
  int files = 0;
  for (const char* room : {"apps/cli", "api", "python/renyi", "web/src"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RENYI_SOURCE_DIR) / room)) {
      if (!entry.is_regular_file() || std::regex_search(entry.path().filename().string(), of_proofs)) continue;
      ++files;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        if (line.find("prov") == std::string::npos || !std::regex_search(line, proof)) continue;
        EXPECT_TRUE(std::regex_search(line, of_proofs)) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace renyi::test::certainty_test
