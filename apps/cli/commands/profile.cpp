// renyi profile: delta at every epsilon and epsilon at every delta, with notes on points that have no exact figure.
#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace profile_file {
namespace {

using api::Json;

std::vector<Json> points_of(const Json& answer) {
  std::vector<Json> points;
  for (const char* list : {"at_epsilons", "at_deltas"}) {
    if (answer.contains(list)) points.insert(points.end(), answer.at(list).begin(), answer.at(list).end());
  }
  return points;
}

const Json* reason_for_none(const Json& point) {
  const bool missing = point.contains("exact") && !is_there(point.at("exact"));
  return missing ? &point.at("exact").at("unavailable") : nullptr;
}

// What differs from point to point, such as a width, stands behind a colon.
std::string kind_of(const std::string& note) { return note.substr(0, note.find(':')); }

// How many points have a note of each kind.
std::map<std::string, std::size_t> notes_of(const std::vector<Json>& points) {
  std::map<std::string, std::size_t> notes;
  for (const Json& point : points) {
    if (!point.contains("exact") || !point.at("exact").contains("note")) continue;
    ++notes[kind_of(point.at("exact").at("note").get<std::string>())];
  }
  return notes;
}

// Rows: exact (why there is none), note (each once, however many points have it).
void describe_notes(Report& report, const Json& answer) {
  const std::vector<Json> points = points_of(answer);
  for (const Json& point : points) {
    if (const Json* reason = reason_for_none(point)) {
      report.row("exact", "unavailable: " + reason->get<std::string>());
      break;
    }
  }
  for (const auto& [note, count] : notes_of(points)) {
    report.row("note", fmt::format("{} (at {} of {} points)", note, count, points.size()));
  }
  describe_note(report, answer);
}

// Fails where nothing that was asked for can be given, at any point.
void require_a_point(const Json& answer) {
  const Json* reason = nullptr;
  const std::vector<Json> points = points_of(answer);
  for (const Json& point : points) {
    reason = reason_for_none(point);
    if (reason == nullptr || point.contains("renyi")) return;
  }
  if (reason != nullptr) throw Failure(exit_no_answer, reason->get<std::string>());
}

using Lines = std::vector<std::vector<std::string>>;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "profile");
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
}  // namespace profile_file

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
            ask(flags, [&](Question& question) { profile_file::build(question, flags); },
                {.table = profile_file::table,
                 .csv = profile_file::rows,
                 .check = profile_file::require_a_point,
                 .figure = plot::profile_figure});
          },
  };
}

}  // namespace renyi::cli
