// renyi profile
#include <fmt/format.h>

#include <array>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/columns.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/exact_view.h"
#include "apps/cli/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot_flag.h"
#include "apps/cli/profile_notes.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/want_flags.h"

namespace renyi::cli {
namespace {

using api::Json;
using Lines = std::vector<std::vector<std::string>>;

void build(Question& question, const Flags& flags) {
  question.request["op"] = "profile";
  set_numbers(question, flags, "epsilons");
  set_numbers(question, flags, "deltas");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_want(question, flags);
  set_run(question, flags, "");
}

// Points at which `figure` was asked for, given the other.
struct Kind {
  const char* list;
  const char* given;
  const char* figure;
};
constexpr std::array<Kind, 2> kinds{{{"at_epsilons", "epsilon", "delta"}, {"at_deltas", "delta", "epsilon"}}};

void add_exact(std::vector<std::string>& line, const Json& exact) {
  if (is_there(exact)) {
    line.insert(line.end(), {rounded_down(number_in(exact.at("lower"))), rounded_up(number_in(exact.at("upper"))),
                             exact.at("engine").get<std::string>()});
  } else {
    line.insert(line.end(), {"-", "-", "-"});
  }
}

Lines lines_of(const Json& points, const Kind& kind) {
  const bool exact = points[0].contains("exact"), renyi = points[0].contains("renyi");
  std::vector<std::string> titles{kind.given};
  if (renyi) titles.push_back(fmt::format("{} by Renyi", kind.figure));
  if (exact) titles.insert(titles.end(), {fmt::format("exact {} at least", kind.figure), "at most", "engine"});
  Lines lines{titles};
  for (const Json& point : points) {
    std::vector<std::string> line{rounded(number_in(point.at(kind.given)))};
    if (renyi) line.push_back(rounded_up(number_in(point.at("renyi").at(kind.figure))));
    if (exact) add_exact(line, point.at("exact"));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string table(const Question& question, const Json& answer) {
  Report report(Style::of_standard_output());
  report.headline("Privacy profile", " (lower ends rounded down, upper ends and Renyi bounds up)");
  describe_run(report, question);
  describe_notes(report, answer);
  for (const Kind& kind : kinds) {
    if (answer.contains(kind.list)) report.blank_line().lines(columns(lines_of(answer.at(kind.list), kind)));
  }
  return report.text();
}

std::vector<Json> cells_of(const Json& point, const Kind& kind) {
  const bool exact = point.contains("exact") && is_there(point.at("exact"));
  const auto cell = [&](const char* key) { return exact ? point.at("exact").at(key) : Json(""); };
  return {
      kind.figure,      point.at(kind.given), point.contains("renyi") ? point.at("renyi").at(kind.figure) : Json(""),
      cell("lower"),    cell("upper"),        cell("engine"),
      cell("direction")};
}

std::string rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const Kind& kind : kinds) {
    if (!answer.contains(kind.list)) continue;
    for (const Json& point : answer.at(kind.list)) cells.push_back(cells_of(point, kind));
  }
  return csv({"figure", "at", "renyi", "exact_lower", "exact_upper", "engine", "direction"}, cells);
}

}  // namespace

Command profile_command() {
  const std::vector<FlagText> own{
      {"--epsilons", "LIST", "print delta at each of these (default: about ten, as far as delta 1e-10)", asked_group},
      {"--deltas", "LIST", "print epsilon at each of these, in [0, 1]", asked_group},
  };
  return {
      .name = "profile",
      .help = "delta at every epsilon, epsilon at every delta: exact, and by Renyi",
      .flags = joined({run_flags(), own, want_flags(), conversion_flags(), {format_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi profile --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
                "  renyi profile plan.json --epsilons 0,0.5,1,2 --deltas 1e-5,1e-6\n"
                "  renyi profile --noise-multiplier 4 --steps 10 --want exact --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); },
                {.table = table, .csv = rows, .check = require_a_point, .figure = plot::profile_figure});
          },
  };
}

}  // namespace renyi::cli
