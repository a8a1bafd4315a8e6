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
#include "renyi/error.h"

namespace renyi::cli {
namespace plot_file {
namespace {

struct Kind {
  const char* name;
  const char* help;
  plot::Figure (*figure)(const Question&);
};
constexpr std::array<Kind, 7> kinds{{
    {"rdp", "the Renyi divergence at every order, and the best order for --delta", plot::rdp_figure},
    {"steps", "epsilon against the number of steps, exact and by the Renyi bound", plot::steps_figure},
    {"profile", "delta against epsilon, exact and by the Renyi bound", plot::profile_figure},
    {"tradeoff", "the errors of the best test that tells neighbours apart", plot::tradeoff_figure},
    {"outcomes", "how likely a bad outcome may become, by how likely it is", plot::outcomes_figure},
    {"accountants", "the epsilon each composition theorem proves, side by side", plot::accountants_figure},
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

void run(const Flags& flags) {
  with_question([&](Question& question) {
    const Kind& kind = kind_of(flags);
    const auto file = flags.text(out_flag);
    if (file) plot::check_picture(out_flag, *file);
    set_number(question, flags, "delta");
    set_run(question, flags, "");
    const plot::Figure figure = kind.figure(question);
    print_warnings_to_stderr(question);
    if (file) return plot::save(figure, out_flag, *file);
    print(plot::for_standard_output(figure));
  });
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
      {plot_file::out_flag, "FILE", "a picture: .png, .svg, .pdf, or .gp for gnuplot's script (default: drawn as text)",
       asked_group},
  };
  return {
      .name = "plot",
      .help = "Draw a run's curves: in the terminal, or as PNG, SVG, PDF",
      .flags = joined(
          {{{plot_file::kind_argument, "", fmt::format("{}", fmt::join(plot_file::names(), ", "))}}, run_flags(), own}),
      .footer = plot_file::list_of_kinds() +
                "\n"
                "Pictures are drawn by gnuplot (Debian: gnuplot-nox).\n"
                "\n"
                "Examples:\n"
                "  renyi plot profile --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
                "  renyi plot steps --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --out steps.png\n"
                "  renyi plot rdp plan.json --delta 1e-6 --out curve.svg\n"
                "  renyi plot tradeoff --scale 2 --out tradeoff.pdf\n"
                "  renyi plot closed-form --sampling-rate 0.01 --noise-multiplier 4 --out figure.gp",
      .run = [](const Flags& flags, const CommandText&) { plot_file::run(flags); },
  };
}

}  // namespace renyi::cli
