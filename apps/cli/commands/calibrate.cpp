// renyi calibrate: solves for the number that meets a target; --solve names the number.
#include "api/calibrate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "api/suggestion.h"
#include "apps/cli/commands/calibrate_split.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"
#include "renyi/papers/classical_gaussian.h"

namespace renyi::cli {

namespace calibrate_file {
namespace {

using api::CalibrateAnswer;
using api::CalibrateRequest;

constexpr const char* flag_name = "--solve";
constexpr const char* split_flag = "--split";
constexpr const char* equal_shares = "equal-shares";
constexpr const char* equal_error = "equal-error";

InvalidArgument no_such_place(const std::string& path) {
  return {flag_name, path,
          "epsilon, delta, unit, or a number of the plan by its name, such as scale, or its place, such as "
          "steps[0].count"};
}

// Makes a member of the request the unknown; the flag of that name must not be given.
void leave_open(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  if (flags.given(flag)) refuse(flags, flag, "no value, since --solve asks for it");
  question.set(key, nullptr, flag);
}

// Returns the place of the only number of that name in the plan.
std::string only_place_of(const Question& question, const std::string& solve) {
  std::string name = solve;
  std::replace(name.begin(), name.end(), '-', '_');
  const auto places = api::places_named(question.request, name);
  if (places.empty()) throw no_such_place(solve);
  if (places.size() == 1) return places.front();
  throw InvalidArgument(
      flag_name, solve,
      fmt::format("one place, since {} numbers have this name: {}", places.size(), fmt::join(places, ", ")));
}

// The value that the plan has there is ignored.
void leave_open_in_plan(Question& question, const std::string& solve) {
  const std::string path = solve.starts_with("steps[") ? solve : only_place_of(question, solve);
  if (!question.request.set_at(path, nullptr)) throw no_such_place(solve);
}

// Returns true if the unknown belongs to the target or to the whole plan. A named mechanism may have an epsilon too; if
// that is the unknown, the target's epsilon is given.
bool is_of_request(const Flags& flags, const std::string& solve) {
  if (solve == "unit") return true;
  if (solve != "epsilon" && solve != "delta") return false;
  const Mechanism* named = flags.given(plan_argument) ? nullptr : named_mechanism(flags);
  const auto names = named != nullptr ? names_in_plans(*named) : std::vector<std::string>();
  return !flags.given("--" + solve) || std::find(names.begin(), names.end(), solve) == names.end();
}

// Implements --solve, which names the unknown of a request.
FlagText solve_flag() {
  return {flag_name, "NUMBER",
          "what to solve for: a flag (noise-multiplier, steps, epochs, batch-size, sampling-rate, scale, ..., unit, "
          "epsilon, delta), or a number of the plan file, by its name if only one step has it, or its place "
          "(steps[0].count)",
          asked_group};
}

// Implements --split, which lets several unknowns of a plan file share the budget.
FlagText split_text() {
  return {
      split_flag, "SHARES",
      "solve for every null of the plan file at once: shares of the budget in their order (60,40), equal-shares, or "
      "equal-error (noise of the same standard deviation)",
      asked_group};
}

void set_split(Question& question, const Flags& flags) {
  const std::string text = *flags.text(split_flag);
  if (!flags.given(plan_argument)) refuse(flags, split_flag, "together with a plan file that has nulls");
  if (flags.given(flag_name))
    refuse(flags, flag_name, "nothing beside --split, which solves for all nulls of the plan");
  if (text == equal_shares || text == equal_error) return set_text(question, flags, "split");
  if (text.find_first_not_of("0123456789.,eE+-/%") == std::string::npos) return set_numbers(question, flags, "split");
  throw InvalidArgument(split_flag, fmt::format("\"{}\"{}", text, api::did_you_mean(text, {equal_shares, equal_error})),
                        fmt::format("shares such as 60,40, {} or {}", equal_shares, equal_error));
}

// Sets "neighbors", "unit", "steps", "epsilon" and "delta" of the request, with null for the number to solve for.
void set_open_run(Question& question, const Flags& flags) {
  auto solve = flags.text(flag_name);
  const bool by_file = flags.given(plan_argument);
  if (solve && !by_file) std::replace(solve->begin(), solve->end(), '_', '-');  // names of plans are understood too
  if (flags.given(split_flag)) set_split(question, flags);
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
  question.flag_at["split"] = split_flag;
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_text(question, flags, "by");
  set_width(question, flags);
  set_open_run(question, flags);
}

// The answer as its report presents it.
class View {
 public:
  explicit View(const CalibrateAnswer& answer)
      : answer_(answer), found_(answer.found), more_is_private_(found_.effect == Effect::lowers_cost) {}

