#include "apps/cli/plot/runs.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "api/figure.h"
#include "apps/cli/flags/run_flags.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace runs_file {
namespace {

constexpr const char* label_name = "--label";

// The flags that may have several values, and the symbols of their numbers.
constexpr std::array<std::pair<const char*, const char*>, 8> listed_flags{{{"--noise-multiplier", "σ"},
                                                                           {"--sampling-rate", "q"},
                                                                           {"--scale", "scale"},
                                                                           {"--pure-epsilon", "ε"},
                                                                           {"--truth-probability", "p"},
                                                                           {"--batch-size", "B"},
                                                                           {"--epochs", "epochs"},
                                                                           {"--steps", "steps"}}};

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void check_number(const std::string& flag, std::size_t runs) {
  if (runs <= api::most_runs) return;
  throw InvalidArgument(flag, fmt::format("{} runs", runs), fmt::format("at most {} in one figure", api::most_runs));
}

std::vector<RunAsked> runs_by_files(const Flags& flags) {
  std::vector<RunAsked> runs;
  for (const std::string& file : parts_of(*flags.text(plan_argument), unit_separator)) {
    RunAsked run{flags, std::filesystem::path(file).stem().string()};
    run.flags.slot(std::string(plan_argument)) = file;
    runs.push_back(std::move(run));
  }
  check_number(std::string(plan_argument), runs.size());
  return runs;
}

std::vector<RunAsked> runs_by_flags(const Flags& flags) {
  std::vector<RunAsked> runs{{flags, ""}};
  const char* first = nullptr;
  for (const auto& [flag, symbol] : listed_flags) {
    const auto text = flags.text(flag);
    if (!text || text->find(',') == std::string::npos) continue;
    if (first != nullptr) {
      throw InvalidArgument(flag, fmt::format("\"{}\"", *text), fmt::format("one number, since {} has several", first));
    }
    first = flag;
    runs.clear();
    for (const std::string& value : parts_of(*text, ',')) {
      runs.push_back({flags, fmt::format("{} = {}", symbol, value)});
      runs.back().flags.slot(flag) = value;
    }
    check_number(flag, runs.size());
  }
  return runs;
}

void set_labels(std::vector<RunAsked>& runs, const Flags& flags) {
  const auto text = flags.text(label_name);
  if (!text) return;
  const auto labels = parts_of(*text, unit_separator);
  if (labels.size() != runs.size() || runs.size() == 1) {
    throw InvalidArgument(label_name, fmt::format("{} of them", labels.size()),
                          runs.size() == 1 ? "none, since there is one run only"
                                           : fmt::format("as many as there are runs, {}", runs.size()));
  }
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].label = labels[i];
}

}  // namespace
}  // namespace runs_file

FlagText label_flag() {
  return {runs_file::label_name, "TEXT", "name of a run in the legend, once for each of several runs",
          "How it looks",        true,   unit_separator};
}

std::vector<RunAsked> runs_asked(const Flags& flags) {
  using namespace runs_file;
  std::vector<RunAsked> runs = flags.given(plan_argument) ? runs_by_files(flags) : runs_by_flags(flags);
  set_labels(runs, flags);
  return runs;
}

}  // namespace renyi::cli::plot
