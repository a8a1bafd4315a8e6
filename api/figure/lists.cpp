// Draws lists of theorems and of kinds of filters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "api/figure/kinds.h"
#include "api/figure/repeated.h"
#include "api/figure/words.h"
#include "renyi/error.h"
#include "renyi/filter_design.h"
#include "renyi/papers/composition_theorems.h"

namespace renyi::api::figure {

namespace lists_file {
namespace {

// The theorems with a finite epsilon, the smallest first, which is at the top; and why others are missing.
struct Rows {
  std::vector<TheoremAnswer> shown;
  std::vector<std::string_view> infinite;
  std::vector<std::string_view> missing;
};

Rows rows_in(const std::vector<TheoremAnswer>& theorems) {
  Rows rows;
  for (const TheoremAnswer& theorem : theorems) {
    if (theorem.epsilon_estimate) continue;  // the figure shows bounds
    if (!theorem.epsilon) {
      rows.missing.push_back(theorem.name);
    } else if (std::isfinite(*theorem.epsilon)) {
      rows.shown.push_back(theorem);
    } else {
      rows.infinite.push_back(theorem.name);
    }
  }
  std::stable_sort(rows.shown.begin(), rows.shown.end(),
                   [](const TheoremAnswer& a, const TheoremAnswer& b) { return *a.epsilon > *b.epsilon; });
  return rows;
}

std::string note_of(const Rows& rows) {
  std::vector<std::string> parts;
  if (!rows.infinite.empty()) parts.push_back(fmt::format("infinite: {}", fmt::join(rows.infinite, ", ")));
  if (!rows.missing.empty()) parts.push_back(fmt::format("no answer: {}", fmt::join(rows.missing, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Leaves space to the left of the smallest epsilon, where lines start, and to the right of the largest one for its
// label.
void set_range(Axis& axis, const Rows& rows) {
  const double least = *rows.shown.back().epsilon, most = *rows.shown.front().epsilon;
  axis.log = axis.log && least > 0;
  axis.from = axis.log ? least / std::max(1.6, std::pow(most / least, 0.1)) : 0;
  axis.to = axis.log ? most * std::max(1.6, std::pow(most / least, 0.25)) : 1.3 * std::max(most, 1e-300);
}

}  // namespace
}  // namespace lists_file

Figure accountants_figure(const Subject& subject) {
  const double delta = delta_of(subject.asked);
  if (subject.asked.y_log.value_or(false)) {
    throw InvalidArgument("y_scale", "\"log\"", "linear, since this axis has names and no numbers");
  }
  const Comparison comparison = compare(subject.run.plan, delta);
  const lists_file::Rows rows = lists_file::rows_in(comparison.theorems);
  if (rows.shown.empty()) {
    throw Unsupported("", "no theorem gives a finite epsilon at this delta", "a larger delta");
  }
  Figure figure{.kind = "accountants",
                .title = fmt::format("The ε each theorem proves, at δ = {}", in_figure(delta)),
                .note = lists_file::note_of(rows),
                .x = subject.x("ε (upper bounds, rounded up)", true),
                .y = {.from = 0.4, .to = static_cast<double>(rows.shown.size()) + 0.6}};
  lists_file::set_range(figure.x, rows);
  Series others{.role = Role::renyi, .shape = Shape::rows}, best{.name = "the smallest", .shape = Shape::rows};
  for (std::size_t i = 0; i < rows.shown.size(); ++i) {
    const TheoremAnswer& row = rows.shown[i];
    Series& series = comparison.best && comparison.theorems[*comparison.best].name == row.name ? best : others;
    series.curve.add(*row.epsilon, static_cast<double>(i + 1));
    series.labels.push_back(in_figure_rounded_up(*row.epsilon));
    figure.y.names.emplace_back(row.name);
  }
  if (!others.curve.empty()) figure.series.push_back(std::move(others));
  if (!best.curve.empty()) figure.series.push_back(std::move(best));
  return figure;
}

namespace lists_file {
namespace {

constexpr std::size_t shown_points = 64;
// A kind that costs so many times as much as the cheapest filter, for the expected workload, is named below the title
// and not drawn.
constexpr double off_the_scale = 8;
// Kinds whose epsilons differ by less than this everywhere share a line, which is that of the larger.
constexpr double same = 2e-3;

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
      continue;
    }
    known->names.emplace_back(to_string(kind.kind));
    for (std::size_t i = 0; i < kind.epsilons.size(); ++i) {
      known->epsilons[i] = std::max(known->epsilons[i], kind.epsilons[i]);
    }
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.epsilon < b.epsilon; });
  return lines;
}

// More steps never need a smaller epsilon.
Series series_of(const std::vector<std::int64_t>& counts, const std::vector<double>& epsilons, Series series) {
  series.curve.rule = Rule::next;
  for (std::size_t i = 0; i < counts.size(); ++i) series.curve.add(static_cast<double>(counts[i]), epsilons[i]);
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

std::vector<std::int64_t> counts_in(const Subject& subject, const Axis& axis) {
  std::vector<std::int64_t> counts;
  const auto [from, to] = subject.range;
  for (const double value : spread(axis, from, to, shown_points)) counts.push_back(std::llround(value));
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::int64_t expected_of(const Plan& plan) {
  const auto distinct = plan.merged();
  return distinct.size() == 1 ? distinct.front().count : 1;
}

}  // namespace
}  // namespace lists_file

Range filter_range(const Subject& subject) {
  constexpr double most = 9e15;
  const double now = std::min(most, static_cast<double>(lists_file::expected_of(subject.run.plan)));
  return {std::max(1.0, now / 100), std::max(100.0, std::min(most, now * 10))};
}

// What filters cost: the epsilon that each kind needs against the number of steps.
Figure filter_figure(const Subject& subject) {
  using namespace lists_file;
  const double delta = delta_of(subject.asked);
  Figure figure{.kind = "filter",
                .title = fmt::format("The price of choosing steps on the way: ε at δ = {}", in_figure(delta)),
                .x = subject.x("", true),
                .y = subject.y("ε that is needed", true)};
  constexpr double any = 1;  // the lines do not depend on the target
  const FilterDesign design = design_filter(subject.run.plan, subject.asked.epsilon.value_or(any), delta,
                                            {.counts = counts_in(subject, figure.x)});
  figure.x.label = design.counts_steps ? "steps" : "runs of the whole plan";
  if (!design.exact.epsilons.empty()) {
    figure.series.push_back(
        series_of(design.counts, design.exact.epsilons, {.name = "fixed in advance: exact", .run = 0}));
  }
  add_kinds(figure, design);
  if (figure.series.empty()) {
    throw Unsupported("", "no filter has a finite epsilon at this delta", "a larger delta");
  }
  const std::int64_t expected = expected_of(subject.run.plan);
  figure.marks.push_back({.x = static_cast<double>(expected), .text = fmt::format("expected: {}", expected)});
  return figure;
}

}  // namespace renyi::api::figure
