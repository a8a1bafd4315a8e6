#include "apps/cli/flags/run_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "api/api.h"
#include "api/run.h"
#include "api/suggestion.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/sampling_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "renyi/error.h"
#include "renyi/run.h"
#include "renyi/sampling.h"

namespace renyi::cli {

namespace run_flags_file {
namespace {

constexpr std::string_view neighbors = "--neighbors";
constexpr std::string_view unit = "--unit";

std::vector<FlagText> counting_flags() {
  return {
      {.name = std::string(epochs_flag),
       .value = "EPOCHS",
       .help = "passes over the data: ceil(EPOCHS * N / (A * B)) steps"},
      {.name = std::string(steps_flag),
       .value = "COUNT",
       .help = "number of steps (default 1, or from --epochs)",
       .whole = true},
      {std::string(neighbors), "add-or-remove-one|replace-one|zero-out",
       "what neighbouring datasets are (default: the first)"},
      {.name = std::string(unit),
       .value = "K",
       .help = "how many records a person may have, all of them protected at once (default 1)",
       .whole = true},
  };
}

// The flags of a DP-SGD run come first, in this order; then all others, in the order in which they are declared.
constexpr std::array<std::string_view, 6> training_flags{dataset_flag,         batch_flag, epochs_flag,
                                                         "--noise-multiplier", rate_flag,  steps_flag};

std::size_t rank(const FlagText& text) {
  return static_cast<std::size_t>(std::find(training_flags.begin(), training_flags.end(), text.name) -
                                  training_flags.begin());
}

bool is_of_training(const FlagText& text) { return rank(text) < training_flags.size(); }

// This flag is the sampling rate of any mechanism. The catalogue has one mechanism that is always sampled.
std::vector<FlagText> described_flags() {
  std::vector<FlagText> all;
  for (const auto& texts : {sampling_flags(), counting_flags(), named_mechanism_flags(), mechanism_flags()}) {
    all.insert(all.end(), texts.begin(), texts.end());
  }
  for (FlagText& text : all) {
    if (text.name == rate_flag) text.help = "probability of a record to be in a step (no sizes)";
    if (text.name == "--noise-multiplier") text.help = "noise's standard deviation over the clipping norm";
    if (is_of_training(text)) text.rare = false;
  }
  std::stable_sort(all.begin(), all.end(), [](const FlagText& a, const FlagText& b) { return rank(a) < rank(b); });
  return all;
}

// Flags for what a plan file states too. A plan file does not contain the size of the dataset.
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

// Returns the flag that sets the number named by --solve: a shortcut, or a parameter of the named mechanism.
std::string flag_to_solve(const std::string& solve, const Mechanism* named) {
  if (solve == rate_flag) return solve;
  std::string name = solve.substr(2);
  if (named != nullptr) std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> names = named != nullptr ? names_in_plans(*named) : shortcut_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return named != nullptr ? set_by_name(name) : solve;
  names.insert(names.begin(), std::string(steps_flag.substr(2)));
  const std::string asked = solve.substr(2);
  std::vector<std::string> near = names;
  for (const char* other : {"unit", "epsilon", "delta", "sampling-rate", "epochs", "batch-size", "dataset-size"}) {
    near.emplace_back(other);
  }
  throw InvalidArgument("--solve", asked + api::did_you_mean(asked, near),
                        fmt::format("one of {}, unit, epsilon, delta; of runs given by their sizes also epochs, "
                                    "batch-size; of samples of fixed size also dataset-size",
                                    fmt::join(names, ", ")));
}

void add_solved(Values& values, const Flags& flags, const std::string& solve, const Mechanism* named) {
  const std::string flag = flag_to_solve(solve, named);
  if (values.contains(flag)) {
    throw InvalidArgument(flag, flags.text(flag).value_or(values[flag].text()), "no value, since --solve asks for it");
  }
  values[flag] = nullptr;
}

// Returns the size that --solve asks for; std::nullopt if it asks for a number of the mechanism. Flags that would
// determine the size are refused.
std::optional<UnknownSize> open_size(const Flags& flags, const std::string& solve) {
  const auto size = size_set_by(solve);
  if (!size) return std::nullopt;
  const RunSizes sizes = sizes_of(flags);
  if (*size == UnknownSize::sampling_rate && !can_be_unknown(*size, sizes.sampling)) {
    throw InvalidArgument(
        "--solve", "sampling-rate",
        fmt::format("a number that --sampling {} leaves open, such as noise-multiplier", to_string(*sizes.sampling)));
  }
  if (!can_be_unknown(*size, sizes.sampling)) return std::nullopt;
  if (flags.given(solve)) refuse(flags, solve, "no value, since --solve asks for it");
  if (*size == UnknownSize::sampling_rate && sizes.batch_size) {
    throw InvalidArgument(solve, "a value from --batch-size", "no value, since --solve asks for it");
  }
  if (*size == UnknownSize::epochs && sizes.steps) {
    refuse(flags, steps_flag, "nothing that fixes the steps, since --solve asks for the epochs");
  }
  if (*size == UnknownSize::steps && sizes.epochs) {
    refuse(flags, epochs_flag, "nothing that fixes the steps, since --solve asks for them");
  }
  return size;
}

// Returns the step in the format of a plan; errors name the flag that would set what is missing or wrong.
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

// Gaussian noise given by --noise-multiplier on Poisson samples is a mechanism of the catalogue, sampled-gaussian.
bool samples_by_itself(const Values& values, const Mechanism* named) {
  if (!values.contains(rate_flag)) return false;
  return named != nullptr ? knows_all(*named, {std::string(rate_flag)}) : some_mechanism_knows(flags_of(values));
}

// Returns true if the flags say something about a run.
bool describe_a_run(const Flags& flags) {
  const auto texts = described_flags();
  return std::any_of(texts.begin(), texts.end(), [&](const FlagText& text) { return flags.given(text.name); });
}

// A rate may follow from the sizes of the run; it says nothing about the mechanism.
const Mechanism& described_mechanism(const Values& values, const Mechanism* named, const Flags& flags) {
  if (named != nullptr) {
    check_flags_of(*named, values);
    return *named;
  }
  const bool by_numbers = values.size() > (values.contains(rate_flag) ? 1U : 0U);
  if (by_numbers) return mechanism_described_by(flags_of(values));
  if (describe_a_run(flags)) throw no_mechanism();
  throw InvalidArgument("PLAN", "nothing",
                        "a plan file, - for standard input, or flags such as --noise-multiplier (see --help)");
}

// Refuses flags that describe the run if there is a plan file.
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

constexpr std::string_view sampling_place = "steps[0].sampling";

// Adds the sampling of a step as the member "sampling", or as a number of a mechanism that includes sampling.
std::optional<api::Document> sampling_beside(Values& values, Question& question, const Mechanism* named) {
  const ResolvedRun& parts = question.run;
  values.erase(std::string(rate_flag));
  if (!parts.scheme) return std::nullopt;
  if (parts.scheme == Scheme::poisson) {
    values[std::string(rate_flag)] = api::document_of(parts.numbers.front());
    if (samples_by_itself(values, named)) return std::nullopt;
    values.erase(std::string(rate_flag));
  }
  const std::string place(sampling_place);
  question.flag_at[place] = "--sampling";
  for (const SchemeNumber& number : parts.numbers) {
    question.flag_at[fmt::format("{}.{}", place, number.name)] = flag_of_size(size_behind(number.name));
  }
  return api::sampling_of(parts);
}

void set_run_by_flags(Question& question, const Flags& flags, const std::string& solve) {
  const auto open = open_size(flags, solve);
  question.run = resolved_run(flags, open);
  const Mechanism* named = named_mechanism(flags);
  Values values = typed_values(flags);
  if (!solve.empty() && !open) add_solved(values, flags, solve, named);
  std::optional<api::Document> sampling = sampling_beside(values, question, named);
  const Mechanism& mechanism = described_mechanism(values, named, flags);
  api::Document step = step_of(mechanism, values, question, named != nullptr);
  if (sampling) step.set("sampling", *std::move(sampling));
  step.set("count", api::count_of(question.run));
  question.flag_at["steps[0].count"] = steps_flag;
  if (open) question.flag_at[fmt::format("run.{}", to_string(*open))] = solve;
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
  std::vector<FlagText> all{{std::string(plan_argument), "", "plan file (docs/format/plan.md), or - for stdin"}};
  for (FlagText& text : run_flags_file::described_flags()) {
    text.group = run_flags_file::is_of_training(text) ? the_run : more_about_the_run;
    all.push_back(std::move(text));
  }
  return all;
}

void set_run(Question& question, const Flags& flags, const std::string& solve) {
  question.understood = flags.understood;
  if (flags.given(plan_argument)) {
    run_flags_file::refuse_run_flags(flags);
    question.run.dataset_size = integer(flags, dataset_flag);
    run_flags_file::read_plan_file(question, *flags.text(plan_argument));
  } else {
    run_flags_file::set_run_by_flags(question, flags, solve);
  }
}

void insert_run(Question& question) {
  const ResolvedRun& parts = question.run;
  question.request.set_at("steps[0].count", api::count_of(parts));
  if (question.flag_at.contains(run_flags_file::sampling_place)) {
    question.request.set_at(std::string(run_flags_file::sampling_place), api::sampling_of(parts));
  } else if (parts.scheme == Scheme::poisson) {
    question.request.set_at("steps[0].sampling_rate", api::document_of(parts.numbers.front()));
  }
}

}  // namespace renyi::cli
