// The examples that --help shows work as they stand.
#include <gtest/gtest.h>

#include "cli/session.h"

namespace renyi::test::help_test {
namespace {

// The indented lines after "Examples:".
std::vector<std::string> examples_in(const std::vector<std::string>& help) {
  std::vector<std::string> examples;
  bool inside = false;
  for (const std::string& line : help) {
    if (inside && line.starts_with("  ")) examples.push_back(line.substr(2));
    inside = inside || line == "Examples:";
  }
  return examples;
}

class Help : public testing::TestWithParam<std::string> {};

TEST_P(Help, HasExamplesThatWork) {
  const Session session;
  const Outcome help = session.run("renyi " + GetParam() + " --help");
  EXPECT_EQ(help.exit_code, 0);
  const auto examples = examples_in(help.lines);
  EXPECT_FALSE(examples.empty());
  for (const std::string& example : examples) {
    EXPECT_EQ(session.run(example).exit_code, 0) << example;
  }
}

TEST_P(Help, FitsTheScreen) {
  const Session session;
  for (const std::string& line : session.run("renyi " + GetParam() + " --help").lines) {
    EXPECT_LE(line.size(), 106U) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, Help,
                         testing::Values("", "epsilon", "delta", "profile", "tradeoff", "rdp", "calibrate", "explain",
                                         "loss", "plot", "compare", "relate", "certify", "verify", "mechanisms",
                                         "divergence", "convert", "batch", "sweep", "man", "completion"),
                         [](const auto& help) { return help.param.empty() ? "renyi" : help.param; });

}  // namespace
}  // namespace renyi::test::help_test
