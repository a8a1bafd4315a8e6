// A command as data: its name, its flags, and its function; and the steps from flags to printed output that most
// commands share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/api.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/plot/ask.h"

namespace renyi::cli {

// The command line as plain data, from which help, man page and completions are made, so that they agree.
struct OptionText {
  std::vector<std::string> names;    // "--delta"; empty for a positional argument
  std::string value;                 // "DELTA", "table|json|csv", or the argument's name; empty for a switch
  std::vector<std::string> choices;  // "table", "json", "csv"; empty if any text is allowed
  std::string help;
  std::string group{};  // the heading under which help lists it
  bool rare = false;    // shown by --help-all only
};

inline constexpr const char* help_group = "Help";  // the group of --help and --help-all

struct CommandText {
  std::string name;
  std::string heading;  // the heading under which the program's help lists it
  std::string help;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<OptionText> arguments;
  std::vector<CommandText> commands;
};

struct Command {
  std::string name;
  std::string help;
  std::vector<FlagText> flags;
  std::string footer;  // ends with examples
  // `program` is the whole command line, for the commands that print it (help, man, completion); empty for the others.
  std::function<void(const Flags& flags, const CommandText& program)> run;
  // Commands below this one, whose names begin with its name: "filter new". A command that has some has neither flags
  // nor a function of its own.
  std::vector<Command> actions{};
};

Command epsilon_command();
Command delta_command();
Command rdp_command();
Command calibrate_command();
Command profile_command();
Command tradeoff_command();
Command explain_command();
Command loss_command();
Command accuracy_command();
Command filter_command();
Command matrix_command();
Command ledger_command();
Command compare_command();
Command relate_command();
Command divergence_command();
Command convert_command();
Command certify_command();
Command verify_command();
Command mechanisms_command();
Command report_command();
Command plot_command();
Command batch_command();
Command sweep_command();
Command noise_command();
Command release_command();
Command serve_command();
Command token_command();
Command help_command();
Command man_command();
Command completion_command();

// Runs `body` on a new question. A failure is reported with the flag or the file that it is about, and ends the
// program.
void with_question(const std::function<void(Question&)>& body);

// Prints warnings to standard error, because formats for programs do not contain them.
void print_warnings_to_stderr(const Question& question);

// Returns the line of JSON that answers the question. A run that the flags give by its sizes is answered as the same
// request with a "run".
std::string json_line(const Question& question, const std::string& answer);

// The functions that print the answer to a request (api/NAME.h).
template <class Asked>
struct Views {
  using Answer = decltype(answer(std::declval<const Asked&>()));
  using View = std::function<std::string(const Question&, const Asked&, const Answer&)>;

  View table;
  View csv{};  // empty if there is no such format
  // Throws if there is no answer to print in any format.
  std::function<void(const Answer&)> check = [](const Answer&) {};
  // Returns one line of JSON, as the answer to the request.
  View json = [](const Question& question, const Asked&, const Answer& found) {
    return json_line(question, write(question.request, found));
  };
  std::string usual_format = "table";
  // The kind of the figure that --plot draws; empty if the command has no such flag.
  std::string figure{};
  // Adds to the request what the figure is asked for besides.
  std::function<void(Question&, const Asked&)> figure_asks{};
};

// The flags --format and --plot, checked before anything is computed.
struct Output {
  std::string format;
  std::optional<std::string> picture;
};
Output output_asked(const Flags& flags, const std::string& usual_format, bool has_csv);
// Prints the answer in that format; warnings go to standard error for formats that programs read.
void show(const Question& question, const std::string& format, const std::string& text);
void save_picture(const plot::Figure& figure, const std::string& file);

// Builds the request, reads it, and prints the answer in the requested format.
template <class Asked>
void ask_with_run(const Flags& flags, const std::function<void(Question&)>& build,
                  const std::function<Asked(const Question&)>& read, const Views<Asked>& views) {
  with_question([&](Question& question) {
    const Output output = output_asked(flags, views.usual_format, static_cast<bool>(views.csv));
    build(question);
    const Asked asked = read(question);
    const auto found = answer(asked);
    views.check(found);
    const auto& view = output.format == "table" ? views.table : output.format == "csv" ? views.csv : views.json;
    show(question, output.format, view(question, asked, found));
    if (!output.picture) return;
    if (views.figure_asks) views.figure_asks(question, asked);
    save_picture(plot::figure_of(views.figure, question), *output.picture);
  });
}

// The same for questions whose request says everything.
template <class Asked>
void ask(const Flags& flags, const std::function<void(Question&)>& build, Asked (*read)(const api::Document&),
         const Views<Asked>& views) {
  ask_with_run<Asked>(
      flags, build, [&](const Question& question) { return read(question.request); }, views);
}

}  // namespace renyi::cli
