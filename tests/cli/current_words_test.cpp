// Deprecated commands and flags on a command line.
#include "apps/cli/flags/current_words.h"

#include <gtest/gtest.h>

#include <array>

namespace renyi::cli::current_words_test {
namespace {

using api::Interface;
using Words = std::vector<std::string>;

constexpr std::array<api::Deprecation, 4> table{{
    {Interface::command, "filter begin", "filter new", "0.1.0", "0.2.0"},
    {Interface::command, "filter new --sort", "--kind", "0.1.0", "0.2.0"},
    {Interface::command, "--failure", "--delta", "0.3.0", "1.0.0"},
    {Interface::request, "--epsilon", "--delta", "0.3.0", "1.0.0"},
}};

void expect_unchanged(const Words& words) {
  const CurrentWords current = current_words(words, table);
  EXPECT_EQ(current.words, words);
  EXPECT_TRUE(current.warnings.empty());
}

TEST(CurrentWords, AFlagOfEveryCommandIsReplacedWithItsValueAndWarnsOnce) {
  const CurrentWords current = current_words({"epsilon", "--failure=1e-5", "--steps", "5", "--failure", "0.1"}, table);
  EXPECT_EQ(current.words, (Words{"epsilon", "--delta=1e-5", "--steps", "5", "--delta", "0.1"}));
  EXPECT_EQ(current.warnings, (Words{"--failure is deprecated since 0.3.0 and goes with 1.0.0: write --delta"}));
}

TEST(CurrentWords, ACommandIsReplacedAndThenItsFlags) {
  const CurrentWords current = current_words({"filter", "begin", "a.json", "--sort", "zcdp"}, table);
  EXPECT_EQ(current.words, (Words{"filter", "new", "a.json", "--kind", "zcdp"}));
  EXPECT_EQ(current.warnings, (Words{"filter begin is deprecated since 0.1.0 and goes with 0.2.0: write filter new",
                                     "filter new --sort is deprecated since 0.1.0 and goes with 0.2.0: write --kind"}));
}

TEST(CurrentWords, OtherWordsStay) {
  expect_unchanged({});
  expect_unchanged({"filter"});
  expect_unchanged({"epsilon", "--sort", "--failures", "--fail", "failure", "--epsilon"});
  expect_unchanged({"epsilon", "--", "--failure"});
}

}  // namespace
}  // namespace renyi::cli::current_words_test
