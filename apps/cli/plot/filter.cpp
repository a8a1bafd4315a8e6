// Draws what filters cost: the epsilon that each kind needs against the number of steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "api/filter_design.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

namespace filter_file {
namespace {

constexpr int shown_points = 16;
// A kind that costs so many times as much as the cheapest filter, for the expected workload, is named below the title
// and not drawn.
constexpr double off_the_scale = 8;
// Kinds whose epsilons differ by less than this everywhere share a line.
constexpr double same = 2e-3;

// Counts from a hundredth to ten times the expected one.
std::vector<std::int64_t> counts_around(std::int64_t count) {
  constexpr double most = 9e15;
  const double now = std::min(most, static_cast<double>(count));
  std::vector<std::int64_t> counts;
  for (const double value : by_ratio(std::max(1.0, now / 100), std::max(100.0, std::min(most, now * 10)), shown_points))
    counts.push_back(std::llround(value));
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

struct Line {
  std::vector<std::string> names;
  double epsilon = 0;  // for the expected workload
  std::vector<double> epsilons;
};

bool is_same(const Line& line, const KindDesign& kind) {
  return std::equal(line.epsilons.begin(), line.epsilons.end(), kind.epsilons.begin(),
                    [](double a, double b) { return a == b || std::abs(a - b) <= same * std::max(a, b); });
}

// The lines of the kinds, the cheapest first.
std::vector<Line> lines_of(const FilterDesign& design) {
  std::vector<Line> lines;
  for (const KindDesign& kind : design.kinds) {
    if (!kind.epsilon || !std::isfinite(*kind.epsilon)) continue;
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return is_same(line, kind); });
    if (known == lines.end()) {
      lines.push_back({{std::string(to_string(kind.kind))}, *kind.epsilon, kind.epsilons});
    } else {
      known->names.emplace_back(to_string(kind.kind));
    }
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.epsilon < b.epsilon; });
  return lines;
}

Series series_of(const std::vector<std::int64_t>& counts, const std::vector<double>& epsilons, Series series) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double epsilon = std::isfinite(epsilons[i]) ? epsilons[i] : std::nan("");
    series.points.push_back(at(static_cast<double>(counts[i]), epsilon));
  }
  return series;
}

// Draws the kinds that are on the scale, and names the others.
void add_kinds(Figure& figure, const FilterDesign& design) {
  std::vector<std::string> notes, none;
  std::size_t look = 1;  // the first is that of the exact line
  const std::vector<Line> lines = lines_of(design);
  for (const Line& line : lines) {
    if (line.epsilon > off_the_scale * lines.front().epsilon) {
      notes.push_back(fmt::format("{}: ε = {}", fmt::join(line.names, ", "), in_figure_rounded_up(line.epsilon)));
    } else {
      figure.series.push_back(
          series_of(design.counts, line.epsilons,
                    {.name = fmt::format("filter by {}", fmt::join(line.names, ", ")), .run = look++}));
    }
  }
  if (!notes.empty()) figure.note = fmt::format("off the scale: {}", fmt::join(notes, "; "));
  for (const KindDesign& kind : design.kinds) {
    if (!kind.epsilon || !std::isfinite(*kind.epsilon)) none.emplace_back(to_string(kind.kind));
  }
  if (none.empty()) return;
  figure.note += fmt::format("{}no finite ε: {}", figure.note.empty() ? "" : "; ", fmt::join(none, ", "));
}

double target_of(const Question& question) {
  // The lines do not depend on the target.
  constexpr double any = 1;
  return question.request.has("epsilon") ? api::read_filter_design(question.request).epsilon : any;
}

}  // namespace
}  // namespace filter_file

Figure filter_figure(const Question& question) {
  const double target = filter_file::target_of(question), delta = delta_of(question);
  api::FilterDesignRequest asked = api::read_filter_design(run_of(question).set("delta", delta).set("epsilon", target));
  const auto distinct = asked.plan.merged();
  const std::int64_t expected = distinct.size() == 1 ? distinct.front().count : 1;
  asked.options.counts = filter_file::counts_around(expected);
  const FilterDesign design = answer(asked);
  const char* counted = design.counts_steps ? "steps" : "runs of the whole plan";
  Figure figure{.title = fmt::format("The price of choosing steps on the way: ε at δ = {}", in_figure(delta)),
                .subtitle = run_in_words(question),
                .x = {.label = counted, .log = true},
                .y = {.label = "ε that is needed", .log = true}};
  if (!design.exact.epsilons.empty()) {
    figure.series.push_back(
        filter_file::series_of(design.counts, design.exact.epsilons, {.name = "fixed in advance: exact", .run = 0}));
  }
  filter_file::add_kinds(figure, design);
  if (figure.series.empty()) {
    throw Unsupported("", "no filter has a finite epsilon at this delta", "a larger delta");
  }
  figure.series.push_back({.name = fmt::format("expected: {}", expected),
                           .shape = Shape::rule,
                           .tone = Tone::reference,
                           .points = {at(static_cast<double>(expected), 0)}});
  return figure;
}

}  // namespace renyi::cli::plot
