#include "apps/cli/flags/grid_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/axis_values.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/sampling_flags.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::cli {

using api::Document;

namespace grid_flags_file {
namespace {

constexpr std::string_view solve_name = "--solve";
constexpr std::string_view noise_flag = "--noise-multiplier";
constexpr std::array<std::string_view, 5> whole_sizes{"dataset_size", "batch_size", "accumulation", "batch_limit",
                                                      "steps"};
constexpr std::array<std::string_view, 2> real_sizes{"sampling_rate", "epochs"};

std::vector<FlagText> asked_flags() {
  return joined({{{std::string(solve_name), "NUMBER", "calibrate: the flag to solve for", asked_group},
                  epsilon_flag("epsilon (of delta), or epsilon not to exceed (of calibrate)"),
                  delta_flag(),
                  {"--by", "exact|renyi", "calibrate: whose epsilon is to meet the target", asked_group}},
                 want_flags()});
}

// Builds the request of a grid from flags.
class Builder {
 public:
  Builder(std::string asked, const Flags& flags) : asked_(std::move(asked)), flags_(flags) {}

  Question build() {
    const auto solve = flags_.text(solve_name);
    if (solve && asked_ != "calibrate") refuse(flags_, solve_name, "nothing: only calibrate solves for a number");
    if (!solve && asked_ == "calibrate") {
      throw InvalidArgument(std::string(solve_name), "nothing", "the flag to solve for, such as noise-multiplier");
    }
    if (solve) solved_ = "--" + *solve;
    std::replace(solved_.begin(), solved_.end(), '_', '-');  // names of plans are understood too
    if (solve && flags_.given(solved_)) refuse(flags_, solved_, "no value, since --solve asks for it");
    Document request;
    request.set("op", asked_);
    set_words(request, "neighbors");
    set_number(request, "unit", AxisNumbers::whole);
    request.set("run", run());
    set_number(request, "epsilon");
    set_number(request, "delta");
    set_words(request, "by");
    Question options;
    set_want(options, flags_);
    request.take_over(options.request);
    if (!solved_.empty()) {
      throw InvalidArgument(std::string(solve_name), *solve, "a number of the run, unit, epsilon or delta");
    }
    Question question;
    question.request.set("renyi-sweep", 1);
    question.request.set("request", std::move(request));
    question.flag_at = std::move(flag_at_);
    question.understood = flags_.understood;
    return question;
  }

 private:
  // Returns the value of a flag; null if it is solved for, and nothing if it was not given.
  std::optional<Document> value(const std::string& flag, AxisNumbers numbers = AxisNumbers::real) {
    if (flag == solved_) {
      solved_.clear();
      return Document(nullptr);
    }
    const auto text = flags_.text(flag);
    return text ? std::optional(axis_of_numbers(flag, *text, numbers)) : std::nullopt;
  }

  void set_number(Document& request, const std::string& key, AxisNumbers numbers = AxisNumbers::real) {
    flag_at_[key] = "--" + key;
    if (auto found = value("--" + key, numbers)) request.set(key, *std::move(found));
  }

  void set_words(Document& request, const std::string& key) {
    flag_at_[key] = "--" + key;
    if (const auto text = flags_.text("--" + key)) request.set(key, axis_of_words(*text));
  }

  // The member "run" of the request: the mechanism before the sizes.
  Document run() {
    Document result;
    set_mechanism(result);
    for (const std::string_view size : real_sizes) set_size(result, size, AxisNumbers::real);
    for (const std::string_view size : whole_sizes) set_size(result, size, AxisNumbers::whole);
    flag_at_["run.sampling"] = "--sampling";
    if (const auto text = flags_.text("--sampling")) result.set("sampling", axis_of_words(*text));
    return result;
  }

  void set_size(Document& run, std::string_view size, AxisNumbers numbers) {
    const std::string flag = flag_of_size(size);
    flag_at_[fmt::format("run.{}", size)] = flag;
    if (auto found = value(flag, numbers)) run.set(std::string(size), *std::move(found));
  }

  // Returns the flags that set numbers of the mechanism, including the one that is solved for.
  std::vector<std::string> mechanism_flags_given() const {
    std::vector<std::string> given;
    for (const FlagText& text : mechanism_flags()) {
      if (text.name != rate_flag && (flags_.given(text.name) || text.name == solved_)) given.push_back(text.name);
    }
    return given;
  }

  // A run that gives its noise multiplier only names no mechanism: it is Gaussian noise, sampled or not.
  void set_mechanism(Document& run) {
    const Mechanism* named = named_mechanism(flags_);
    if (flags_.given(set_flag)) refuse(flags_, set_flag, "flags of the mechanism's numbers, or a grid file");
    const std::vector<std::string> given = mechanism_flags_given();
    flag_at_["run.noise_multiplier"] = noise_flag;
    if (named == nullptr && given == std::vector{std::string(noise_flag)}) {
      run.set("noise_multiplier", *value(std::string(noise_flag)));
      return;
    }
    if (named == nullptr && given.empty()) throw no_mechanism();
    const Mechanism& mechanism = named != nullptr ? *named : mechanism_described_by(given);
    run.set("mechanism", std::string(mechanism.kind()));
    for (const Spelling& spelling : spellings_of(mechanism)) {
      if (spelling.flag == rate_flag) continue;
      const AxisNumbers numbers = spelling.parameter->whole ? AxisNumbers::whole : AxisNumbers::real;
      flag_at_["run." + spelling.key] = spelling.flag;
      if (auto found = value(spelling.flag, numbers)) run.set(spelling.key, *std::move(found));
    }
    for (const std::string& flag : given) {
      if (!knows_all(mechanism, {flag})) refuse(flags_, flag, fmt::format("a number of {}", mechanism.kind()));
    }
  }

  std::string asked_;
  const Flags& flags_;
  std::string solved_{};  // the flag to solve for, until its place is found
  std::map<std::string, std::string, std::less<>> flag_at_{};
};

}  // namespace
}  // namespace grid_flags_file

std::vector<FlagText> grid_flags() {
  std::vector<FlagText> all = joined({run_flags(), grid_flags_file::asked_flags()});
  std::erase_if(all, [](const FlagText& text) { return text.name == plan_argument; });
  return all;
}

std::vector<std::string> given_grid_flags(const Flags& flags) {
  std::vector<std::string> given;
  for (const FlagText& text : grid_flags()) {
    if (flags.given(text.name)) given.push_back(text.name);
  }
  return given;
}

Question grid_question(const std::string& asked, const Flags& flags) {
  return grid_flags_file::Builder(asked, flags).build();
}

}  // namespace renyi::cli
