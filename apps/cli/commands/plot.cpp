// renyi plot: draws a figure of the named kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/figure.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/ask.h"
#include "apps/cli/plot/draw.h"
#include "apps/cli/plot/look_flags.h"
#include "apps/cli/plot/runs.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace plot_file {
namespace {

const std::string kind_argument = "KIND";
const std::string out_flag = "--out";

const std::string range_flag = "--range";
const std::string orders_name = "--orders";

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const api::FigureKind& kind : api::figure_kinds()) all.emplace_back(kind.name);
  return all;
}

std::string kind_of(const Flags& flags) {
  const std::vector<std::string> all = names();
  std::string name = flags.text(kind_argument).value_or("");
  if (name.empty()) throw InvalidArgument(kind_argument, "nothing", fmt::format("one of {}", fmt::join(all, ", ")));
  if (std::find(all.begin(), all.end(), name) == all.end()) refuse_choice(kind_argument, name, all);
  return name;
}

// "1:32".
void set_range(Question& question, const Flags& flags, const std::string& flag) {
  const auto text = flags.text(flag);
  if (!text) return;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) {
    throw InvalidArgument(flag, fmt::format("\"{}\"", *text), "two numbers with a colon between them, such as 1:32");
  }
  const double from = read_number(flag, text->substr(0, colon)), to = read_number(flag, text->substr(colon + 1));
  if (!(from < to)) throw InvalidArgument(flag, fmt::format("\"{}\"", *text), "the smaller number first, such as 1:32");
  question.set("range", api::Document::numbers({from, to}), flag);
}

void set_ranges(Question& question, const Flags& flags, const std::string& kind) {
  if (flags.given(range_flag) && flags.given(orders_name)) {
    throw InvalidArgument(orders_name, *flags.text(orders_name), fmt::format("nothing beside {}", range_flag));
  }
  if (flags.given(orders_name) && kind != "rdp" && kind != "closed-form") {
    throw InvalidArgument(orders_name, *flags.text(orders_name), "nothing, unless the x axis shows orders");
  }
  set_range(question, flags, range_flag);
  set_range(question, flags, orders_name);
}

plot::AskedRun read_run(const plot::RunAsked& asked, const std::string& kind) {
  plot::AskedRun run{.label = asked.label};
  with_question([&](Question& question) {
    set_number(question, asked.flags, "delta");
    set_ranges(question, asked.flags, kind);
    plot::set_scales(question, asked.flags);
    question.flag_at["sampling_rate"] = "--sampling-rate";
    set_run(question, asked.flags, "");
    print_warnings_to_stderr(question);
    run.question = question;
  });
  return run;
}

plot::Figure figure_asked(const std::string& kind, const Flags& flags) {
  std::vector<plot::AskedRun> runs;
  for (const plot::RunAsked& asked : plot::runs_asked(flags)) runs.push_back(read_run(asked, kind));
  plot::Figure figure;
  with_question([&](Question& question) {
    question = runs.front().question;
    if (runs.size() > 1) question.flag_at["runs"] = kind_argument;
    figure = plot::figure_of_all(kind, runs);
  });
  return figure;
}

void run(const Flags& flags) {
  // Errors about a run are explained by its flags or its file; these are about the figure.
  with_question([&](Question&) {
    const std::string kind = kind_of(flags);
    const auto file = flags.text(out_flag);
    if (file) plot::check_picture(out_flag, *file);
    const plot::Canvas canvas = plot::canvas_asked(flags, out_flag, file);
    plot::Figure figure = figure_asked(kind, flags);
    plot::set_title(figure, flags);
    if (file) return plot::save(figure, canvas, out_flag, *file);
    print(plot::for_standard_output(figure));
  });
}

std::vector<FlagText> run_flags_of_several() {
  std::vector<FlagText> all = run_flags();
  for (FlagText& text : all) {
    if (text.name != plan_argument) continue;
    text.help = "plan files (docs/format/plan.md), or - for standard input; several are drawn together";
    text.repeatable = true;
    text.joined_by = unit_separator;
  }
  return all;
}

std::string list_of_kinds() {
  std::string text = "Kinds:\n";
  for (const api::FigureKind& kind : api::figure_kinds()) text += fmt::format("  {:<12} {}\n", kind.name, kind.help);
  return text;
}

}  // namespace
}  // namespace plot_file

Command plot_command() {
  const std::vector<FlagText> own{
      {"--delta", "DELTA", "delta of (epsilon, delta), in [0, 1] (default 1e-5, named in the figure)", asked_group},
      {plot_file::range_flag, "FROM:TO", "the range of the x axis, such as 0:4 (default by the runs)", asked_group},
      {plot_file::orders_name, "FROM:TO", "the same for kinds whose x axis shows orders, such as 1:32", asked_group},
      {plot_file::out_flag, "FILE", "a picture: .svg, .png or .pdf (default: drawn as text)", asked_group},
  };
  return {
      .name = "plot",
      .help = "Draw a run's curves: in the terminal, or as SVG, PNG, PDF",
      .flags = joined({{{plot_file::kind_argument, "", fmt::format("{}", fmt::join(plot_file::names(), ", "))}},
                       plot_file::run_flags_of_several(),
                       own,
                       {plot::label_flag(), time_limit_flag()},
                       plot::look_flags()}),
      .footer = plot_file::list_of_kinds() +
                "\n"
                "Several plan files, or several values of one flag (--noise-multiplier 1,1.5,2), give one curve\n"
                "each. PNG and PDF are made from the SVG by rsvg-convert (Debian: librsvg2-bin).\n"
                "\n"
                "Examples:\n"
                "  renyi plot profile --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
                "  renyi plot steps --sampling-rate 0.01 --noise-multiplier 1,1.5,2 --steps 10000 --out steps.svg\n"
                "  renyi plot rdp plan.json --delta 1e-6 --size column --title \"\" --out curve.pdf\n"
                "  renyi plot profile plan.json nested-plan.json --label A --label B --dpi 300 --out both.png\n"
                "  renyi plot loss --noise-multiplier 1 --delta 0.05 --y-axis linear --out loss.svg",
      .run = [](const Flags& flags, const CommandText&) { plot_file::run(flags); },
  };
}

}  // namespace renyi::cli
