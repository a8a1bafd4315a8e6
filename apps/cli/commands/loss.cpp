// renyi loss: prints the moments and the tail probabilities of the privacy loss.
#include "api/loss.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace loss_file {
namespace {

using api::LossAnswer;
using api::LossEnds;
using api::LossInDirection;
using api::LossProbability;
using api::LossRequest;

using Rows = std::vector<std::vector<std::string>>;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "loss");
  set_text(question, flags, "direction");
  set_numbers(question, flags, "orders");
  set_numbers(question, flags, "at_least");
  set_numbers(question, flags, "within");
  set_run(question, flags, "");
}

// Bounds of signed numbers are rounded outwards.
std::string down(double value) { return value < 0 ? "-" + rounded_up(-value) : rounded_down(value); }
std::string up(double value) { return value < 0 ? "-" + rounded_down(-value) : rounded_up(value); }
std::string plain(double value) { return value < 0 ? "-" + rounded(-value) : rounded(value); }

std::string method_in_words(LossMethod method) {
  return method == LossMethod::chernoff ? "Chernoff bound" : std::string(to_string(method));
}

std::vector<std::string> moment(std::string name, const LossEnds& ends) {
  return {std::move(name), ends.lower ? down(*ends.lower) : "-", up(ends.upper)};
}

Rows moments_of(const LossInDirection& loss) {
  Rows rows{{"", "at least", "at most"}};
  rows.push_back(moment("mean of L", loss.mean));
  if (loss.variance) rows.push_back(moment("variance of L", *loss.variance));
  if (loss.skewness) rows.push_back(moment("skewness of L", *loss.skewness));
  for (const api::LossMoment& at : loss.moments) {
    rows.push_back(moment(fmt::format("ln E[exp({} L)]", plain(at.order)), at.log_mgf));
  }
  return rows;
}

std::vector<std::string> probability(std::string name, const TailProbability& found) {
  return {std::move(name), down(found.lower), up(found.upper), method_in_words(found.method)};
}

Rows probabilities_of(const LossInDirection& loss) {
  Rows rows{{"probability", "at least", "at most", "by"}};
  for (const LossProbability& found : loss.at_least) {
    rows.push_back(probability(fmt::format("Pr[L >= {}]", plain(found.at)), found.probability));
  }
  for (const LossProbability& found : loss.within) {
    rows.push_back(probability(fmt::format("Pr[|L| <= {}]", plain(found.at)), found.probability));
  }
  return rows;
}

bool is_bounded(const LossInDirection& loss) {
  const auto by_chernoff = [](const LossProbability& found) {
    return found.probability.method == LossMethod::chernoff;
  };
  return std::any_of(loss.at_least.begin(), loss.at_least.end(), by_chernoff) ||
         std::any_of(loss.within.begin(), loss.within.end(), by_chernoff);
}

std::string_view dataset_of(const Question& question, Direction direction) {
  const bool first = direction == Direction::remove;
  const api::RequestSummary summary = api::summary_of_request(question.request);
  if (summary.neighbors == "replace-one") return first ? "on one dataset" : "on the other dataset";
  if (summary.unit > 1) return first ? "with the person's records" : "without them";
  return first ? "with the record" : "without the record";
}

std::string table(const Question& question, const LossRequest&, const LossAnswer& answer) {
  Report report(Style::of_standard_output());
  report.headline("Privacy loss", "L = ln(P/Q) with the results drawn from P  (ends rounded outwards)");
  describe_run(report, question);
  for (const LossInDirection& loss : answer.directions) {
    report.blank_line();
    report.paragraph(
        fmt::format("Direction {}: P is the law {}.", to_string(loss.direction), dataset_of(question, loss.direction)));
    report.lines(columns(moments_of(loss))).blank_line().lines(columns(probabilities_of(loss)));
    if (!loss.known) report.paragraph("Of some step only bounds on the moments are known: these are bounds too.");
  }
  if (std::any_of(answer.directions.begin(), answer.directions.end(), is_bounded)) {
    report.blank_line().paragraph("A Chernoff bound is sound and need not be close.");
  }
  report.blank_line().paragraph(
      "Pr[|L| <= epsilon] of at least 1 - delta is enough for (epsilon, delta)-DP, but not needed for it.");
  return report.text();
}

std::string rows(const Question&, const LossRequest&, const LossAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const LossInDirection& loss : answer.directions) {
    const auto add = [&](const char* what, const Cell& at, const LossEnds& ends, const Cell& method) {
      cells.push_back(
          {to_string(loss.direction), what, at, ends.lower ? Cell(*ends.lower) : Cell(""), ends.upper, method});
    };
    const auto add_probability = [&](const char* what, const LossProbability& found) {
      const TailProbability& tail = found.probability;
      add(what, found.at, {tail.lower, tail.upper}, to_string(tail.method));
    };
    add("mean", "", loss.mean, "");
    if (loss.variance) add("variance", "", *loss.variance, "");
    if (loss.skewness) add("skewness", "", *loss.skewness, "");
    for (const api::LossMoment& at : loss.moments) add("log_mgf", at.order, at.log_mgf, "");
    for (const LossProbability& found : loss.at_least) add_probability("at_least", found);
    for (const LossProbability& found : loss.within) add_probability("within", found);
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
      time_limit_flag(),
      plot_flag(),
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
            ask(flags, [&](Question& question) { loss_file::build(question, flags); }, api::read_loss,
                {.table = loss_file::table, .csv = loss_file::rows, .figure = "loss"});
          },
  };
}

}  // namespace renyi::cli
