// The command line as plain data, read off the parser's own tree, so that the man
// page and the completions say what --help says.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace renyi::cli {

struct OptionText {
  std::vector<std::string> names;    // "--delta"; empty for a positional argument
  std::string value;                 // "DELTA", "table|json|csv", or the argument's name; empty for a switch
  std::vector<std::string> choices;  // "table", "json", "csv"; empty when anything goes
  std::string help;
};

struct CommandText {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<OptionText> arguments;
  std::vector<CommandText> commands;  // those that are not hidden
};

CommandText text_of(const CLI::App& app);

}  // namespace renyi::cli
