// renyi calibrate: the number that meets a target, and --solve, which says what number is left open.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/content.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace calibrate_file {
namespace {

using api::Json;

constexpr const char* flag_name = "--solve";

InvalidArgument no_such_place(const std::string& path) {
  return {flag_name, path, "epsilon, delta, unit, or the place of a number in the plan, such as steps[0].count"};
}

// "steps[0].plan[1].scale" as a JSON pointer: "/steps/0/plan/1/scale". Throws InvalidArgument for what is none.
Json::json_pointer pointer_to(const std::string& path) {
  std::string text = path;
  std::erase(text, ']');
  std::replace(text.begin(), text.end(), '[', '/');
  std::replace(text.begin(), text.end(), '.', '/');
  try {
    return Json::json_pointer("/" + text);
  } catch (const Json::exception&) {
    throw no_such_place(path);
  }
}

// A member of the request itself: the flag of that name must not be given.
void leave_open(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  if (flags.given(flag)) refuse(flags, flag, "no value, since --solve asks for it");
  question.set(key, nullptr, flag);
}

bool is_in_object(const Json& request, const Json::json_pointer& pointer) {
  const auto parent = pointer.parent_pointer();
  try {
    return request.contains(parent) && request.at(parent).is_object();
  } catch (const Json::exception&) {  // such as an index that no array can have
    return false;
  }
}

// Whatever the plan holds there is not looked at.
void leave_open_in_plan(Question& question, const std::string& path) {
  const auto pointer = pointer_to(path);
  if (!path.starts_with("steps[") || !is_in_object(api::opened(question.request), pointer)) throw no_such_place(path);
  api::opened(question.request)[pointer] = nullptr;
}

// Of the target or the plan; but a mechanism named may have an epsilon too, and the target's is then given.
bool is_of_request(const Flags& flags, const std::string& solve) {
  if (solve == "unit") return true;
  if (solve != "epsilon" && solve != "delta") return false;
  const Mechanism* named = flags.given(plan_argument) ? nullptr : named_mechanism(flags);
  const auto names = named != nullptr ? names_in_plans(*named) : std::vector<std::string>();
  return !flags.given("--" + solve) || std::find(names.begin(), names.end(), solve) == names.end();
}

// --solve: which number is left open in a request.
FlagText solve_flag() {
  return {flag_name, "NUMBER",
          "what to solve for: a flag (noise-multiplier, steps, sampling-rate, scale, ..., unit, epsilon, delta), or a "
          "place in the plan file (steps[0].count)",
          asked_group};
}

// "neighbors", "unit", "steps", "epsilon" and "delta" of the request, with null for what --solve asks for.
void set_open_run(Question& question, const Flags& flags) {
  const auto solve = flags.text(flag_name);
  const bool by_file = flags.given(plan_argument);
  if (!solve && !by_file) {
    throw InvalidArgument(flag_name, "nothing", "the flag to solve for, such as noise-multiplier or steps");
  }
  const bool of_request = solve && is_of_request(flags, *solve);
  set_number(question, flags, "epsilon");
  set_number(question, flags, "delta");
  set_run(question, flags, solve && !of_request && !by_file ? "--" + *solve : "");
  if (of_request) {
    leave_open(question, flags, *solve);
  } else if (solve && by_file) {
    leave_open_in_plan(question, *solve);
  }
}

void build(Question& question, const Flags& flags) {
  question.request.set("op", "calibrate");
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

  // What the classical theorem asks of one Gaussian; empty where it says nothing.
  std::string classical() const {
    if (!answer_.contains("classical")) return "";
    const Json& found = answer_.at("classical");
    const double value = number_in(found.at("value"));
    return fmt::format("{} = {} by sqrt(2 ln(1.25/delta))/epsilon, {:.2g} % more noise ({}, for epsilon below 1)",
                       name(), shown(found.at("value")), 100 * (value / number_in(answer_.at("value")) - 1),
                       found.at("source").get<std::string>());
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
    return fmt::format("{} = {}", name, rounded(number_in(api::opened(question.request).at(name))));
  };
  if (view.path() == "epsilon") return given("delta");
  return view.path() == "delta" ? given("epsilon") : fmt::format("{} at {}", given("epsilon"), given("delta"));
}

// The run with the value in its place, for its description.
Question solved(const Question& question, const View& view, const Json& value) {
  Question result = question;
  if (view.is_target()) return result;
  api::opened(result.request)[pointer_to(view.path())] = view.path() == "unit" ? value : Json(view.value());
  return result;
}

std::string table(const Question& question, const Json& answer) {
  const View view(answer);
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} = {}", view.name(), view.value()), fmt::format(" ({})", view.extreme()));
  report.row(view.is_target() ? "at" : "target", target_in(question, view));
  if (!view.is_target()) report.row("reached", view.reached());
  if (const std::string rounding = view.rounding(); !rounding.empty()) report.row("3 digits", rounding);
  if (const std::string classical = view.classical(); !classical.empty()) report.row("classical", classical);
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
}  // namespace calibrate_file

Command calibrate_command() {
  const std::vector<FlagText> own{
      calibrate_file::solve_flag(),
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
            ask(flags, [&](Question& question) { calibrate_file::build(question, flags); },
                {calibrate_file::table, calibrate_file::rows});
          },
  };
}

}  // namespace renyi::cli
