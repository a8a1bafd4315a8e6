// renyi calibrate
#include <fmt/format.h>

#include <cmath>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/exact_view.h"
#include "apps/cli/number.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/solve_flag.h"
#include "apps/cli/want_flags.h"
#include "apps/cli/warnings.h"

namespace renyi::cli {
namespace {

using api::Json;

void build(Question& question, const Flags& flags) {
  question.request["op"] = "calibrate";
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_text(question, flags, "by");
  set_width(question, flags);
  set_open_run(question, flags);
}

// The answer in the terms of its report.
class View {
 public:
  explicit View(const Json& answer)
      : answer_(answer),
        path_(answer.at("path")),
        more_is_private_(answer.at("extreme") == "smallest"),
        figure_(path_ == "delta" ? "delta" : "epsilon") {}

  const std::string& path() const { return path_; }
  std::string name() const { return answer_.at("parameter").get<std::string>(); }
  bool is_target() const { return path_ == "epsilon" || path_ == "delta"; }
  const std::string& figure() const { return figure_; }  // what is spent: epsilon, or a delta that was solved for
  double bound() const { return number_in(answer_.at("renyi").at(figure_)); }

  // Rounded to the private side: more noise, fewer steps.
  std::string shown(const Json& value) const {
    if (value.is_number_integer()) return api::write(value);
    return more_is_private_ ? rounded_up(number_in(value)) : rounded_down(number_in(value));
  }
  std::string value() const { return shown(answer_.at("value")); }

  std::string extreme() const {
    if (is_target()) return "what the run costs, rounded up";
    const bool whole = answer_.at("value").is_number_integer();
    return fmt::format("the {} that meets the target{}", more_is_private_ ? "smallest" : "largest",
                       whole              ? ""
                       : more_is_private_ ? ", rounded up"
                                          : ", rounded down");
  }

  std::string reached() const {
    const bool exact = answer_.at("by") == "exact";
    const Json& epsilon = exact ? answer_.at("exact").at("upper") : answer_.at("renyi").at("epsilon");
    return fmt::format("epsilon = {} ({}, rounded up)", rounded_up(number_in(epsilon)),
                       exact ? "upper end of the exact interval" : "Renyi bound");
  }

  // What rounding costs; empty where there is nothing to round.
  std::string rounding() const {
    const Json& rounded = answer_.at("rounded");
    if (rounded.at("value") == answer_.at("value")) return "";
    const std::string unspent = rounded_up(number_in(rounded.at("unspent")));
    if (is_target()) return fmt::format("{} = {} (gives {} away)", name(), shown(rounded.at("value")), unspent);
    return fmt::format("{} = {} gives epsilon = {} ({} of the target unspent{})", name(), shown(rounded.at("value")),
                       rounded_up(number_in(rounded.at("epsilon"))), unspent, change());
  }

 private:
  // ", 0.33 % more"
  std::string change() const {
    const double value = number_in(answer_.at("value")), rounded = number_in(answer_.at("rounded").at("value"));
    if (!(value > 0)) return "";
    return fmt::format(", {:.2g} % {}", 100 * std::abs(rounded / value - 1), rounded > value ? "more" : "less");
  }

  const Json& answer_;
  std::string path_;
  bool more_is_private_;
  std::string figure_;
};

std::string target_in(const Question& question, const View& view) {
  const auto given = [&](const char* name) {
    return fmt::format("{} = {}", name, rounded(number_in(question.request.at(name))));
  };
  if (view.path() == "epsilon") return given("delta");
  return view.path() == "delta" ? given("epsilon") : fmt::format("{} at {}", given("epsilon"), given("delta"));
}

// The run with the value in its place, for its description.
Question solved(const Question& question, const View& view, const Json& value) {
  Question result = question;
  if (view.is_target()) return result;
  result.request[pointer_to(view.path())] = view.path() == "unit" ? value : Json(view.value());
  return result;
}

std::string table(const Question& question, const Json& answer) {
  const View view(answer);
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} = {}", view.name(), view.value()), fmt::format(" ({})", view.extreme()));
  report.row(view.is_target() ? "at" : "target", target_in(question, view));
  if (!view.is_target()) report.row("reached", view.reached());
  if (const std::string rounding = view.rounding(); !rounding.empty()) report.row("3 digits", rounding);
  describe_run(report, solved(question, view, answer.at("value")));
  describe_exact(report, answer.at("exact"), view.figure() == "delta" ? Width::relative : Width::absolute);
  report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(view.bound())));
  describe_bound(report, answer.at("renyi"));
  describe_note(report, answer);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question& /*question*/, const Json& answer) {
  const std::string figure = View(answer).figure();
  const Json& bound = answer.at("renyi");
  const Json& exact = answer.at("exact");
  const Json& rounded = answer.at("rounded");
  const auto end = [&](const char* name) { return is_there(exact) ? exact.at(name) : Json(""); };
  return csv({"parameter", "value", "renyi_" + figure, "renyi_order", "renyi_conversion", "by", "exact_lower",
              "exact_upper", "engine", "rounded", "rounded_" + figure, "unspent"},
             {{answer.at("parameter"), answer.at("value"), bound.at(figure), bound.at("order"), bound.at("conversion"),
               answer.at("by"), end("lower"), end("upper"), end("engine"), rounded.at("value"), rounded.at(figure),
               rounded.at("unspent")}});
}

}  // namespace

Command calibrate_command() {
  const std::vector<FlagText> own{
      solve_flag(),
      epsilon_flag("epsilon not to exceed"),
      delta_flag(),
      {"--by", "exact|renyi",
       "whose epsilon is to meet the target (default exact, or renyi where the run has no exact figure)", asked_group},
  };
  return {
      .name = "calibrate",
      .help = "The noise, steps or rate that meets a target",
      .flags = joined({run_flags(), own, width_flags(), conversion_flags(), {format_flag()}}),
      .footer =
          "A plan file has null for the number to solve for, or --solve says its place. The answer is on the private\n"
          "side; the row '3 digits' says what rounding it further that way costs.\n"
          "\n" +
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate --solve steps --sampling-rate 0.01 --noise-multiplier 1.1 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate open-plan.json --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate plan.json --solve 'steps[0].count' --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate plan.json --solve delta --epsilon 3",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {table, rows});
          },
  };
}

}  // namespace renyi::cli
