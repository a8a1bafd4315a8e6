// renyi man: prints the man page, made from the help texts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/commands/command.h"
#include "apps/cli/io/output.h"
#include "renyi/version.h"

namespace renyi::cli {
namespace man_file {
namespace {

// Escapes text for troff: backslashes, hyphens, and lines that would be troff requests.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string verbatim(std::string_view text) { return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(text)); }

std::string label(const OptionText& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  const std::string bold = names.empty() ? "" : fmt::format("\\fB{}\\fR", escaped(names));
  const std::string italic = option.value.empty() ? "" : fmt::format("\\fI{}\\fR", escaped(option.value));
  return bold + (bold.empty() || italic.empty() ? "" : " ") + italic;
}

std::string list(const std::vector<OptionText>& options) {
  std::string text;
  for (const OptionText& option : options) text += fmt::format(".TP\n{}\n{}\n", label(option), escaped(option.help));
  return text;
}

std::string synopsis(const std::string& program, const CommandText& command) {
  const std::string name = fmt::format("\\fB{} {}\\fR", program, escaped(command.name));
  if (!command.commands.empty()) return fmt::format("{} \\fIACTION\\fR [\\fIOPTIONS\\fR] [\\fIFILE\\fR]", name);
  std::string text = fmt::format("{} [\\fIOPTIONS\\fR]", name);
  for (const OptionText& argument : command.arguments) text += fmt::format(" [\\fI{}\\fR]", escaped(argument.value));
  return text;
}

std::string section(const std::string& program, const CommandText& command) {
  return fmt::format(".SS {}\n{}.\n{}{}{}", synopsis(program, command), escaped(command.help), list(command.arguments),
                     list(command.options), verbatim(command.footer));
}

// Puts the commands below a command behind it.
std::vector<CommandText> flat(const std::vector<CommandText>& commands) {
  std::vector<CommandText> all;
  for (const CommandText& command : commands) {
    all.push_back(command);
    all.insert(all.end(), command.commands.begin(), command.commands.end());
  }
  return all;
}

std::string page(const CommandText& program) {
  const std::vector<CommandText> commands = flat(program.commands);
  std::string text = fmt::format(".TH RENYI 1 \"\" \"renyi {}\" \"User Commands\"\n", version);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", program.name, escaped(program.help));
  for (const CommandText& command : commands) text += synopsis(program.name, command) + "\n.br\n";
  text += ".SH DESCRIPTION\n" + verbatim(program.footer);
  text += ".SH OPTIONS\n" + list(program.options) + ".SH COMMANDS\n";
  for (const CommandText& command : commands) text += section(program.name, command);
  return text;
}

}  // namespace
}  // namespace man_file

Command man_command() {
  return {
      .name = "man",
      .help = "Print the man page",
      .flags = {},
      .footer = "Examples:\n  renyi man > renyi.1",
      .run = [](const Flags&, const CommandText& program) { print(man_file::page(program)); },
  };
}

}  // namespace renyi::cli
