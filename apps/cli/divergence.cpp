// renyi divergence
#include <fmt/format.h>

#include <sstream>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/columns.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"
#include "apps/cli/pair_flags.h"

namespace renyi::cli {
namespace {

using api::Json;

constexpr const char* kl_label = "1 (KL)";

void build(Question& question, const Flags& flags) {
  question.request["op"] = "divergence";
  question.flag_at["orders"] = "--orders";
  question.flag_at["epsilons"] = "--epsilons";
  set_orders(question, flags);
  if (const auto text = flags.text("--epsilons")) {
    Json& epsilons = question.request["epsilons"] = Json::array();
    std::istringstream list(*text);
    for (std::string part; std::getline(list, part, ',');) {
      epsilons.push_back(part == "inf" ? Json("inf") : Json(read_number("--epsilons", part)));
    }
  }
  set_pair(question, flags);
}

std::string upper_of(const Json& interval) { return rounded_up(number_in(interval.at("upper"))); }

std::vector<std::string> row(const std::string& label, const Json& both) {
  return {label, upper_of(both.at("p_q")), upper_of(both.at("q_p"))};
}

std::string table(const Question& question, const Json& answer) {
  Report report(Style::of_standard_output());
  report.headline("Divergences of P and Q", "(upper bounds, rounded up)");
  describe_pair(report, question);
  std::vector<std::vector<std::string>> renyi{{"order", "D(P||Q)", "D(Q||P)"}};
  bool shows_kl = false;
  for (const Json& at : answer.at("renyi")) {
    const double order = number_in(at.at("order"));
    shows_kl = shows_kl || order == 1;
    renyi.push_back(row(order == 1 ? kl_label : rounded(order), at));
  }
  if (!shows_kl) renyi.push_back(row(kl_label, answer.at("kl")));
  const std::string variation = upper_of(answer.at("total_variation"));
  std::vector<std::vector<std::string>> sticks{{"epsilon", "P over Q", "Q over P"}};
  sticks.push_back({"0", variation, variation, "(total variation)"});
  for (const Json& at : answer.at("hockey_stick")) sticks.push_back(row(rounded(number_in(at.at("epsilon"))), at));
  report.blank_line();
  return report.text() + columns(renyi) + "\n  P over Q: sup over events S of P(S) - exp(epsilon) Q(S)\n\n" +
         columns(sticks);
}

std::vector<Json> ends(const std::string& name, const Json& at, const Json& both) {
  std::vector<Json> cells{name, at};
  for (const char* direction : {"p_q", "q_p"}) {
    for (const char* end : {"lower", "upper"}) cells.push_back(both.at(direction).at(end));
  }
  return cells;
}

std::string rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const Json& at : answer.at("renyi")) cells.push_back(ends("renyi", at.at("order"), at));
  cells.push_back(ends("kl", 1, answer.at("kl")));
  Json both = Json::object();
  both["p_q"] = both["q_p"] = answer.at("total_variation");
  cells.push_back(ends("total-variation", 0, both));
  for (const Json& at : answer.at("hockey_stick")) cells.push_back(ends("hockey-stick", at.at("epsilon"), at));
  return csv({"divergence", "at", "p_q_lower", "p_q_upper", "q_p_lower", "q_p_upper"}, cells);
}

}  // namespace

Command divergence_command() {
  const std::vector<FlagText> own{
      orders_flag("orders above 0: 0.5,1,2,inf (the default); 1 is Kullback-Leibler"),
      {"--epsilons", "LIST", "where to take the hockey-stick divergence: 0.5,1,inf (0 is always shown)", asked_group},
      format_flag(),
  };
  return {
      .name = "divergence",
      .help = "Renyi, KL, total variation and hockey-stick of two laws",
      .flags = joined({pair_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi divergence --family normal --p 0,1 --q 1,2 --orders 0.5,1,2,inf --epsilons 1\n"
          "  renyi divergence --family multivariate-normal --p 0,0 --q 1,2 --covariance '1,0.5;0.5,2'\n"
          "  renyi divergence --family bernoulli --p 0.3 --q 0.31 --format csv\n"
          "  renyi divergence survey.csv --normalize yes",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {table, rows});
          },
  };
}

}  // namespace renyi::cli
