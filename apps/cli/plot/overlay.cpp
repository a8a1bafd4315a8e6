#include "apps/cli/plot/overlay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/cli/flags/run_flags.h"
#include "apps/cli/plot/look.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace overlay_file {
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
  if (runs <= most_runs) return;
  throw InvalidArgument(flag, fmt::format("{} runs", runs), fmt::format("at most {} in one figure", most_runs));
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

bool has_tone(const Figure& figure, Tone tone) {
  return std::any_of(figure.series.begin(), figure.series.end(), [&](const Series& s) { return s.tone == tone; });
}

// Whether the series shows what a run is: the marks and the lines for comparison would be too many.
bool is_kept(const Series& series, bool exact) {
  if (series.shape == Shape::rule) return series.tone == Tone::highlight;
  if (series.shape == Shape::dots) return false;
  return exact ? series.tone == Tone::exact || series.tone == Tone::other : series.tone == Tone::renyi;
}

// Returns the widest range; an end is open if it is open in one of them.
void widen(Axis& axis, const Axis& other) {
  axis.from = axis.from && other.from ? std::optional(std::min(*axis.from, *other.from)) : std::nullopt;
  axis.to = axis.to && other.to ? std::optional(std::max(*axis.to, *other.to)) : std::nullopt;
  axis.log = axis.log && other.log;
}

// The words that all runs have in common; empty if there are none.
std::string common_words(const std::vector<Figure>& figures) {
  const auto first = parts_of(figures.front().subtitle, ',');
  std::vector<std::string> common;
  for (const std::string& words : first) {
    const bool everywhere = std::all_of(figures.begin(), figures.end(), [&](const Figure& figure) {
      const auto others = parts_of(figure.subtitle, ',');
      return std::find(others.begin(), others.end(), words) != others.end();
    });
    if (everywhere) common.push_back(words);
  }
  std::string text = fmt::format("{}", fmt::join(common, ","));
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

}  // namespace
}  // namespace overlay_file

FlagText label_flag() {
  return {overlay_file::label_name, "TEXT", "name of a run in the legend, once for each of several runs",
          "How it looks",           true,   unit_separator};
}

std::vector<RunAsked> runs_asked(const Flags& flags) {
  using namespace overlay_file;
  std::vector<RunAsked> runs = flags.given(plan_argument) ? runs_by_files(flags) : runs_by_flags(flags);
  set_labels(runs, flags);
  return runs;
}

Figure overlaid(std::vector<Figure> figures, const std::vector<std::string>& labels) {
  using namespace overlay_file;
  const auto is_exact = [](const Figure& figure) { return has_tone(figure, Tone::exact); };
  const bool all_exact = std::all_of(figures.begin(), figures.end(), is_exact);
  const bool any_exact = std::any_of(figures.begin(), figures.end(), is_exact);
  const bool has_bounds =
      std::any_of(figures.front().series.begin(), figures.front().series.end(),
                  [](const Series& series) { return series.tone == Tone::renyi && series.shape == Shape::line; });
  Figure result = figures.front();
  result.series.clear();
  result.subtitle = common_words(figures);
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    Figure& figure = figures[i];
    widen(result.x, figure.x);
    widen(result.y, figure.y);
    if (!figure.note.empty()) notes.push_back(fmt::format("{}: {}", labels[i], figure.note));
    bool named = false;
    for (Series& series : figure.series) {
      if (series.shape == Shape::spike)
        throw Unsupported("", "lists of several runs have no common figure", "ask for one run at a time");
      if (!is_kept(series, is_exact(figure))) continue;
      series.name = named || series.shape == Shape::rule ? "" : labels[i];
      if (!series.name.empty() && any_exact && !is_exact(figure)) series.name += " (Rényi bound)";
      named = named || !series.name.empty();
      series.run = i;
      result.series.push_back(std::move(series));
    }
  }
  if (all_exact && has_bounds) result.y.label += " (exact)";
  result.note = fmt::format("{}", fmt::join(notes, "; "));
  return result;
}

}  // namespace renyi::cli::plot
