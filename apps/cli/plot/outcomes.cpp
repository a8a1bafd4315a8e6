// How likely a bad outcome may become, by how likely it is.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/json/content.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "apps/cli/views/describe.h"

namespace renyi::cli::plot {

namespace outcomes_file {
namespace {

using api::Json;

constexpr const char* one_record = "one record";
constexpr int shown_points = 60;
constexpr double least_baseline = 1e-6;
constexpr double last_baseline = 0.9;
constexpr double below = 1e-3;  // how far below the least baseline the figure goes

double first_baseline(const Question& question) {
  double first = least_baseline;
  if (!api::opened(question.request).contains("baseline")) return first;
  for (const Json& baseline : api::opened(question.request).at("baseline"))
    first = std::min(first, number_in(baseline));
  return first;
}

// Nothing but outcomes: the rest of the explanation is not drawn.
Json asked(const Question& question) {
  Json request = about_run(question, "explain");
  request["orders"] = {2};
  request["factors"] = {2};
  return request;
}

// What neighbours differ by: all the records of one person.
std::string changed_records(const Question& question) {
  const Json unit = api::opened(question.request).value("unit", Json(1));
  return unit == 1 ? one_record : fmt::format("{} records", unit.dump());
}

Series ends(const std::vector<Json>& rows, const char* part, const char* end, Series series) {
  for (const Json& row : rows) {
    series.points.push_back(at(number_in(row.at("baseline")), number_in(row.at(part).at(end))));
  }
  return series;
}

Series band(const std::vector<Json>& rows, const char* part, Series series) {
  for (const Json& row : rows) {
    const Interval range = interval_in(row.at(part));
    series.points.push_back({number_in(row.at("baseline")), range.lower, range.upper});
  }
  return series;
}

}  // namespace
}  // namespace outcomes_file

Figure outcomes_figure(const Question& question) {
  const double first = outcomes_file::first_baseline(question);
  const auto rows = rows_of(outcomes_file::asked(question), "baseline", "outcomes",
                            by_ratio(first, outcomes_file::last_baseline, outcomes_file::shown_points));
  const std::string records = outcomes_file::changed_records(question);
  const bool one = records == outcomes_file::one_record;
  Figure figure{
      .title = fmt::format("How likely a bad outcome may become by {}", records),
      .subtitle = run_in_words(question),
      .x = {.label = one ? "probability without the record (or with it)" : "probability without them (or with them)",
            .log = true,
            .to = 1},
      .y = {.label = one ? "probability with it (or without)" : "probability with them (or without)",
            .log = true,
            .from = first * outcomes_file::below,
            .to = 1}};
  if (is_there(rows.front(), "exact")) {
    figure.series.push_back(
        outcomes_file::band(rows, "exact", {.name = "exact", .shape = Shape::band, .tone = Tone::exact}));
  } else {
    figure.note = "no exact figure: " + rows.front().at("exact").at("unavailable").get<std::string>();
  }
  figure.series.push_back(
      outcomes_file::ends(rows, "renyi", "upper", {.name = "Renyi bounds, upper and lower", .tone = Tone::renyi}));
  figure.series.push_back(outcomes_file::ends(rows, "renyi", "lower", {.tone = Tone::renyi}));
  figure.series.push_back({.name = "nothing changes", .tone = Tone::reference, .points = {at(first, first), at(1, 1)}});
  return figure;
}

}  // namespace renyi::cli::plot
