#include "apps/cli/flags/answer_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"
#include "renyi/rdp.h"

namespace renyi::cli {

using api::Document;

namespace answer_flags_file {
namespace {

Document number_or_infinity(const std::string& flag, const std::string& text) {
  return text == "inf" ? Document("inf") : Document(read_number(flag, text));
}

Document numbers_in(const std::string& flag, const std::string& text,
                    Document (*read)(const std::string&, const std::string&)) {
  Document numbers = Document::list();
  std::istringstream list(text);
  for (std::string number; std::getline(list, number, ',');) numbers.add(read(flag, number));
  return numbers;
}

Document orders_in(const std::string& flag, const std::string& text) {
  return text == "traditional" ? traditional_orders_document() : numbers_in(flag, text, number_or_infinity);
}

Document finite_number(const std::string& flag, const std::string& text) { return read_number(flag, text); }

}  // namespace
}  // namespace answer_flags_file

FlagText delta_flag() { return {"--delta", "DELTA", "delta of (epsilon, delta), in [0, 1]", asked_group}; }

FlagText epsilon_flag(std::string help) { return {"--epsilon", "EPSILON", std::move(help), asked_group}; }

FlagText orders_flag(std::string help) { return {"--orders", "LIST", std::move(help), asked_group}; }

FlagText format_flag() {
  return {"--format", "table|json|csv", "how to print the answer (default table)", asked_group};
}

FlagText time_limit_flag() {
  return {.name = "--time-limit",
          .value = "TIME",
          .help = "answer by the best bounds found in this time, 2s, 500ms or 1m (default: see docs/guide/limits.md)",
          .group = asked_group,
          .rare = true};
}

Limits limits_asked(const Flags& flags) {
  Limits limits;
  const std::string name = time_limit_flag().name;
  if (const auto text = flags.text(name)) {
    try {
      limits.time = read_time(name, *text);
    } catch (const InvalidArgument& error) {
      throw Failure(exit_bad_input, error.what());
    }
  }
  if (flags.given("--out") || flags.given("--plot")) return limits;
  limits.stop = [] {
    check_reader();
    return false;
  };
  return limits;
}

namespace answer_flags_file {
namespace {

constexpr std::chrono::seconds usual_time{2};
constexpr std::uintmax_t small_file = 1024;

bool is_small(const std::string& plan_file) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(plan_file, failed);
  return !failed && bytes < small_file;
}

}  // namespace
}  // namespace answer_flags_file

Limits usual_limits(const Flags& flags) {
  Limits limits = limits_asked(flags);
  const auto plan = flags.text(std::string(plan_argument));
  const bool draws = flags.given("--plot");
  if (!limits.time && !draws && (!plan || answer_flags_file::is_small(*plan))) {
    limits.cpu_time = answer_flags_file::usual_time;
  }
  return limits;
}

FlagText method_flag(std::string_view of) {
  return {.name = "--method",
          .value = "quadrature|integer|series|closed-form",
          .help = fmt::format("{}how sampled-gaussian is evaluated (default quadrature, which serves every order)", of),
          .group = asked_group,
          .rare = true};
}

std::vector<FlagText> conversion_flags() {
  FlagText orders = orders_flag("Renyi bound: only these orders, 2,4.5,inf or traditional (default: every real order)");
  orders.rare = true;
  return {std::move(orders),
          {.name = "--conversion",
           .value = "tight|classical",
           .help = "Renyi bound: how orders become (epsilon, delta) (default tight)",
           .group = asked_group,
           .rare = true}};
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
  if (const auto text = flags.text(flag)) question.set(key, answer_flags_file::number_or_infinity(flag, *text), flag);
}

void set_text(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  if (const auto text = flags.text(flag)) question.set(key, *text, flag);
}

void set_orders(Question& question, const Flags& flags) {
  const std::string flag = "--orders";
  if (const auto text = flags.text(flag)) question.set("orders", answer_flags_file::orders_in(flag, *text), flag);
}

void set_numbers(Question& question, const Flags& flags, const std::string& key) {
  std::string flag = "--" + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  if (const auto text = flags.text(flag))
    question.set(key, answer_flags_file::numbers_in(flag, *text, answer_flags_file::finite_number), flag);
}

Document traditional_orders_document() {
  Document orders = Document::list();
  for (const double order : traditional_orders()) orders.add(std::isinf(order) ? Document("inf") : Document(order));
  return orders;
}

namespace answer_flags_file {
namespace {

const std::string want_flag = "--want";
const std::string memory_flag = "--memory";
constexpr std::int64_t most_memory = 1 << 20;  // in MiB, the same limit as in requests

}  // namespace
}  // namespace answer_flags_file

std::vector<FlagText> width_flags() {
  return {
      {.name = "--tolerance",
       .value = "WIDTH",
       .help = "how narrow the exact interval is to be: of epsilon, or of delta relative to itself (default 1e-5)",
       .group = asked_group,
       .rare = true},
      {.name = answer_flags_file::memory_flag,
       .value = "MIB",
       .help = "how much memory that may take, in MiB (default 512)",
       .group = asked_group,
       .rare = true,
       .whole = true},
  };
}

std::vector<FlagText> want_flags() {
  std::vector<FlagText> flags{{answer_flags_file::want_flag, "both|renyi|exact",
                               "Renyi bound, exact interval, or both (the default)", asked_group}};
  for (FlagText& flag : width_flags()) flags.push_back(std::move(flag));
  return flags;
}

void set_width(Question& question, const Flags& flags) {
  set_number(question, flags, "tolerance");
  if (const auto text = flags.text(answer_flags_file::memory_flag)) {
    question.set("memory", read_integer(answer_flags_file::memory_flag, *text, answer_flags_file::most_memory),
                 answer_flags_file::memory_flag);
  }
}

void set_want(Question& question, const Flags& flags) {
  if (const auto want = flags.text(answer_flags_file::want_flag)) {
    if (*want != "both" && *want != "renyi" && *want != "exact") {
      refuse_choice(answer_flags_file::want_flag, *want, {"both", "renyi", "exact"});
    }
    if (*want != "both") question.set("want", Document::list({*want}), answer_flags_file::want_flag);
  }
  set_width(question, flags);
}

FlagText plot_flag() { return {"--plot", "FILE", "also draw it: .svg, .png or .pdf (see renyi plot)", asked_group}; }

}  // namespace renyi::cli