  const std::string& path() const { return answer_.number.path; }
  const std::string& name() const { return answer_.number.name; }
  bool is_target() const { return path() == "epsilon" || path() == "delta"; }

  bool is_size_of_run() const { return answer_.number.unknown.sizes.has_value(); }

  // The value is rounded towards more privacy: more noise, fewer steps.
  std::string shown(double value, std::int64_t count) const {
    if (found_.is_whole) return std::to_string(count);
    if (name() == "epochs" && is_size_of_run()) return shown_epochs(value);
    return more_is_private_ ? rounded_up(value) : rounded_down(value);
  }
  std::string value() const { return shown(found_.value, found_.count); }

  std::string extreme() const {
    if (is_target()) return "what the run costs, rounded up";
    if (!found_.is_extreme) return "meets the target; the next larger ones do not";
    return fmt::format("the {} that meets the target{}", more_is_private_ ? "smallest" : "largest",
                       found_.is_whole    ? ""
                       : more_is_private_ ? ", rounded up"
                                          : ", rounded down");
  }

  // Returns the run with the value inserted.
  ResolvedRun run() const { return run_with(found_.value); }

  std::string reached() const {
    const bool exact = found_.by == Accounting::exact;
    return fmt::format("epsilon = {} ({}, rounded up)",
                       rounded_up(exact ? answer_.cost.upper() : answer_.cost.renyi->upper),
                       exact ? "upper end of the exact interval" : "Renyi bound");
  }

  // Returns what rounding costs; empty if there is nothing to round.
  std::string rounding() const {
    const RoundedValue& rounded = *found_.rounded;
    if (found_.is_whole ? rounded.count == found_.count : rounded.value == found_.value) return "";
    const std::string unspent = rounded_up(rounded.unspent), value = shown(rounded.value, rounded.count);
    if (is_target()) return fmt::format("{} = {} (gives {} away)", name(), value, unspent);
    return fmt::format("{} = {} gives epsilon = {} ({} of the target unspent{})", name(), value,
                       rounded_up(rounded.spent), unspent, change());
  }

  // Returns the noise that the classical theorem demands of a single Gaussian; empty if it does not apply.
  std::string classical() const {
    if (!found_.classical) return "";
    return fmt::format("{} = {} by sqrt(2 ln(1.25/delta))/epsilon, {:.2g} % more noise ({}, for epsilon below 1)",
                       name(), shown(*found_.classical, 0), 100 * (*found_.classical / found_.value - 1),
                       classical_gaussian_source);
  }

 private:
  ResolvedRun run_with(double value) const {
    RunSizes sizes = *answer_.number.unknown.sizes;
    if (found_.is_whole) {
      sizes.batch_size = found_.count;
    } else {
      sizes.epochs = value;
    }
    return renyi::resolved_run(sizes);
  }

  // Returns as many digits as are needed for the same number of steps, at least six.
  std::string shown_epochs(double epochs) const {
    if (std::string text = rounded(epochs); read_number(flag_name, text) == epochs) return text;
    constexpr std::size_t fewest = 6, all = 17;
    const std::string decimal = fmt::format("{:.16e}", epochs);
    for (std::size_t digits = fewest; digits < all; ++digits) {
      std::string text = plain_decimal(shortened(decimal, digits, Side::below));
      const double value = read_number(flag_name, text);
      if (value > 0 && run_with(value).count == run_with(epochs).count) return text;
    }
    return api::decimal(epochs);
  }

  // Formats a difference as ", 0.33 % more".
  std::string change() const {
    const double value = found_.value, rounded = found_.rounded->value;
    if (!(value > 0)) return "";
    return fmt::format(", {:.2g} % {}", 100 * std::abs(rounded / value - 1), rounded > value ? "more" : "less");
  }

