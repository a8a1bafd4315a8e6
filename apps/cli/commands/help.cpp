// renyi help, and what --help and --help-all print.
#include "apps/cli/commands/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/suggestion.h"
#include "apps/cli/io/output.h"

namespace renyi::cli {
namespace help_file {
namespace {

constexpr std::size_t screen_lines = 40;
constexpr std::size_t screen_width = 80;
constexpr std::size_t text_column = 29;

using Lines = std::vector<std::string>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void append(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

// The footer of a command: paragraphs of prose, then examples.
struct Footer {
  std::vector<Lines> paragraphs;
  std::vector<Lines> examples;
};

// Breaks a line of a list, "  rdp          the divergence at every order", so that its text keeps its column.
Lines list_line(const std::string& line) {
  if (line.size() <= screen_width) return {line};
  const auto gap = line.rfind("  ", screen_width);
  const std::size_t column = gap == 0 ? 2 : gap + 2;
  Lines lines;
  for (const std::string& part : split(wrapped(line.substr(column), 0, screen_width - column))) {
    lines.push_back((lines.empty() ? line.substr(0, column) : std::string(column, ' ')) + part);
  }
  return lines;
}

// Lists in the text, and the lines before them, keep their lines; others are joined and broken again.
Lines laid_out(const Lines& paragraph) {
  Lines result;
  std::string prose;
  const auto flush = [&] {
    if (!prose.empty()) append(result, split(wrapped(prose, 0, screen_width)));
    prose.clear();
  };
  for (const std::string& line : paragraph) {
    if (line.starts_with("  ")) {
      flush();
      append(result, list_line(line));
    } else {
      prose += (prose.empty() ? "" : " ") + line;
    }
  }
  flush();
  return result;
}

// A long command goes on behind a backslash, at a flag or a pipe, as a shell reads it.
Lines broken(const std::string& example) {
  Lines lines;
  std::string rest = example;
  while (rest.size() > screen_width) {
    std::size_t at = std::string::npos;
    for (const std::string_view joint : {" --", " | "}) {
      const auto last = rest.rfind(joint, screen_width - 2);
      if (last != std::string::npos && last > 6 && (at == std::string::npos || last > at)) at = last;
    }
    if (at == std::string::npos) break;
    lines.push_back(rest.substr(0, at) + " \\");
    rest = "      " + rest.substr(at + 1);
  }
  lines.push_back(rest);
  return lines;
}

Footer footer_of(const std::string& text) {
  Footer footer;
  bool in_examples = false;
  Lines paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) footer.paragraphs.push_back(laid_out(paragraph));
    paragraph.clear();
  };
  for (const std::string& line : split(text)) {
    if (line == "Examples:") {
      in_examples = true;
    } else if (in_examples) {
      footer.examples.push_back(broken(line));
    } else if (line.empty()) {
      flush();
    } else {
      paragraph.push_back(line);
    }
  }
  flush();
  return footer;
}

// Returns a label and its text in two columns; the text of a label that is too long begins below it.
Lines entry(const std::string& label, const std::string& text, std::size_t column = text_column) {
  Lines lines;
  std::string head = "  " + label;
  if (head.size() + 2 > column) lines.push_back(std::exchange(head, ""));
  for (const std::string& line : split(wrapped(text, 0, screen_width - column))) {
    head.resize(column, ' ');
    lines.push_back(std::exchange(head, "") + line);
  }
  return lines;
}

std::string label_of(const OptionText& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return names + (names.empty() || option.value.empty() ? "" : " ") + option.value;
}

// Returns the arguments, then the flags under the headings of their groups.
Lines listed(const std::vector<OptionText>& arguments, const std::vector<OptionText>& options) {
  Lines lines;
  for (const OptionText& argument : arguments) append(lines, entry(argument.value, argument.help));
  std::vector<std::string> groups;
  for (const OptionText& option : options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    lines.push_back(group.empty() ? "Flags:" : group + ":");
    for (const OptionText& option : options) {
      if (option.group == group) append(lines, entry(label_of(option), option.help));
    }
  }
  return lines;
}

Lines heading_of(const CommandText& program, const CommandText& command) {
  std::string usage = fmt::format("Usage: {} {}", program.name, command.name);
  if (!command.options.empty()) usage += " [FLAGS]";
  for (const OptionText& argument : command.arguments) usage += fmt::format(" [{}]", argument.value);
  return {command.help, usage, ""};
}

Lines paragraphs(const std::vector<Lines>& texts, std::size_t count) {
  Lines lines;
  for (std::size_t i = 0; i < std::min(count, texts.size()); ++i) {
    lines.emplace_back();
    append(lines, texts[i]);
  }
  return lines;
}

Lines examples(const Footer& footer, std::size_t count) {
  if (count == 0 || footer.examples.empty()) return {};
  Lines lines{"", "Examples:"};
  for (std::size_t i = 0; i < std::min(count, footer.examples.size()); ++i) append(lines, footer.examples[i]);
  return lines;
}

std::vector<OptionText> usual(const std::vector<OptionText>& options) {
  std::vector<OptionText> result;
  std::copy_if(options.begin(), options.end(), std::back_inserter(result),
               [](const OptionText& option) { return !option.rare; });
  return result;
}

// The flags --help and --help-all are no news to those who read this.
std::size_t count_of(const std::vector<OptionText>& options) {
  return static_cast<std::size_t>(std::count_if(options.begin(), options.end(),
                                                [](const OptionText& option) { return option.group != help_group; }));
}

Lines pointer(const CommandText& program, const CommandText& command, std::size_t hidden) {
  const std::string where = fmt::format("{} {} --help-all", program.name, command.name);
  if (hidden == 0) return {"", "All examples: " + where};
  return {"", fmt::format("{} more flag{}, and all examples: {}", hidden, hidden == 1 ? "" : "s", where)};
}

// A help text in the making: how much of each part is shown.
struct Choice {
  std::vector<OptionText> options;
  std::size_t examples = 0;
  std::size_t paragraphs = 0;
};

Lines composed(const CommandText& program, const CommandText& command, const Footer& footer, const Choice& choice) {
  Lines lines = heading_of(program, command);
  append(lines, listed(command.arguments, choice.options));
  append(lines, paragraphs(footer.paragraphs, choice.paragraphs));
  append(lines, examples(footer, choice.examples));
  const std::size_t hidden = count_of(command.options) - count_of(choice.options);
  const bool is_whole =
      hidden == 0 && choice.examples >= footer.examples.size() && choice.paragraphs >= footer.paragraphs.size();
  if (!is_whole) append(lines, pointer(program, command, hidden));
  return lines;
}

// Two examples and the usual flags come first, then the prose, then more examples. If even one example is too much, the
// last flags are left to --help-all.
Lines on_a_screen(const CommandText& program, const CommandText& command, const Footer& footer) {
  Choice choice{.options = usual(command.options), .examples = 1};
  const auto fits = [&](const Choice& one) { return composed(program, command, footer, one).size() <= screen_lines; };
  while (!fits(choice) && !choice.options.empty()) choice.options.pop_back();
  const auto grow = [&](std::size_t Choice::*part, std::size_t most) {
    for (Choice more = choice; more.*part < most;) {
      ++(more.*part);
      if (!fits(more)) return;
      choice = more;
    }
  };
  grow(&Choice::examples, std::min<std::size_t>(2, footer.examples.size()));
  grow(&Choice::paragraphs, footer.paragraphs.size());
  grow(&Choice::examples, footer.examples.size());
  return composed(program, command, footer, choice);
}

Lines overview(const CommandText& program, HelpExtent extent) {
  const bool all = extent == HelpExtent::all;
  Lines lines{program.help, fmt::format("Usage: {} COMMAND [FLAGS] [PLAN]", program.name)};
  if (all) lines.emplace_back();  // a screen has no room for it
  std::string_view heading;
  for (const CommandText& command : program.commands) {
    if (command.heading != heading) lines.push_back(command.heading + ":");
    heading = command.heading;
    append(lines, entry(command.name, command.help, 14));
  }
  const Footer footer = footer_of(program.footer);
  Lines about = paragraphs(footer.paragraphs, all ? footer.paragraphs.size() : 1);
  if (!all) about.erase(about.begin());  // the empty line
  append(lines, about);
  std::size_t shown = footer.examples.size();
  while (!all && shown > 1 && lines.size() + examples(footer, shown).size() > screen_lines) --shown;
  append(lines, examples(footer, shown));
  return lines;
}

// The help of a command that has others below it: a list of these, then its own text.
Lines list_of_actions(const CommandText& program, const CommandText& command, HelpExtent extent) {
  Lines lines{command.help, fmt::format("Usage: {} {} ACTION [FLAGS] [FILE]", program.name, command.name), "",
              "Actions:"};
  for (const CommandText& action : command.commands) {
    append(lines, entry(action.name.substr(command.name.size() + 1), action.help, 14));
  }
  if (extent == HelpExtent::all) append(lines, listed({}, command.options));
  const Footer footer = footer_of(command.footer);
  append(lines, paragraphs(footer.paragraphs, footer.paragraphs.size()));
  append(lines, examples(footer, footer.examples.size()));
  return lines;
}

std::string text_of(const Lines& lines) { return fmt::format("{}\n", fmt::join(lines, "\n")); }

constexpr const char* command_argument = "COMMAND";

// Finds "epsilon", and "filter new" below "filter".
const CommandText& command_named(const CommandText& program, const std::string& name) {
  std::vector<std::string> names;
  for (const CommandText& command : program.commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
    for (const CommandText& action : command.commands) {
      if (action.name == name) return action;
      names.push_back(action.name);
    }
  }
  throw Failure(exit_bad_input, fmt::format("{}: no such command{}; see {} --help", name,
                                            api::did_you_mean(name, names), program.name));
}

}  // namespace
}  // namespace help_file

