// renyi loss
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace loss_file {
namespace {

using api::Json;

using Rows = std::vector<std::vector<std::string>>;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "loss");
  set_text(question, flags, "direction");
  set_numbers(question, flags, "orders");
  set_numbers(question, flags, "at_least");
  set_numbers(question, flags, "within");
  set_run(question, flags, "");
}

// Signed numbers are rounded away from what is in between.
std::string down(const Json& ends) {
  if (!ends.contains("lower")) return "-";
  const double value = number_in(ends.at("lower"));
  return value < 0 ? "-" + rounded_up(-value) : rounded_down(value);
}
std::string up(const Json& ends) {
  const double value = number_in(ends.at("upper"));
  return value < 0 ? "-" + rounded_down(-value) : rounded_up(value);
}
std::string plain(const Json& value) {
  const double number = number_in(value);
  return number < 0 ? "-" + rounded(-number) : rounded(number);
}

constexpr const char* why_a_bound = "Chernoff bound";

std::string method_of(const Json& row) {
  const auto method = row.at("method").get<std::string>();
  return method == "chernoff" ? why_a_bound : method;
}

Rows moments_of(const Json& loss) {
  Rows rows{{"", "at least", "at most"}};
  rows.push_back({"mean of L", down(loss.at("mean")), up(loss.at("mean"))});
  if (loss.contains("variance")) {
    rows.push_back({"variance of L", down(loss.at("variance")), up(loss.at("variance"))});
  }
  if (loss.contains("skewness")) {
    rows.push_back({"skewness of L", down(loss.at("skewness")), up(loss.at("skewness"))});
  }
  for (const Json& row : loss.at("log_mgf")) {
    rows.push_back({fmt::format("ln E[exp({} L)]", plain(row.at("order"))), down(row), up(row)});
  }
  return rows;
}

Rows probabilities_of(const Json& loss) {
  Rows rows{{"probability", "at least", "at most", "by"}};
  for (const Json& row : loss.at("at_least")) {
    rows.push_back({fmt::format("Pr[L >= {}]", plain(row.at("loss"))), down(row), up(row), method_of(row)});
  }
  for (const Json& row : loss.at("within")) {
    rows.push_back({fmt::format("Pr[|L| <= {}]", plain(row.at("epsilon"))), down(row), up(row), method_of(row)});
  }
  return rows;
}

std::string_view dataset_of(const Question& question, std::string_view direction) {
  const bool first = direction == "remove";
  if (api::said_in(question.request).neighbors == "replace-one")
    return first ? "on one dataset" : "on the other dataset";
  if (api::said_in(question.request).unit > 1) return first ? "with the person's records" : "without them";
  return first ? "with the record" : "without the record";
}

std::string table(const Question& question, const Json& answer) {
  Report report(Style::of_standard_output());
  report.headline("Privacy loss", "L = ln(P/Q) with the results drawn from P  (ends rounded outwards)");
  describe_run(report, question);
  bool bounded = false;
  for (const auto& [direction, loss] : answer.items()) {
    if (!loss.is_object()) continue;  // what is assumed
    report.blank_line();
    report.paragraph(fmt::format("Direction {}: P is the law {}.", direction, dataset_of(question, direction)));
    report.lines(columns(moments_of(loss))).blank_line().lines(columns(probabilities_of(loss)));
    if (!loss.at("known").get<bool>()) {
      report.paragraph("Of some step only bounds on the moments are known: these are bounds too.");
    }
    bounded = bounded || report.text().find(why_a_bound) != std::string::npos;
  }
  if (bounded) report.blank_line().paragraph("A Chernoff bound is sound and need not be close.");
  report.blank_line().paragraph(
      "Pr[|L| <= epsilon] of at least 1 - delta is enough for (epsilon, delta)-DP, but not needed for it.");
  return report.text();
}

Json cell(const Json& row, const char* key) { return row.contains(key) ? row.at(key) : Json(""); }

std::string rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const auto& [direction, loss] : answer.items()) {
    if (!loss.is_object()) continue;
    const auto add = [&, name = direction](const char* what, const Json& at, const Json& row) {
      cells.push_back({name, what, at, cell(row, "lower"), cell(row, "upper"), cell(row, "method")});
    };
    for (const char* moment : {"mean", "variance", "skewness"}) {
      if (loss.contains(moment)) add(moment, "", loss.at(moment));
    }
    for (const Json& row : loss.at("log_mgf")) add("log_mgf", row.at("order"), row);
    for (const Json& row : loss.at("at_least")) add("at_least", row.at("loss"), row);
    for (const Json& row : loss.at("within")) add("within", row.at("epsilon"), row);
  }
  return csv({"direction", "what", "at", "lower", "upper", "method"}, cells);
}

}  // namespace
}  // namespace loss_file

Command loss_command() {
  const std::vector<FlagText> own{
      {"--at-least", "LIST", "losses t for Pr[L >= t] (default 0,1,2,4,8)", asked_group},
      {"--within", "LIST", "epsilons for Pr[|L| <= epsilon] (default 1,2,4,8)", asked_group},
      orders_flag("s of the moment generating function E[exp(s L)], at least 0 (default 1,2)"),
      {"--direction", "remove|add", "which neighbour is P, with or without the record (default both)", asked_group},
      format_flag(),
  };
  return {
      .name = "loss",
      .help = "The privacy loss itself: moments and probabilities",
      .flags = joined({run_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi loss --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --at-least 1,5 --within 1,5\n"
          "  renyi loss --scale 2 --direction remove --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { loss_file::build(question, flags); },
                {loss_file::table, loss_file::rows});
          },
  };
}

}  // namespace renyi::cli
