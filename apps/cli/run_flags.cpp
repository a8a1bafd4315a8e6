#include "apps/cli/run_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "apps/cli/epochs.h"
#include "apps/cli/mechanism_flags.h"
#include "apps/cli/number.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

constexpr std::string_view steps = "--steps";
constexpr std::string_view dataset = "--dataset-size";
constexpr std::string_view batch = "--batch-size";
constexpr std::string_view epochs = "--epochs";
constexpr std::string_view rate = "--sampling-rate";
constexpr std::string_view neighbors = "--neighbors";

std::vector<FlagText> counting_flags() {
  return {
      {std::string(steps), "COUNT", "how often the mechanism runs (default 1, or from --epochs)"},
      {std::string(dataset), "N", "number of records"},
      {std::string(batch), "B", "expected records a step; the sampling rate is B / N"},
      {std::string(epochs), "EPOCHS", "passes over the data; steps = ceil(EPOCHS * N / B) unless --steps says"},
      {std::string(neighbors), "add-or-remove-one|replace-one|zero-out",
       "what neighbouring datasets are (default add-or-remove-one)"},
  };
}

// Flags that say what a plan file says as well; the size of the dataset is not in it.
std::vector<std::string> describing_flags() {
  std::vector<std::string> names;
  for (const auto& texts : {mechanism_flags(), counting_flags()}) {
    for (const FlagText& text : texts) names.push_back(text.name);
  }
  std::erase(names, dataset);
  return names;
}

[[noreturn]] void refuse(const Flags& flags, std::string_view flag, std::string allowed) {
  throw InvalidArgument(std::string(flag), flags.text(flag).value_or("nothing"), std::move(allowed));
}

std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag) {
  const auto text = flags.text(flag);
  return text ? std::optional(read_integer(flag, *text)) : std::nullopt;
}

// Values by flag: numbers, and null for what is to be solved for.
using Values = std::map<std::string, api::Json, std::less<>>;

Values typed_values(const Flags& flags) {
  Values values;
  for (const FlagText& text : mechanism_flags()) {
    if (const auto typed = flags.text(text.name)) values[text.name] = read_number(text.name, *typed);
  }
  return values;
}

void add_rate(Values& values, Question& question, const Flags& flags) {
  const auto size = integer(flags, batch);
  if (!size) return;
  const auto records = dataset_size(flags);
  if (!records) refuse(flags, batch, "together with --dataset-size");
  if (*size > *records) refuse(flags, batch, fmt::format("at most the {} records of --dataset-size", *records));
  if (values.contains(rate)) refuse(flags, rate, "either --sampling-rate or --batch-size, not both");
  values[std::string(rate)] = static_cast<double>(*size) / static_cast<double>(*records);
  question.facts.rate_rule = fmt::format("B / N = {} / {}", *size, *records);
}

void add_solved(Values& values, const Flags& flags, const std::string& solve) {
  if (solve.empty() || solve == steps) return;
  const auto known = mechanism_flags();
  if (std::none_of(known.begin(), known.end(), [&](const FlagText& text) { return text.name == solve; })) {
    std::vector<std::string> names{std::string(steps.substr(2))};
    for (const FlagText& text : known) names.push_back(text.name.substr(2));
    throw InvalidArgument("--solve", solve.substr(2), fmt::format("one of {}", fmt::join(names, ", ")));
  }
  if (values.contains(solve)) {
    throw InvalidArgument(solve, flags.text(solve).value_or("a value from --batch-size"),
                          "no value, since --solve asks for it");
  }
  values[solve] = nullptr;
}

std::int64_t steps_by_rule(Question& question, const Flags& flags) {
  const auto records = dataset_size(flags);
  const auto size = integer(flags, batch);
  if (!records || !size) refuse(flags, epochs, "together with --dataset-size and --batch-size");
  const double passes = read_number(epochs, *flags.text(epochs));
  const std::int64_t count = steps_from_epochs(passes, *records, *size);
  question.facts.steps_rule =
      fmt::format("ceil(epochs * N / B) = ceil({} * {} / {}) = {}", passes, *records, *size, count);
  return count;
}

api::Json count_of(Question& question, const Flags& flags, const std::string& solve) {
  const bool solved = solve == steps;
  if (const auto count = integer(flags, steps)) {
    if (solved) refuse(flags, steps, "no value, since --solve asks for it");
    if (flags.given(epochs)) question.facts.steps_rule = "from --steps, which overrides --epochs";
    return *count;
  }
  if (!flags.given(epochs)) return solved ? api::Json(nullptr) : api::Json(1);
  if (solved) refuse(flags, epochs, "nothing that fixes the steps, since --solve asks for them");
  return steps_by_rule(question, flags);
}

api::Json step_of(const Mechanism& mechanism, const Values& values, Question& question) {
  api::Json step = api::Json::object();
  step["mechanism"] = std::string(mechanism.kind());
  for (const Spelling& spelling : spellings_of(mechanism)) {
    const auto value = values.find(spelling.flag);
    if (value == values.end()) continue;
    step[spelling.key] = value->second;
    question.flag_at["steps[0]." + spelling.key] = spelling.flag;
  }
  return step;
}

const Mechanism& described_mechanism(const Values& values) {
  std::vector<std::string> given;
  for (const auto& [flag, value] : values) given.push_back(flag);
  if (!given.empty()) return mechanism_described_by(given);
  throw InvalidArgument("PLAN", "nothing",
                        "a plan file, - for standard input, or flags such as --noise-multiplier (see --help)");
}

}  // namespace

std::vector<FlagText> run_flags() {
  std::vector<FlagText> all{
      {std::string(plan_argument), "", "plan file (docs/format/plan.md), or - for standard input"}};
  for (const auto& texts : {mechanism_flags(), counting_flags()}) {
    for (FlagText text : texts) {
      text.group = "What was run";
      all.push_back(std::move(text));
    }
  }
  return all;
}

void refuse_run_flags(const Flags& flags) {
  for (const std::string& flag : describing_flags()) {
    if (flags.given(flag)) {
      refuse(flags, flag, fmt::format("no {} together with a plan file: the plan says what was run", flag));
    }
  }
}

std::optional<std::int64_t> dataset_size(const Flags& flags) { return integer(flags, dataset); }

void set_run_by_flags(Question& question, const Flags& flags, const std::string& solve) {
  question.facts.dataset_size = dataset_size(flags);
  Values values = typed_values(flags);
  add_rate(values, question, flags);
  add_solved(values, flags, solve);
  const Mechanism& mechanism = described_mechanism(values);
  api::Json step = step_of(mechanism, values, question);
  step["count"] = count_of(question, flags, solve);
  question.flag_at["steps[0].count"] = steps;
  if (const auto text = flags.text(neighbors)) question.set("neighbors", *text, std::string(neighbors));
  question.request["steps"] = api::Json::array({std::move(step)});
}

}  // namespace renyi::cli
