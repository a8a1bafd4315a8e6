// Draws how a scope of a ledger was spent over time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "api/figure/finish.h"
#include "api/figure/records.h"
#include "api/number_text.h"
#include "renyi/error.h"

namespace renyi::api::figure {

namespace ledger_file {
namespace {

// More points than the picture has columns show nothing.
constexpr std::size_t most_points = 2000;

int number_at(const std::string& time, std::size_t from, std::size_t digits) {
  int value = 0;
  std::from_chars(time.data() + from, time.data() + from + digits, value);
  return value;
}

// The days since 1970 of "2026-11-17T12:00:00.000Z".
double days_of(const std::string& time) {
  namespace ch = std::chrono;
  if (time.size() < 23) return 0;
  const ch::sys_days day{ch::year(number_at(time, 0, 4)) / ch::month(static_cast<unsigned>(number_at(time, 5, 2))) /
                         ch::day(static_cast<unsigned>(number_at(time, 8, 2)))};
  const double seconds = 3600.0 * number_at(time, 11, 2) + 60.0 * number_at(time, 14, 2) + number_at(time, 17, 2) +
                         number_at(time, 20, 3) / 1000.0;
  return static_cast<double>(day.time_since_epoch().count()) + seconds / 86'400;
}

std::vector<BurnDownPoint> points_of(const LedgerRequest& asked) {
  for (const BurnDownBy by : {BurnDownBy::entry, BurnDownBy::hour}) {
    std::vector<BurnDownPoint> points = burn_down(asked, by);
    if (points.size() <= most_points) return points;
  }
  return burn_down(asked, BurnDownBy::day);
}

// Times as marks 1, 2, ... of an axis, at whole steps of a day or of a clock.
struct TimeAxis {
  std::int64_t begin = 0;  // seconds since 1970
  std::int64_t step = 1;   // seconds

  double at(double days) const { return 1 + (86'400 * days - static_cast<double>(begin)) / static_cast<double>(step); }
};

TimeAxis axis_for(double from_days, double to_days) {
  // From a second to a day, a week, four weeks, a quarter, a year and a century.
  constexpr std::array<std::int64_t, 19> steps{
      1,      5,       15,      60,        300,       900,       3'600,      10'800,      21'600,       43'200,
      86'400, 172'800, 604'800, 1'209'600, 2'419'200, 7'862'400, 31'536'000, 315'360'000, 3'153'600'000};
  constexpr double most_marks = 5;
  const double seconds = 86'400 * (to_days - from_days);
  const auto* found = std::find_if(
      steps.begin(), steps.end(), [&](std::int64_t step) { return seconds <= most_marks * static_cast<double>(step); });
  const std::int64_t step = found == steps.end() ? steps.back() : *found;
  return {static_cast<std::int64_t>(86'400 * from_days) / step * step, step};
}

// "2026-11-17", "12:30" or "12:30:05".
std::string mark(std::int64_t seconds, std::int64_t step) {
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(seconds / 86'400))};
  const std::int64_t of_day = seconds % 86'400;
  if (step >= 86'400) {
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
  }
  const std::string clock = fmt::format("{:02}:{:02}", of_day / 3600, of_day / 60 % 60);
  return step >= 60 ? clock : fmt::format("{}:{:02}", clock, of_day % 60);
}

// Each value holds until the next one.
Series steps_of(const std::vector<BurnDownPoint>& points, std::size_t which, double Balance::*value,
                const TimeAxis& axis, Series series) {
  series.curve.rule = Rule::previous;
  for (const BurnDownPoint& point : points) {
    series.curve.add(axis.at(days_of(point.time)), point.balances.at(which).*value);
  }
  return series;
}

// The number that is nearest to its limit, or over it.
std::size_t tightest(const std::vector<Balance>& balances) {
  const auto share = [](const Balance& one) { return one.limit > 0 ? one.spent / one.limit : 0; };
  const auto found = std::max_element(balances.begin(), balances.end(),
                                      [&](const Balance& a, const Balance& b) { return share(a) < share(b); });
  return static_cast<std::size_t>(found - balances.begin());
}

}  // namespace
}  // namespace ledger_file

Figure ledger_figure(const LedgerRequest& asked, const ScopeState& state) {
  using namespace ledger_file;
  const std::vector<BurnDownPoint> points = points_of(asked);
  if (points.empty()) throw Unsupported("", "the scope has no entries", "a scope that was charged");
  const std::size_t which = tightest(points.back().balances);
  const std::string name = points.back().balances.at(which).name;
  // Entries are drawn in their order. A clock may have jumped backwards: such a time is drawn as the one before it.
  std::vector<BurnDownPoint> in_order = points;
  for (std::size_t i = 1; i < in_order.size(); ++i) in_order[i].time = std::max(in_order[i].time, in_order[i - 1].time);
  const double first = days_of(in_order.front().time), last = days_of(in_order.back().time);
  const TimeAxis axis = axis_for(first, last);
  Figure figure{
      .kind = "ledger",
      .title = fmt::format("What {} has spent: {}", state.name, name),
      .subtitle = fmt::format("{} charges from {} to {}", state.charges, in_order.front().time.substr(0, 10),
                              in_order.back().time.substr(0, 10)),
      .note = state.note,
      .x = {.label = axis.step >= 86'400 ? std::string("date (UTC)")
                                         : fmt::format("time from {} on (UTC)", in_order.front().time.substr(0, 10)),
            .from = 1.0},
      .y = {.label = name, .from = 0.0}};
  const auto marks = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(axis.at(last))));
  for (std::int64_t i = 0; i < marks; ++i) figure.x.names.push_back(mark(axis.begin + i * axis.step, axis.step));
  figure.x.to = static_cast<double>(marks);
  figure.series.push_back(steps_of(in_order, which, &Balance::spent, axis, {.name = "spent, reservations included"}));
  figure.series.push_back(steps_of(in_order, which, &Balance::limit, axis, {.name = "limit", .role = Role::highlight}));
  return finished(std::move(figure));
}

}  // namespace renyi::api::figure
