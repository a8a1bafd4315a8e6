// renyi calibrate
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/exact_view.h"
#include "apps/cli/mechanism_flags.h"
#include "apps/cli/number.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/want_flags.h"
#include "apps/cli/warnings.h"
#include "renyi/error.h"
#include "renyi/sampling.h"

namespace renyi::cli {
namespace {

void build(Question& question, const Flags& flags) {
  question.request["op"] = "calibrate";
  set_number(question, flags, "epsilon");
  set_number(question, flags, "delta");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_text(question, flags, "by");
  set_width(question, flags);
  const auto solve = flags.text("--solve");
  if (!solve && !flags.given(plan_argument)) {
    throw InvalidArgument("--solve", "nothing", "the flag to solve for, such as noise-multiplier or steps");
  }
  set_run(question, flags, solve ? "--" + *solve : "");
}

// "steps[0].plan[1].scale" as a JSON pointer: "/steps/0/plan/1/scale".
api::Json::json_pointer pointer_to(std::string path) {
  std::erase(path, ']');
  std::replace(path.begin(), path.end(), '[', '/');
  std::replace(path.begin(), path.end(), '.', '/');
  return api::Json::json_pointer("/" + path);
}

// A number of the sampling: "sampling.rate".
Effect effect_of_sampling(std::string_view name) {
  for (const Scheme scheme : all_schemes) {
    for (const Parameter& parameter : parameters(scheme)) {
      if (name == fmt::format("sampling.{}", parameter.name)) return parameter.effect;
    }
  }
  return Effect::not_monotone;
}

// `parent`: the step, or its sampling.
Effect effect_of(const api::Json& parent, const std::string& key) {
  if (key == "count") return Effect::raises_cost;
  if (parent.contains("scheme")) return effect_of_sampling(key);
  const Mechanism* mechanism = find_mechanism(parent.at("mechanism").get<std::string>());
  for (const Spelling& spelling : spellings_of(*mechanism)) {
    if (spelling.key == key) return spelling.parameter->effect;
  }
  return Effect::not_monotone;
}

// Rounded to the private side: more noise, fewer steps.
std::string shown(const api::Json& value, Effect effect) {
  if (value.is_number_integer() || effect == Effect::not_monotone) return api::write(value);
  return effect == Effect::lowers_cost ? rounded_up(value.get<double>()) : rounded_down(value.get<double>());
}

std::string extreme(const api::Json& value, Effect effect) {
  const bool more_is_private = effect == Effect::lowers_cost;
  if (effect == Effect::not_monotone) return "meets the target";
  return fmt::format("the {} that meets the target{}", more_is_private ? "smallest" : "largest",
                     value.is_number_integer() ? ""
                     : more_is_private         ? ", rounded up"
                                               : ", rounded down");
}

std::string reached(const api::Json& answer) {
  const bool exact = answer.at("by") == "exact";
  const api::Json& epsilon = exact ? answer.at("exact").at("upper") : answer.at("renyi").at("epsilon");
  return fmt::format("epsilon = {} ({}, rounded up)", rounded_up(number_in(epsilon)),
                     exact ? "upper end of the exact interval" : "Renyi bound");
}

std::string table(const Question& question, const api::Json& answer) {
  const auto parameter = answer.at("parameter").get<std::string>();
  const auto pointer = pointer_to(answer.at("path").get<std::string>());
  const Effect effect = effect_of(question.request.at(pointer.parent_pointer()), parameter);
  const std::string value = shown(answer.at("value"), effect);
  Question solved = question;
  solved.request[pointer] = value;
  const api::Json& request = question.request;
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} = {}", parameter, value), fmt::format(" ({})", extreme(answer.at("value"), effect)));
  report.row("target", fmt::format("epsilon = {} at delta = {}", rounded(number_in(request.at("epsilon"))),
                                   rounded(number_in(request.at("delta")))));
  report.row("reached", reached(answer));
  describe_run(report, solved);
  describe_exact(report, answer.at("exact"), Width::absolute);
  report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(number_in(answer.at("renyi").at("epsilon")))));
  describe_bound(report, answer.at("renyi"));
  describe_note(report, answer);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question& /*question*/, const api::Json& answer) {
  const api::Json& bound = answer.at("renyi");
  const api::Json& exact = answer.at("exact");
  const auto end = [&](const char* name) { return is_there(exact) ? exact.at(name) : api::Json(""); };
  return csv({"parameter", "value", "renyi_epsilon", "renyi_order", "renyi_conversion", "by", "exact_lower",
              "exact_upper", "engine"},
             {{answer.at("parameter"), answer.at("value"), bound.at("epsilon"), bound.at("order"),
               bound.at("conversion"), answer.at("by"), end("lower"), end("upper"), end("engine")}});
}

}  // namespace

Command calibrate_command() {
  const std::vector<FlagText> own{
      {"--solve", "FLAG", "which flag to solve for: noise-multiplier, steps, sampling-rate, scale, ...", asked_group},
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
          "A plan file has null for the number to solve for.\n"
          "\n" +
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate --solve steps --sampling-rate 0.01 --noise-multiplier 1.1 --epsilon 3 --delta 1e-5\n"
          "  renyi calibrate open-plan.json --epsilon 3 --delta 1e-5",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {table, rows});
          },
  };
}

}  // namespace renyi::cli
