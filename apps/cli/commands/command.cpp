#include "apps/cli/commands/command.h"

#include <fmt/format.h>

#include <utility>

#include "api/run.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/draw.h"
#include "apps/cli/views/describe.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace command_file {
namespace {

int exit_code_for(ErrorKind kind) { return kind == ErrorKind::invalid_argument ? exit_bad_input : exit_no_answer; }

std::optional<std::string> picture_of(const Flags& flags) {
  auto file = flags.text(plot_flag().name);
  if (file) plot::check_picture(plot_flag().name, *file);
  return file;
}

}  // namespace
}  // namespace command_file

Output output_asked(const Flags& flags, const std::string& usual_format, bool has_csv) {
  std::string format = flags.text(format_flag().name).value_or(usual_format);
  if (format != "table" && format != "json" && !(format == "csv" && has_csv)) {
    std::vector<std::string> formats{"table", "json"};
    if (has_csv) formats.emplace_back("csv");
    refuse_choice(format_flag().name, format, formats);
  }
  return {std::move(format), command_file::picture_of(flags)};
}

std::string json_line(const Question& question, const std::string& answer) {
  const RunSizes& sizes = question.run.sizes;
  const bool by_sizes = sizes.dataset_size || sizes.batch_size || sizes.epochs || sizes.sampling;
  if (!by_sizes) return answer + '\n';
  // The rules of the question's run name flags; those of the request name its members.
  return api::with_run(answer, question.request, renyi::resolved_run(sizes, question.run.unknown)) + '\n';
}

void show(const Question& question, const std::string& format, const std::string& text) {
  if (format != "table") {  // formats for programs must not contain them
    for (const std::string& line : question.understood) print_to_stderr(fmt::format("renyi: understood {}\n", line));
    print_warnings_to_stderr(question);
  }
  print(text);
}

void save_picture(const plot::Figure& figure, const std::string& file) { plot::save(figure, plot_flag().name, file); }

void print_warnings_to_stderr(const Question& question) {
  for (const std::string& warning : warnings(question)) print_to_stderr(fmt::format("renyi: warning: {}\n", warning));
}

void with_question(const std::function<void(Question&)>& body) {
  Question question;
  try {
    body(question);
  } catch (const Error& error) {
    throw Failure(command_file::exit_code_for(error.kind()), question.explain(error.path(), error.what()));
  }
}

}  // namespace renyi::cli
