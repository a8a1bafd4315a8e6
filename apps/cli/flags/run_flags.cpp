#include "apps/cli/flags/run_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "api/api.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/sampling_flags.h"
#include "apps/cli/io/files.h"
#include "renyi/epochs.h"
#include "renyi/error.h"
#include "renyi/sampling.h"

namespace renyi::cli {

namespace run_flags_file {
namespace {

constexpr std::string_view steps = "--steps";
constexpr std::string_view epochs = "--epochs";
constexpr std::string_view neighbors = "--neighbors";
constexpr std::string_view unit = "--unit";

std::vector<FlagText> counting_flags() {
  return {
      {std::string(steps), "COUNT", "how often the mechanism runs (default 1, or from --epochs)"},
      {std::string(epochs), "EPOCHS", "passes over the data; steps = ceil(EPOCHS * N / (A * B)) unless --steps says"},
      {std::string(neighbors), "add-or-remove-one|replace-one|zero-out",
       "what neighbouring datasets are (default add-or-remove-one)"},
      {std::string(unit), "K", "how many records one person may have, all of them protected at once (default 1)"},
  };
}

// The rate of any mechanism's sample; the table of mechanisms knows one that is always sampled.
std::vector<FlagText> described_flags() {
  std::vector<FlagText> shortcuts = mechanism_flags();
  for (FlagText& text : shortcuts) {
    if (text.name == rate_flag) text.help = "probability with which each record enters the sample (any mechanism)";
  }
  std::vector<FlagText> all = named_mechanism_flags();
  all.insert(all.end(), shortcuts.begin(), shortcuts.end());
  for (const auto& texts : {sampling_flags(), counting_flags()}) all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

// Flags that say what a plan file says as well; the size of the dataset is not in it.
std::vector<std::string> describing_flags() {
  std::vector<std::string> names;
  for (const FlagText& text : described_flags()) names.push_back(text.name);
  std::erase(names, dataset_flag);
  return names;
}

Values typed_values(const Flags& flags) {
  Values values;
  for (const FlagText& text : mechanism_flags()) {
    if (const auto typed = flags.text(text.name)) values[text.name] = read_number(text.name, *typed);
  }
  add_set_numbers(values, flags);
  return values;
}

std::vector<std::string> shortcut_names() {
  std::vector<std::string> names;
  for (const FlagText& text : mechanism_flags()) names.push_back(text.name.substr(2));
  return names;
}

// The flag that sets what --solve asks for: a shortcut, or a parameter of the mechanism named.
std::string flag_to_solve(const std::string& solve, const Mechanism* named) {
  if (solve == rate_flag) return solve;
  std::string name = solve.substr(2);
  if (named != nullptr) std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> names = named != nullptr ? names_in_plans(*named) : shortcut_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return named != nullptr ? set_by_name(name) : solve;
  names.insert(names.begin(), std::string(steps.substr(2)));
  throw InvalidArgument("--solve", solve.substr(2),
                        fmt::format("one of {}, unit, epsilon, delta; of samples of fixed size also batch-size, "
                                    "dataset-size",
                                    fmt::join(names, ", ")));
}

void add_solved(Values& values, const Flags& flags, const std::string& solve, const Mechanism* named) {
  if (solve.empty() || solve == steps) return;
  const std::string flag = flag_to_solve(solve, named);
  if (values.contains(flag)) {
    const std::string from = flag == rate_flag ? "a value from --batch-size" : values[flag].text();
    throw InvalidArgument(flag, flags.text(flag).value_or(from), "no value, since --solve asks for it");
  }
  values[flag] = nullptr;
}

std::optional<std::int64_t> dataset_size(const Flags& flags) { return integer(flags, dataset_flag); }

double passes(const Flags& flags) { return read_number(epochs, *flags.text(epochs)); }

std::int64_t count_from_epochs(Question& question, const Flags& flags, std::int64_t dataset_size,
                               std::int64_t batch_size) {
  question.flag_at["epochs"] = epochs;
  return steps_from_epochs(passes(flags), dataset_size, batch_size);
}

std::int64_t steps_by_rule(Question& question, const Flags& flags) {
  const auto records = dataset_size(flags);
  const auto batch = step_batch(flags);
  if (!records || !batch) refuse(flags, epochs, "together with --dataset-size and --batch-size");
  const std::int64_t count = count_from_epochs(question, flags, *records, batch->records);
  const bool product = batch->symbols != "B";
  const auto bracketed = [&](const std::string& text) { return product ? "(" + text + ")" : text; };
  question.facts.steps_rule = fmt::format("ceil(epochs * N / {}) = ceil({} * {} / {}) = {}", bracketed(batch->symbols),
                                          passes(flags), *records, bracketed(batch->numbers), count);
  return count;
}

// Of a shuffled epoch each record is in one batch: a pass begun counts as one.
std::int64_t epochs_by_rule(Question& question, const Flags& flags) {
  const std::int64_t count = count_from_epochs(question, flags, 1, 1);
  question.facts.steps_rule = fmt::format("one an epoch: ceil(epochs) = ceil({}) = {}", passes(flags), count);
  return count;
}

api::Document count_of(Question& question, const Flags& flags, const std::string& solve, bool shuffled) {
  const bool solved = solve == steps;
  if (flags.given(steps) && shuffled)
    refuse(flags, steps, "--epochs instead: shuffled, a record is used once an epoch");
  if (const auto count = integer(flags, steps)) {
    if (solved) refuse(flags, steps, "no value, since --solve asks for it");
    if (flags.given(epochs)) question.facts.steps_rule = "from --steps, which overrides --epochs";
    return *count;
  }
  if (shuffled) question.facts.steps_rule = "one an epoch";
  if (!flags.given(epochs)) return solved ? api::Document(nullptr) : api::Document(1);
  if (solved) refuse(flags, epochs, "nothing that fixes the steps, since --solve asks for them");
  return shuffled ? epochs_by_rule(question, flags) : steps_by_rule(question, flags);
}

// The step as a plan has it; what is missing or wrong is said of the flag that would set it.
api::Document step_of(const Mechanism& mechanism, const Values& values, Question& question, bool named) {
  api::Document step;
  step.set("mechanism", std::string(mechanism.kind()));
  for (const Spelling& spelling : named ? spellings_once_named(mechanism) : spellings_of(mechanism)) {
    const auto value = values.find(spelling.flag);
    if (named) question.flag_at.emplace("steps[0]." + spelling.key, set_by_name(spelling.key));
    if (value == values.end()) continue;
    step.set(spelling.key, value->second);
    question.flag_at["steps[0]." + spelling.key] = spelling.flag;
  }
  return step;
}

std::vector<std::string> flags_of(const Values& values) {
  std::vector<std::string> given;
  for (const auto& [flag, value] : values) given.push_back(flag);
  return given;
}

// Poisson samples of what --noise-multiplier describes are a mechanism of their own.
bool samples_by_itself(const Values& values, const Mechanism* named) {
  if (!values.contains(rate_flag)) return false;
  return named != nullptr ? knows_all(*named, {std::string(rate_flag)}) : some_mechanism_knows(flags_of(values));
}

const Mechanism& described_mechanism(const Values& values, const Mechanism* named) {
  if (named != nullptr) {
    check_flags_of(*named, values);
    return *named;
  }
  if (!values.empty()) return mechanism_described_by(flags_of(values));
  throw InvalidArgument("PLAN", "nothing",
                        "a plan file, - for standard input, or flags such as --noise-multiplier (see --help)");
}

// With a plan file nothing else may describe the run.
void refuse_run_flags(const Flags& flags) {
  for (const std::string& flag : describing_flags()) {
    if (flags.given(flag)) {
      refuse(flags, flag, fmt::format("no {} together with a plan file: the plan says what was run", flag));
    }
  }
}

void read_plan_file(Question& question, const std::string& name) {
  Input input(name);
  question.source = input.name();
  question.request.take_over(api::request_from_plan(input.read_all()));
}

void set_run_by_flags(Question& question, const Flags& flags, const std::string& solve) {
  question.facts.dataset_size = dataset_size(flags);
  question.facts.of_epochs = flags.given(batch_flag) && flags.given(epochs);
  const auto scheme = scheme_of(flags, solve == rate_flag);
  const Mechanism* named = named_mechanism(flags);
  Values values = typed_values(flags);
  if (scheme) add_rate(values, question, flags, *scheme);
  if (!(scheme && sets_whole_number(solve, *scheme))) add_solved(values, flags, solve, named);
  std::optional<api::Document> sampling;
  if (scheme && !(scheme == Scheme::poisson && samples_by_itself(values, named))) {
    sampling = sampling_by_flags(values, question, flags, *scheme, solve);
  }
  const Mechanism& mechanism = described_mechanism(values, named);
  api::Document step = step_of(mechanism, values, question, named != nullptr);
  if (sampling) step.set("sampling", *std::move(sampling));
  step.set("count", count_of(question, flags, solve, scheme == Scheme::shuffled));
  question.flag_at["steps[0].count"] = steps;
  question.flag_at["neighbors"] = neighbors;
  question.flag_at["unit"] = unit;
  if (const auto text = flags.text(neighbors)) question.set("neighbors", *text, std::string(neighbors));
  if (const auto text = flags.text(unit)) {
    question.set("unit", read_integer(unit, *text, largest_unit), std::string(unit));
  }
  question.request.set("steps", api::Document::list({std::move(step)}));
}

}  // namespace
}  // namespace run_flags_file

std::vector<FlagText> run_flags() {
  std::vector<FlagText> all{
      {std::string(plan_argument), "", "plan file (docs/format/plan.md), or - for standard input"}};
  for (FlagText& text : run_flags_file::described_flags()) {
    text.group = "What was run";
    all.push_back(std::move(text));
  }
  return all;
}

void set_run(Question& question, const Flags& flags, const std::string& solve) {
  if (flags.given(plan_argument)) {
    run_flags_file::refuse_run_flags(flags);
    question.facts.dataset_size = run_flags_file::dataset_size(flags);
    run_flags_file::read_plan_file(question, *flags.text(plan_argument));
  } else {
    run_flags_file::set_run_by_flags(question, flags, solve);
  }
}

}  // namespace renyi::cli