  const CalibrateAnswer& answer_;
  const Calibration& found_;
  bool more_is_private_;
};

std::string target_in(const CalibrateRequest& asked) {
  const std::string epsilon = fmt::format("epsilon = {}", rounded(asked.target.epsilon));
  std::string delta = fmt::format("delta = {}", rounded(asked.target.delta));
  if (asked.number.path == "epsilon") return delta;
  return asked.number.path == "delta" ? epsilon : fmt::format("{} at {}", epsilon, delta);
}

// Returns the run with the value inserted, for its description.
Question solved(const Question& question, const View& view, const Calibration& found) {
  Question result = question;
  if (view.is_target()) return result;
  if (view.is_size_of_run()) {
    result.run = view.run();
    insert_run(result);
    return result;
  }
  result.request.set_at(view.path(), view.path() == "unit" ? api::Document(found.count) : api::Document(view.value()));
  return result;
}

std::string table(const Question& question, const CalibrateRequest& asked, const CalibrateAnswer& answer) {
  const View view(answer);
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} = {}", view.name(), view.value()), fmt::format(" ({})", view.extreme()));
  report.row(view.is_target() ? "at" : "target", target_in(asked));
  if (!view.is_target()) report.row("reached", view.reached());
  if (const std::string rounding = view.rounding(); !rounding.empty()) report.row("3 digits", rounding);
  if (const std::string classical = view.classical(); !classical.empty()) report.row("classical", classical);
  describe_run(report, solved(question, view, answer.found));
  describe_exact(report, answer.cost);
  if (!answer.cost.note().empty()) report.row("note", answer.cost.note());
  report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(answer.cost.renyi->upper)));
  describe_bound(report, *answer.cost.renyi);
  if (!answer.note.empty()) report.row("note", answer.note);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question&, const CalibrateRequest&, const CalibrateAnswer& answer) {
  const Calibration& found = answer.found;
  const std::string figure(to_string(answer.cost.quantity));
  const RenyiBound& bound = *answer.cost.renyi;
  const auto value = [&](double number, std::int64_t count) { return found.is_whole ? Cell(count) : Cell(number); };
  std::vector<Cell> cells{answer.number.name, value(found.value, found.count), bound.upper,
                          bound.order,        to_string(bound.conversion),     to_string(found.by)};
  if (answer.cost.exact) {
    const ExactInterval& worst = answer.cost.exact->worst;
    cells.insert(cells.end(), {worst.lower, worst.upper, to_string(worst.engine)});
  } else {
    cells.insert(cells.end(), 3, Cell(""));
  }
  const RoundedValue& rounded = *found.rounded;
  cells.insert(cells.end(), {value(rounded.value, rounded.count), rounded.spent, rounded.unspent});
  return csv({"parameter", "value", "renyi_" + figure, "renyi_order", "renyi_conversion", "by", "exact_lower",
              "exact_upper", "engine", "rounded", "rounded_" + figure, "unspent"},
             {cells});
}

}  // namespace
}  // namespace calibrate_file

Command calibrate_command() {
  const std::vector<FlagText> own{
      calibrate_file::solve_flag(),
      epsilon_flag("epsilon not to exceed"),
      delta_flag(),
      calibrate_file::split_text(),
      {"--by", "exact|renyi",
       "whose epsilon is to meet the target (default exact, or renyi where the run has no exact figure)", asked_group},
  };
  return {
      .name = "calibrate",
      .help = "The noise, steps or rate that meets a target",
      .flags = joined({run_flags(), own, width_flags(), conversion_flags(), {format_flag(), time_limit_flag()}}),
      .footer =
          "A plan file has null for the number to solve for, or --solve says its name or its place. The answer is\n"
          "on the private side; the row '3 digits' says what rounding it further that way costs. Several nulls\n"
          "share the budget by --split.\n"
          "\n" +
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate --solve steps --sampling-rate 0.01 --noise-multiplier 1.1 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate --solve epochs --dataset-size 60000 --batch-size 256 \\\n"
          "      --noise-multiplier 1.1 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate open-plan.json --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate counts.json --split equal-error --epsilon 1 --delta 1e-6\n"
          "  renyi calibrate plan.json --solve 'steps[0].count' --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate plan.json --solve delta --epsilon 3",
      .run =
          [](const Flags& flags, const CommandText&) {
            const auto build = [&](Question& question) { calibrate_file::build(question, flags); };
            if (flags.given(calibrate_file::split_flag)) return ask(flags, build, api::read_split, split_views());
            ask_with_run<api::CalibrateRequest>(
                flags, build,
                [](const Question& question) { return api::read_calibrate(question.request, question.run); },
                {.table = calibrate_file::table, .csv = calibrate_file::rows});
          },
  };
}

}  // namespace renyi::cli
