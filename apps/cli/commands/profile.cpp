// renyi profile: prints delta at every epsilon or epsilon at every delta, with notes on points without an exact value.
#include "api/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace profile_file {
namespace {

using api::ProfileAnswer;
using api::ProfileRequest;

std::vector<Cost> points_of(const ProfileAnswer& answer) {
  std::vector<Cost> points = answer.at_epsilons;
  points.insert(points.end(), answer.at_deltas.begin(), answer.at_deltas.end());
  return points;
}

// The part of a note that differs from point to point, such as a width, follows a colon and is removed.
std::string kind_of(const std::string& note) { return note.substr(0, note.find(':')); }

// Counts the points that have a note of each kind.
std::map<std::string, std::size_t> notes_of(const std::vector<Cost>& points) {
  std::map<std::string, std::size_t> notes;
  for (const Cost& point : points) {
    if (!point.limit.empty()) ++notes[kind_of(point.limit)];
    if (!point.contradiction.empty()) ++notes[point.contradiction];
  }
  return notes;
}

// Adds the rows "exact" (why there is none) and "note" (each note once, however many points have it).
void describe_notes(Report& report, const ProfileAnswer& answer) {
  const std::vector<Cost> points = points_of(answer);
  const auto missing =
      std::find_if(points.begin(), points.end(), [](const Cost& point) { return point.obstacle.has_value(); });
  if (missing != points.end()) report.row("exact", "unavailable: " + missing->unavailable());
  for (const auto& [note, count] : notes_of(points)) {
    report.row("note", fmt::format("{} (at {} of {} points)", note, count, points.size()));
  }
  if (!answer.note.empty()) report.row("note", answer.note);
}

// Throws if no requested part is available at any point.
void require_a_point(const ProfileAnswer& answer) {
  const std::vector<Cost> points = points_of(answer);
  const auto is_there = [](const Cost& point) { return point.renyi || point.exact; };
  if (std::any_of(points.begin(), points.end(), is_there)) return;
  throw Failure(exit_no_answer, points.back().unavailable());
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

std::string_view given(Quantity quantity) {
  return to_string(quantity == Quantity::epsilon ? Quantity::delta : Quantity::epsilon);
}

void add_exact(std::vector<std::string>& line, const std::optional<ExactAnswer>& exact) {
  if (exact) {
    line.insert(line.end(), {rounded_down(exact->worst.lower), rounded_up(exact->worst.upper),
                             std::string(to_string(exact->worst.engine))});
  } else {
    line.insert(line.end(), {"-", "-", "-"});
  }
}

Lines lines_of(const std::vector<Cost>& points, const CostOptions& options) {
  const Quantity quantity = points.front().quantity;
  std::vector<std::string> titles{std::string(given(quantity))};
  if (options.renyi) titles.push_back(fmt::format("{} by Renyi", to_string(quantity)));
  if (options.exact) {
    titles.insert(titles.end(), {fmt::format("exact {} at least", to_string(quantity)), "at most", "engine"});
  }
  Lines lines{titles};
  for (const Cost& point : points) {
    std::vector<std::string> line{rounded(point.at)};
    if (options.renyi) line.push_back(rounded_up(point.renyi->upper));
    if (options.exact) add_exact(line, point.exact);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string table(const Question& question, const ProfileRequest& asked, const ProfileAnswer& answer) {
  Report report(Style::of_standard_output());
  report.headline("Privacy profile", " (lower ends rounded down, upper ends and Renyi bounds up)");
  describe_run(report, question);
  describe_notes(report, answer);
  for (const auto& points : {answer.at_epsilons, answer.at_deltas}) {
    if (!points.empty()) report.blank_line().lines(columns(lines_of(points, asked.options)));
  }
  return report.text();
}

std::vector<Cell> cells_of(const Cost& point) {
  std::vector<Cell> cells{to_string(point.quantity), point.at, point.renyi ? Cell(point.renyi->upper) : Cell("")};
  if (point.exact) {
    cells.insert(cells.end(), {point.exact->worst.lower, point.exact->worst.upper, to_string(point.exact->worst.engine),
                               to_string(point.exact->direction)});
  } else {
    cells.insert(cells.end(), 4, Cell(""));
  }
  return cells;
}

std::string rows(const Question&, const ProfileRequest&, const ProfileAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const Cost& point : points_of(answer)) cells.push_back(cells_of(point));
  return csv({"figure", "at", "renyi", "exact_lower", "exact_upper", "engine", "direction"}, cells);
}

// The figure ends at the largest epsilon that is asked for.
void ask_for_range(Question& question, const api::ProfileRequest& asked) {
  double last = 0;
  for (const double epsilon : asked.epsilons) last = std::max(last, epsilon);
  if (last > 0) question.set("range", api::Document::numbers({0, last}), "--epsilons");
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
      .help = "Delta at every epsilon, and epsilon at every delta",
      .flags =
          joined({run_flags(), own, want_flags(), conversion_flags(), {format_flag(), time_limit_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi profile --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
                "  renyi profile plan.json --epsilons 0,0.5,1,2 --deltas 1e-5,1e-6\n"
                "  renyi profile --noise-multiplier 4 --steps 10 --want exact --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { profile_file::build(question, flags); }, api::read_profile,
                {.table = profile_file::table,
                 .csv = profile_file::rows,
                 .check = profile_file::require_a_point,
                 .figure = "profile",
                 .figure_asks = profile_file::ask_for_range});
          },
  };
}

}  // namespace renyi::cli
