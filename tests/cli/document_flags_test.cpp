// Every flag that a document names is one that the command has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "api/deprecations.h"
#include "cli/session.h"

namespace renyi::test::document_flags_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = RENYI_SOURCE_DIR;

// The flags of each command, as its --help-all lists them.
class KnownFlags {
 public:
  KnownFlags() {
    const Session session;
    for (const std::string& name : commands_in(session.run("renyi --help").lines)) learn(session, name);
    any_.insert("--version");
    for (const api::Deprecation& entry : api::deprecations()) learn(entry);
  }

  bool is_command(const std::string& word) const { return of_.contains(word); }
  // Returns true if the command has the flag or, if no command is named, if any command has it.
  bool has(const std::string& command, const std::string& flag) const {
    const std::set<std::string>& flags = command.empty() ? any_ : of_.at(command);
    return flags.contains(flag);
  }
  std::size_t commands() const { return of_.size(); }

 private:
  // "  epsilon     The epsilon a run satisfies": indented by two, below the headings.
  static std::vector<std::string> commands_in(const std::vector<std::string>& help) {
    std::vector<std::string> names;
    for (const std::string& line : help) {
      if (line == "Examples:") break;
      const bool indented = line.starts_with("  ") && line.size() > 2 && std::islower(line[2]) != 0;
      if (indented) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
  }

  // The flags of the commands below a command, which its help lists as actions, count as its own.
  void learn(const Session& session, const std::string& command) {
    const auto help = session.run("renyi " + command + " --help").lines;
    std::set<std::string>& flags = of_[command];
    add_flags(flags, session, command);
    if (std::find(help.begin(), help.end(), "Actions:") != help.end()) {
      for (const std::string& action : commands_in(help)) add_flags(flags, session, command + " " + action);
    }
    any_.insert(flags.begin(), flags.end());
  }

  // Where deprecated flags may be named is what tools/check-deprecations checks.
  void learn(const api::Deprecation& entry) {
    const std::string name(entry.name), command = name.substr(0, name.find(' ')),
                                        flag = name.substr(name.rfind(' ') + 1);
    if (entry.interface != api::Interface::command || !flag.starts_with("--")) return;
    for (auto& [each, flags] : of_) {
      if (command == flag || command == each) flags.insert(flag);
    }
    any_.insert(flag);
  }

  static void add_flags(std::set<std::string>& flags, const Session& session, const std::string& command) {
    for (const std::string& line : session.run("renyi " + command + " --help-all").lines) {
      std::istringstream words(line);
      std::string word;
      if (!line.starts_with("  ") || !(words >> word)) continue;
      if (word == "-h,") words >> word;  // "-h, --help"
      if (word.starts_with("--")) flags.insert(word);
    }
  }

  std::map<std::string, std::set<std::string>> of_;
  std::set<std::string> any_;
};

const KnownFlags& known() {
  static const KnownFlags flags;
  return flags;
}

// "--out," in a sentence and "--set=x" in a command are --out and --set; what is no flag is nothing.
std::string flag_in(const std::string& word) {
  if (!word.starts_with("--") || word.size() < 3 || std::islower(word[2]) == 0) return {};
  const auto end = std::find_if_not(word.begin(), word.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
  return {word.begin(), end};
}

// Reads shell commands word by word, and notes flags that renyi does not have.
class Shell {
 public:
  explicit Shell(std::vector<std::string>& strangers) : strangers_(strangers) {}

  void read(std::string text) {
    for (const std::string_view mark : {"|", ";", "&", "(", ")", "`"}) {
      for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 3)) {
        text.replace(at, 1, " ; ");
        if (mark == ";") ++at;
      }
    }
    std::istringstream words(text);
    begin();
    for (std::string word; words >> word;) take(word);
  }

 private:
  enum class Program { unknown, renyi, other };

  void begin() {
    program_ = Program::unknown;
    command_.clear();
  }

