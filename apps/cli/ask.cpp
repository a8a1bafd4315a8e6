#include "apps/cli/ask.h"

#include <fmt/format.h>

#include <cstdio>

#include "apps/cli/answer_flags.h"
#include "apps/cli/output.h"
#include "apps/cli/warnings.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

int exit_code_for(ErrorKind kind) { return kind == ErrorKind::invalid_argument ? exit_bad_input : exit_no_answer; }

std::string format_of(const Flags& flags, const Views& views) {
  std::string format = flags.text(format_flag().name).value_or(views.usual_format);
  if (format == "table" || format == "json" || (format == "csv" && views.csv)) return format;
  throw InvalidArgument(format_flag().name, fmt::format("\"{}\"", format),
                        views.csv ? "one of table, json, csv" : "one of table, json");
}

// Reports carry their warnings; what programs read must not.
void warn_aside(const Question& question) {
  for (const std::string& warning : warnings(question)) fmt::print(stderr, "renyi: warning: {}\n", warning);
}

void show(const Question& question, const api::Json& answer, const std::string& format, const Views& views) {
  if (format == "table") return print(views.table(question, answer));
  warn_aside(question);
  print(format == "csv" ? views.csv(question, answer) : views.json(question, answer));
}

}  // namespace

std::string whole_answer(const Question& /*question*/, const api::Json& answer) { return api::write(answer) + '\n'; }

void ask(const Flags& flags, const std::function<void(Question&)>& build, const Views& views) {
  Question question;
  try {
    const std::string format = format_of(flags, views);
    build(question);
    const api::Json answer = api::evaluate(question.request);
    views.check(answer);
    show(question, answer, format, views);
  } catch (const Error& error) {
    throw Failure(exit_code_for(error.kind()), question.explain(error.path(), error.what()));
  }
}

}  // namespace renyi::cli
