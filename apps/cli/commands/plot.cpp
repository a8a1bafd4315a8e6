// renyi plot: draws a figure of the named kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/draw.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/look_flags.h"
#include "apps/cli/plot/overlay.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace plot_file {
namespace {

struct Kind {
  const char* name;
  const char* help;
  plot::Figure (*figure)(const Question&);
};
constexpr std::array<Kind, 10> kinds{{
    {"epochs", "epsilon after each epoch of a training run", plot::epochs_figure},
    {"rdp", "the Renyi divergence at every order, and the best order for --delta", plot::rdp_figure},
    {"steps", "epsilon against the number of steps, exact and by the Renyi bound", plot::steps_figure},
    {"profile", "delta against epsilon, exact and by the Renyi bound", plot::profile_figure},
    {"loss", "the density of the privacy loss, and the tail that delta weighs", plot::loss_figure},
    {"tradeoff", "the errors of the best test that tells neighbours apart", plot::tradeoff_figure},
    {"outcomes", "how likely a bad outcome may become, by how likely it is", plot::outcomes_figure},
    {"accountants", "the epsilon each composition theorem proves, side by side", plot::accountants_figure},
    {"filter", "the epsilon that each kind of filter needs, for steps chosen on the way", plot::filter_figure},
    {"closed-form", "the published closed form beside the exact curve (sampled Gaussians)", plot::closed_form_figure},
}};

const std::string kind_argument = "KIND";
const std::string out_flag = "--out";

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Kind& kind : kinds) all.emplace_back(kind.name);
  return all;
}

const Kind& kind_of(const Flags& flags) {
  const std::string name = flags.text(kind_argument).value_or("");
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
  }
  if (!name.empty()) refuse_choice(kind_argument, name, names());
  throw InvalidArgument(kind_argument, "nothing", fmt::format("one of {}", fmt::join(names(), ", ")));
}

plot::Figure figure_of(const Kind& kind, const Flags& flags) {
  plot::Figure figure;
  with_question([&](Question& question) {
    set_number(question, flags, "delta");
    set_run(question, flags, "");
    figure = kind.figure(question);
    print_warnings_to_stderr(question);
  });
  return figure;
}

plot::Figure figure_of_all(const Kind& kind, const std::vector<plot::RunAsked>& runs) {
  if (runs.size() == 1) return figure_of(kind, runs.front().flags);
  std::vector<plot::Figure> figures;
  std::vector<std::string> labels;
  for (const plot::RunAsked& run : runs) {
    figures.push_back(figure_of(kind, run.flags));
    labels.push_back(run.label);
  }
  return plot::overlaid(std::move(figures), labels);
}

void run(const Flags& flags) {
  // Errors about a run are explained by its flags or its file; these are about the figure.
  with_question([&](Question&) {
    const Kind& kind = kind_of(flags);
    const auto file = flags.text(out_flag);
    if (file) plot::check_picture(out_flag, *file);
    const plot::Canvas canvas = plot::canvas_asked(flags, out_flag, file);
    plot::Figure figure = figure_of_all(kind, plot::runs_asked(flags));
    plot::restyle(figure, flags);
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
  for (const Kind& kind : kinds) text += fmt::format("  {:<12} {}\n", kind.name, kind.help);
  return text;
}

}  // namespace
}  // namespace plot_file

Command plot_command() {
  const std::vector<FlagText> own{
      {"--delta", "DELTA", "delta of (epsilon, delta), in [0, 1] (default 1e-5, named in the figure)", asked_group},
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
