#include "apps/cli/tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "apps/cli/mechanism_flags.h"

namespace renyi::cli {
namespace {

std::vector<std::string> split_at_bars(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
  return parts;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// Help is broken into lines for the terminal only.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

OptionText text_of(const CLI::Option& option) {
  OptionText text{names_of(option), "", {}, on_one_line(option.get_description())};
  if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
  if (text.value == kind_value) text.choices = all_kinds();  // too many for a help text
  if (text.value.find('|') != std::string::npos) text.choices = split_at_bars(text.value);
  if (option.get_positional()) text.value = option.get_name();
  return text;
}

}  // namespace

CommandText text_of(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? text.arguments : text.options).push_back(text_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) text.commands.push_back(text_of(*command));
  }
  return text;
}

}  // namespace renyi::cli
