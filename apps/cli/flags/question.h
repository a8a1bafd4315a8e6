// What the user typed, flag by flag, and the one request that is made of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/document.h"
#include "renyi/run.h"

namespace renyi::cli {

// A flag ("--delta") or an argument ("PLAN"): its name, what its value is called, its help.
// A value such as "table|json|csv" lists all there are: help, man page and
// completion read them from there. A flag without a value is a switch: given or not.
// One that may be given several times has all its values, with commas between.
struct FlagText {
  std::string name;
  std::string value;
  std::string help;
  std::string group{};
  bool repeatable = false;
};

inline bool is_switch(const FlagText& text) { return text.name.starts_with("--") && text.value.empty(); }

// Flags and arguments of one command, kept as the text the user typed.
class Flags {
 public:
  // Where the text of a flag is to be put. Stays where it is.
  std::optional<std::string>& slot(const std::string& name) { return values_[name]; }

  // The text given, "" for a switch; nothing when it was not given, or is no flag of this command.
  std::optional<std::string> text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : found->second;
  }
  bool given(std::string_view name) const { return text(name).has_value(); }

 private:
  std::map<std::string, std::optional<std::string>, std::less<>> values_;
};

// What the command line asks: flags or a plan file, made into one request.
struct Question {
  api::Document request;
  ResolvedRun run;  // what the sizes come to; of a plan file the number of records alone, where it was given
  // Where in the request a flag went: "steps[0].noise_multiplier" -> "--noise-multiplier".
  std::map<std::string, std::string, std::less<>> flag_at;
  std::string source;       // the file; empty when flags describe the run
  std::string source_path;  // where in the request the file's content stands: "pair"; empty if at the top

  void set(const std::string& key, api::Document value, const std::string& flag);

  // An error's message, with the flag or the file it is about instead of the path.
  std::string explain(std::string_view path, std::string_view message) const;
};

}  // namespace renyi::cli
