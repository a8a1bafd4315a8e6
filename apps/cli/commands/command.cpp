#include "apps/cli/commands/command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/json/content.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/draw.h"
#include "apps/cli/views/describe.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace command_file {
namespace {

int exit_code_for(ErrorKind kind) { return kind == ErrorKind::invalid_argument ? exit_bad_input : exit_no_answer; }

std::string format_of(const Flags& flags, const JsonViews& views) {
  std::string format = flags.text(format_flag().name).value_or(views.usual_format);
  if (format == "table" || format == "json" || (format == "csv" && views.csv)) return format;
  throw InvalidArgument(format_flag().name, fmt::format("\"{}\"", format),
                        views.csv ? "one of table, json, csv" : "one of table, json");
}

std::optional<std::string> picture_of(const Flags& flags) {
  auto file = flags.text(plot_flag().name);
  if (file) plot::check_picture(plot_flag().name, *file);
  return file;
}

void show(const Question& question, const api::Json& answer, const std::string& format, const JsonViews& views) {
  if (format == "table") return print(views.table(question, answer));
  warn_aside(question);  // what programs read must not carry them
  print(format == "csv" ? views.csv(question, answer) : views.json(question, answer));
}

}  // namespace
}  // namespace command_file

Output output_asked(const Flags& flags, const std::string& usual_format, bool has_csv) {
  Output output{flags.text(format_flag().name).value_or(usual_format), command_file::picture_of(flags)};
  const std::string& format = output.format;
  if (format == "table" || format == "json" || (format == "csv" && has_csv)) return output;
  throw InvalidArgument(format_flag().name, fmt::format("\"{}\"", format),
                        has_csv ? "one of table, json, csv" : "one of table, json");
}

void show(const Question& question, const std::string& format, const std::string& text) {
  if (format != "table") warn_aside(question);  // what programs read must not carry them
  print(text);
}

void save_picture(const plot::Figure& figure, const std::string& file) { plot::save(figure, plot_flag().name, file); }

std::string whole_answer(const Question& /*question*/, const api::Json& answer) { return api::write(answer) + '\n'; }

void warn_aside(const Question& question) {
  for (const std::string& warning : warnings(question)) say(fmt::format("renyi: warning: {}\n", warning));
}

void with_question(const std::function<void(Question&)>& body) {
  Question question;
  try {
    body(question);
  } catch (const Error& error) {
    throw Failure(command_file::exit_code_for(error.kind()), question.explain(error.path(), error.what()));
  }
}

void ask(const Flags& flags, const std::function<void(Question&)>& build, const JsonViews& views) {
  with_question([&](Question& question) {
    const std::string format = command_file::format_of(flags, views);
    const auto picture = command_file::picture_of(flags);
    build(question);
    const api::Json answer = api::evaluate(api::opened(question.request));
    views.check(answer);
    command_file::show(question, answer, format, views);
    if (picture) plot::save(views.figure(question), plot_flag().name, *picture);
  });
}

}  // namespace renyi::cli
