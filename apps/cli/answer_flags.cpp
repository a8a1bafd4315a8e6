#include "apps/cli/answer_flags.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "apps/cli/number.h"
#include "renyi/account.h"

namespace renyi::cli {
namespace {

using api::Json;

Json number_or_infinity(const std::string& flag, const std::string& text) {
  return text == "inf" ? Json("inf") : Json(read_number(flag, text));
}

Json numbers_in(const std::string& flag, const std::string& text,
                Json (*read)(const std::string&, const std::string&)) {
  Json numbers = Json::array();
  std::istringstream list(text);
  for (std::string number; std::getline(list, number, ',');) numbers.push_back(read(flag, number));
  return numbers;
}

Json orders_in(const std::string& flag, const std::string& text) {
  return text == "traditional" ? traditional_orders_in_json() : numbers_in(flag, text, number_or_infinity);
}

Json finite_number(const std::string& flag, const std::string& text) { return read_number(flag, text); }

}  // namespace

FlagText delta_flag() { return {"--delta", "DELTA", "delta of (epsilon, delta), in [0, 1]", asked_group}; }

FlagText epsilon_flag(std::string help) { return {"--epsilon", "EPSILON", std::move(help), asked_group}; }

FlagText orders_flag(std::string help) { return {"--orders", "LIST", std::move(help), asked_group}; }

FlagText format_flag() {
  return {"--format", "table|json|csv", "how to print the answer (default table)", asked_group};
}

std::vector<FlagText> conversion_flags() {
  return {orders_flag("Renyi bound: only these orders, 2,4.5,inf or traditional (default: every real order)"),
          {"--conversion", "tight|classical", "Renyi bound: how orders become (epsilon, delta) (default tight)",
           asked_group}};
}

std::vector<FlagText> joined(std::initializer_list<std::vector<FlagText>> lists) {
  std::vector<FlagText> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void set_number(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  question.flag_at[key] = flag;
  if (const auto text = flags.text(flag)) question.set(key, read_number(flag, *text), flag);
}

void set_number_or_infinity(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  question.flag_at[key] = flag;
  if (const auto text = flags.text(flag)) question.set(key, number_or_infinity(flag, *text), flag);
}

void set_text(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  if (const auto text = flags.text(flag)) question.set(key, *text, flag);
}

void set_orders(Question& question, const Flags& flags) {
  const std::string flag = "--orders";
  if (const auto text = flags.text(flag)) question.set("orders", orders_in(flag, *text), flag);
}

void set_numbers(Question& question, const Flags& flags, const std::string& key) {
  std::string flag = "--" + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  if (const auto text = flags.text(flag)) question.set(key, numbers_in(flag, *text, finite_number), flag);
}

Json traditional_orders_in_json() {
  Json orders = Json::array();
  for (const double order : traditional_orders()) orders.push_back(std::isinf(order) ? Json("inf") : Json(order));
  return orders;
}

}  // namespace renyi::cli
