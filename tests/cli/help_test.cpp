// Every command has help that fits on a screen, names all flags on request, and has examples that work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cli/session.h"

namespace renyi::test::help_test {
namespace {

// The indented lines after "Examples:"; a line that ends with a backslash goes on in the next one.
std::vector<std::string> examples_in(const std::vector<std::string>& help) {
  std::vector<std::string> examples;
  bool inside = false, goes_on = false;
  for (const std::string& line : help) {
    if (inside && line.starts_with("  ")) {
      if (goes_on) {
        examples.back().pop_back();
        examples.back() += line;
      } else {
        examples.push_back(line.substr(2));
      }
      goes_on = line.ends_with('\\');
    }
    inside = inside || line == "Examples:";
  }
  return examples;
}

// The words that begin a line after two blanks: flags in the help of a command, commands in that of the program.
std::vector<std::string> entries_in(const std::vector<std::string>& help) {
  std::vector<std::string> words;
  for (const std::string& line : help) {
    if (line == "Examples:") break;
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      words.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return words;
}

std::vector<std::string> commands() { return entries_in(Session().run("renyi --help").lines); }

// A server does not end by itself: its example is checked up to the point where it would listen.
std::string ending(const std::string& example) {
  return example.starts_with("renyi serve ") ? example + " --check" : example;
}

class Help : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> lines(const std::string& flag) const {
    const Outcome help = session_.run("renyi " + GetParam() + " " + flag);
    EXPECT_EQ(help.exit_code, 0);
    return help.lines;
  }
  const Session& session() const { return session_; }

 private:
  Session session_;
};

TEST_P(Help, HasExamplesThatWork) {
  EXPECT_FALSE(examples_in(lines("--help")).empty());
  const auto examples = examples_in(lines("--help-all"));
  EXPECT_FALSE(examples.empty());
  // A ledger that is copied is refused, so the one of the examples is made here.
  if (GetParam().starts_with("ledger") || GetParam() == "release") {
    ASSERT_EQ(session().run("sh clinic-ledger.sh").exit_code, 0);
  }
  if (GetParam() == "serve") {
    ASSERT_EQ(session()
                  .run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost "
                       "-keyout key.pem -out certificate.pem 2> /dev/null")
                  .exit_code,
              0);
  }
  for (const std::string& example : examples) EXPECT_EQ(session().run(ending(example)).exit_code, 0) << example;
}

TEST_P(Help, FitsOnAScreen) {
  EXPECT_LE(lines("--help").size(), 40U);
  for (const char* flag : {"--help", "--help-all"}) {
    for (const std::string& line : lines(flag)) EXPECT_LE(line.size(), 80U) << line;
  }
}

// What the short help shows is a part of the long one, which names every flag.
TEST_P(Help, IsAPartOfAllHelp) {
  const auto brief = entries_in(lines("--help")), all = entries_in(lines("--help-all"));
  EXPECT_THAT(brief, testing::IsSubsetOf(all));
  if (!GetParam().empty()) {
    EXPECT_THAT(all, testing::IsSupersetOf({"-h,", "--help-all"}));
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, Help,
                         testing::Values("", "epsilon", "delta", "calibrate", "profile", "rdp", "compare", "relate",
                                         "filter", "matrix", "explain", "tradeoff", "loss", "accuracy", "report",
                                         "plot", "certify", "verify", "noise", "ledger", "release", "serve", "token",
                                         "batch", "sweep", "convert", "mechanisms", "divergence", "help", "man",
                                         "completion"),
                         [](const auto& help) { return help.param.empty() ? "renyi" : help.param; });

INSTANTIATE_TEST_SUITE_P(CliLedger, Help,
                         testing::Values("ledger init", "ledger scope", "ledger charge", "ledger reserve",
                                         "ledger open", "ledger commit", "ledger cancel", "ledger show",
                                         "ledger history", "ledger verify", "ledger head", "ledger export",
                                         "ledger import"),
                         [](const auto& help) { return help.param.substr(help.param.find(' ') + 1); });

INSTANTIATE_TEST_SUITE_P(CliToken, Help, testing::Values("token new", "token list", "token revoke"),
                         [](const auto& help) { return help.param.substr(help.param.find(' ') + 1); });

INSTANTIATE_TEST_SUITE_P(CliMatrix, Help, testing::Values("matrix design", "matrix error"),
                         [](const auto& help) { return help.param.substr(help.param.find(' ') + 1); });

INSTANTIATE_TEST_SUITE_P(CliFilter, Help,
                         testing::Values("filter new", "filter check", "filter charge", "filter show", "filter limit"),
                         [](const auto& help) { return help.param.substr(help.param.find(' ') + 1); });

// A command that is added must be tested above.
TEST(HelpOfAllCommands, IsTested) {
  std::set<std::string> tested;
  for (int i = 0; i < testing::UnitTest::GetInstance()->total_test_suite_count(); ++i) {
    const auto* suite = testing::UnitTest::GetInstance()->GetTestSuite(i);
    if (std::string(suite->name()) != "Cli/Help") continue;
    for (int k = 0; k < suite->total_test_count(); ++k) {
      const std::string name = suite->GetTestInfo(k)->name();
      tested.insert(name.substr(name.find('/') + 1));
    }
  }
  tested.erase("renyi");
  const auto all = commands();
  EXPECT_EQ(tested, std::set<std::string>(all.begin(), all.end()));
}

TEST(HelpOfARun, BeginsWithTheFlagsOfTraining) {
  auto flags = entries_in(Session().run("renyi epsilon --help").lines);
  ASSERT_GT(flags.size(), 8U);
  EXPECT_EQ(flags[0], "PLAN");
  flags.erase(flags.begin());
  flags.resize(6);
  EXPECT_THAT(flags, testing::ElementsAre("--dataset-size", "--batch-size", "--epochs", "--noise-multiplier",
                                          "--sampling-rate", "--steps"));
}

TEST(HelpOfARun, LeavesFlagsThatFewNeedToAllHelp) {
  const auto brief = entries_in(Session().run("renyi epsilon --help").lines);
  const auto all = entries_in(Session().run("renyi epsilon --help-all").lines);
  for (const char* flag : {"--tolerance", "--memory", "--orders", "--conversion", "--method"}) {
    EXPECT_THAT(brief, testing::Not(testing::Contains(flag)));
    EXPECT_THAT(all, testing::Contains(flag));
  }
}

TEST(HelpCommand, PrintsTheHelpOfACommand) {
  const Session session;
  EXPECT_EQ(session.run("renyi help epsilon").lines, session.run("renyi epsilon --help").lines);
  EXPECT_EQ(session.run("renyi help filter new").lines, session.run("renyi filter new --help").lines);
  EXPECT_EQ(session.run("renyi help").lines, session.run("renyi -h").lines);
}

}  // namespace
}  // namespace renyi::test::help_test
