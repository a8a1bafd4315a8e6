// renyi relate
#include <sstream>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/number.h"
#include "apps/cli/relate_view.h"
#include "apps/cli/run_flags.h"

namespace renyi::cli {
namespace {

// Plain --rho, --omega and --lambda describe steps.
constexpr const char* given_rho = "--given-rho";
constexpr const char* given_omega = "--given-omega";
constexpr const char* given_lambda = "--given-lambda";

void set_list(Question& question, const Flags& flags, const std::string& key, const std::string& flag) {
  const auto text = flags.text(flag);
  if (!text) return;
  api::Json numbers = api::Json::array();
  std::istringstream list(*text);
  for (std::string number; std::getline(list, number, ',');) numbers.push_back(read_number(flag, number));
  question.set(key, std::move(numbers), flag);
}

void build(Question& question, const Flags& flags) {
  question.request["op"] = "relate";
  set_text(question, flags, "to");
  if (const auto text = flags.text(given_rho)) question.set("rho", read_number(given_rho, *text), given_rho);
  set_list(question, flags, "omega", given_omega);
  set_list(question, flags, "lambda", given_lambda);
  set_run(question, flags, "");
}

}  // namespace

Command relate_command() {
  const std::vector<FlagText> own{
      {"--to", "pure|zcdp|tcdp|cdp|gdp|moments", "which relative of Renyi DP (default: all of them, one line each)",
       asked_group},
      {given_rho, "RHO", "zcdp: the smallest xi beside this rho (default: the smallest rho, without xi)", asked_group},
      {given_omega, "LIST", "tcdp: the smallest rho up to each of these orders (default 2,4,8,16,32,64)", asked_group},
      {given_lambda, "LIST", "moments: alpha at each of these (default 1,2,4,8,16,32)", asked_group},
      format_flag(),
  };
  return {
      .name = "relate",
      .help = "A run in the terms of zCDP, tCDP, CDP, GDP, moments and pure DP",
      .flags = joined({run_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi relate --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
          "  renyi relate --scale 2 --to zcdp --given-rho 0.05\n"
          "  renyi relate plan.json --to tcdp --given-omega 4,8 --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {relate_table, relate_rows});
          },
  };
}

}  // namespace renyi::cli
