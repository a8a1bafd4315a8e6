// renyi report: writes a privacy statement for a paper or a model card.
#include "api/report.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/file_format.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace report_file {
namespace {

const std::string format_name = "--format";
const std::string title_name = "--title";
const std::string out_name = "--out";

constexpr const char* usual_format = "markdown";
constexpr std::array<Ending, 5> endings{
    {{".md", "markdown"}, {".markdown", "markdown"}, {".html", "html"}, {".htm", "html"}, {".json", "json"}}};

// No value means standard output.
std::optional<std::string> file_in(const Flags& flags) {
  auto file = flags.text(out_name);
  if (file) check_target(out_name, *file);
  return file;
}

std::string format_in(const Flags& flags, const std::optional<std::string>& file) {
  const auto named = flags.text(format_name);
  if (named && *named != "markdown" && *named != "html" && *named != "json") {
    refuse_choice(format_name, *named, {"markdown", "html", "json"});
  }
  return file ? format_of_file(out_name, *file, endings, named, usual_format) : named.value_or(usual_format);
}

// Adds the rules that gave the numbers of the run, which the plan does not contain.
void add_remarks(Question& question) {
  std::vector<api::Document> remarks;
  for (std::string& rule : question.run.rules()) remarks.emplace_back(std::move(rule));
  if (!remarks.empty()) question.request.set("remarks", api::Document::list(std::move(remarks)));
}

void build(Question& question, const Flags& flags, const std::string& format) {
  question.request.set("op", "report");
  set_number(question, flags, "delta");
  set_width(question, flags);
  set_text(question, flags, "title");
  set_run(question, flags, "");
  if (question.run.dataset_size) {
    question.set("dataset_size", *question.run.dataset_size, "--dataset-size");
  }
  add_remarks(question);
  if (format != "json") question.request.set("formats", api::Document::list({format}));
}

void save(const std::string& text, const std::string& name) {
  AtomicFile file(out_name, name);
  file.write(text);
  file.put_into_place();
}

void run(const Flags& flags) {
  with_question([&](Question& question) {
    const auto file = file_in(flags);
    const std::string format = format_in(flags, file);
    build(question, flags, format);
    const api::ReportAnswer found = answer(api::read_report(question.request));
    if (format == "json") print_warnings_to_stderr(question);
    const std::string text = format == "json" ? write(question.request, found) + '\n' : found.texts.front().text;
    file ? save(text, *file) : print(text);
  });
}

}  // namespace
}  // namespace report_file

Command report_command() {
  const std::vector<FlagText> own{
      {report_file::title_name, "TEXT", "what the statement is called (default: Privacy statement)", asked_group},
      {report_file::format_name, "markdown|html|json",
       "a text, a page, or the facts for a program (default: by the name of FILE, or markdown)", asked_group},
      {report_file::out_name, "FILE",
       "where to write it, whole or not at all: .md, .html or .json (default: standard output)", asked_group},
  };
  return {
      .name = "report",
      .help = "A privacy statement of a run, for a paper or a model card",
      .flags = joined({run_flags(), {delta_flag()}, width_flags(), own, {time_limit_flag()}}),
      .footer =
          "It says what is guaranteed and to whom, how records must be drawn and whether a usual data loader\n"
          "does that, the figures, what they mean, what is assumed and what is not covered. It has no date:\n"
          "the same run gives the same text.\n"
          "\n"
          "Examples:\n"
          "  renyi report --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
          "  renyi report plan.json --delta 1e-6 --title \"Privacy of the survey\" --out PRIVACY.md\n"
          "  renyi report plan.json --delta 1e-6 --out privacy.html",
      .run = [](const Flags& flags, const CommandText&) { report_file::run(flags); },
  };
}

}  // namespace renyi::cli