  void take(const std::string& word) {
    static const std::set<std::string> before_programs{"do", "then", "if", "while", "!", "{", "\"$program\""};
    if (word == ";") return begin();
    if (const std::string flag = flag_in(word); !flag.empty()) return check(flag);
    if (program_ == Program::renyi && command_.empty() && known().is_command(word)) command_ = word;
    if (program_ != Program::unknown || before_programs.contains(word) || word.find('=') != std::string::npos) return;
    const bool is_command = known().is_command(word);  // `calibrate --solve steps`, in a text about renyi
    program_ = word == "renyi" || word.ends_with("/renyi") || is_command ? Program::renyi : Program::other;
    if (is_command) command_ = word;
  }

  void check(const std::string& flag) {
    if (program_ != Program::other && !known().has(command_, flag)) {
      strangers_.push_back(command_.empty() ? flag : command_ + " " + flag);
    }
  }

  std::vector<std::string>& strangers_;
  Program program_ = Program::unknown;
  std::string command_;
};

// Flags in Markdown that renyi does not have: in console and sh blocks, in code spans, and in plain text.
std::vector<std::string> strangers_in(std::istream& document) {
  std::vector<std::string> strangers;
  Shell shell(strangers);
  std::string block;    // content of the current block; empty outside of blocks
  std::string command;  // the last one of a console block, until it is known whether it is shown to be refused
  const auto read_command = [&] { shell.read(std::exchange(command, "")); };
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("```")) {
      read_command();
      block = block.empty() ? line.substr(3) + " block" : "";
    } else if (block == "console block") {
      if (line.starts_with("$ ")) read_command();
      if (line.starts_with("$ ") || line.starts_with("> ")) command += line.substr(2) + ' ';
      if (line.find(": no such flag of renyi") != std::string::npos) command.clear();
    } else if (block == "sh block") {
      shell.read(line.substr(0, line.find('#')));
    } else if (block.empty()) {
      // The text between every second pair of ticks is code.
      std::istringstream parts(line);
      bool code = false;
      for (std::string part; std::getline(parts, part, '`'); code = !code) {
        if (code) {
          shell.read(part);
        } else {
          std::istringstream words(part);
          for (std::string word; words >> word;) {
            if (const std::string flag = flag_in(word); !flag.empty()) shell.read(flag);
          }
        }
      }
    }
  }
  read_command();
  return strangers;
}

std::vector<std::string> strangers_in(const std::string& text) {
  std::istringstream document(text);
  return strangers_in(document);
}

std::vector<fs::path> documents() {
  std::vector<fs::path> files;
  for (const char* folder : {"docs", "python"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  for (const auto& entry : fs::directory_iterator(root)) {
    // The changelog also says which flags went.
    if (entry.path().extension() == ".md" && entry.path().filename() != "CHANGELOG.md") files.push_back(entry.path());
  }
  return files;
}

TEST(DocumentFlags, AreFlagsOfTheCommand) {
  const auto files = documents();
  EXPECT_GT(files.size(), 50U);
  for (const fs::path& file : files) {
    std::ifstream document(file);
    EXPECT_THAT(strangers_in(document), testing::IsEmpty()) << file;
  }
}

TEST(DocumentFlags, FalseOnesAreFound) {
  EXPECT_GT(known().commands(), 18U);
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(strangers_in("Say `--no-such-flag` or --nor-this, but `--delta`."),
              ElementsAre("--no-such-flag", "--nor-this"));
  EXPECT_THAT(
      strangers_in("```console\n$ renyi epsilon plan.json --delta 1 --luck 3 | cut --fields 1\n--output\n```\n"),
      ElementsAre("epsilon --luck"));
  // A command that is shown to be refused has the flag on purpose.
  EXPECT_THAT(strangers_in("```console\n$ renyi epsilon --luck 3\nrenyi: --luck: no such flag of renyi epsilon\n? 2\n"
                           "$ renyi delta --luck 3\n```\n"),
              ElementsAre("delta --luck"));
  // Another command's.
  EXPECT_THAT(strangers_in("`renyi epsilon --solve steps`, `calibrate --solve steps`, `X=1 renyi calibrate --solve x`"),
              ElementsAre("epsilon --solve"));
  EXPECT_THAT(strangers_in("```sh\nbuild/bin/renyi rdp --delta-x 1   # --comment\n```\n"),
              ElementsAre("rdp --delta-x"));
  EXPECT_THAT(strangers_in("`cmake --preset release`, `renyi --version`, a -- b"), IsEmpty());
}

}  // namespace
}  // namespace renyi::test::document_flags_test
