// The flags that the user typed, and the request that is made from them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/run.h"

namespace renyi::api {
class LedgerServer;
}

namespace renyi::cli {

// Joins texts that may contain commas and line breaks, such as names of files.
inline constexpr char unit_separator = '\x1F';

// A flag ("--delta") or an argument ("PLAN"): its name, the name of its value, and its help text. A value such as
// "table|json|csv" lists all choices; help, man page and completions are made from it. A flag without a value is a
// switch. The values of a flag that is given several times, or of several arguments, are joined by `joined_by`. Rare
// flags are shown by --help-all only.
struct FlagText {
  std::string name;
  std::string value;
  std::string help;
  std::string group{};
  bool repeatable = false;
  char joined_by = ',';
  bool rare = false;
  bool whole = false;  // the value is a whole number
};

inline bool is_switch(const FlagText& text) { return text.name.starts_with("--") && text.value.empty(); }

// The flags and arguments of one command, stored as the text that the user typed.
class Flags {
 public:
  // Returns the string that receives the text of a flag. Its address does not change.
  std::optional<std::string>& slot(const std::string& name) { return values_[name]; }

  // Returns the text of a flag, "" for a switch; std::nullopt if it was not given, or is not a flag of this command.
  std::optional<std::string> text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : found->second;
  }
  bool given(std::string_view name) const { return text(name).has_value(); }

  // How numbers were understood where that is not obvious: "--delta 1/60000 = 1.66667e-5".
  std::vector<std::string> understood{};

 private:
  std::map<std::string, std::optional<std::string>, std::less<>> values_;
};

// The question of a command line: flags or a plan file, converted to one request.
struct Question {
  api::Document request;
  ResolvedRun run;  // the run that the sizes give; for a plan file only the number of records, if given
  // Maps paths in the request to the flags that set them: "steps[0].noise_multiplier" -> "--noise-multiplier".
  std::map<std::string, std::string, std::less<>> flag_at;
  std::vector<std::string> understood;        // as in Flags
  std::shared_ptr<api::LedgerServer> server;  // keeps the ledger, if it is set
  std::string source;                         // the file; empty when flags describe the run
  std::string source_path;                    // path of the file's content in the request: "pair"; empty if at the top

  void set(const std::string& key, api::Document value, const std::string& flag);

  // Returns the message of an error, with the path replaced by the flag or the file that it is about.
  std::string explain(std::string_view path, std::string_view message) const;
};

}  // namespace renyi::cli