std::string help_of(const CommandText& program, const CommandText& command, HelpExtent extent) {
  if (!command.commands.empty()) return help_file::text_of(help_file::list_of_actions(program, command, extent));
  const help_file::Footer footer = help_file::footer_of(command.footer);
  return help_file::text_of(extent == HelpExtent::screen ? help_file::on_a_screen(program, command, footer)
                                                         : help_file::composed(program, command, footer,
                                                                               {command.options, footer.examples.size(),
                                                                                footer.paragraphs.size()}));
}

std::string help_of(const CommandText& program, HelpExtent extent) {
  return help_file::text_of(help_file::overview(program, extent));
}

Command help_command() {
  return {
      .name = "help",
      .help = "Show the help of a command, as COMMAND --help does",
      .flags = {{.name = help_file::command_argument,
                 .value = "",
                 .help = "the command (default: list all commands)",
                 .repeatable = true,
                 .joined_by = ' '}},
      .footer = "Examples:\n  renyi help epsilon\n  renyi help",
      .run =
          [](const Flags& flags, const CommandText& program) {
            const auto name = flags.text(help_file::command_argument);
            print(name ? help_of(program, help_file::command_named(program, *name), HelpExtent::screen)
                       : help_of(program, HelpExtent::screen));
          },
  };
}

}  // namespace renyi::cli
