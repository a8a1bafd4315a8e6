// Draws how a scope of a ledger was spent over time.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <vector>

#include "api/number_text.h"
#include "apps/cli/plot/kinds.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

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

std::vector<BurnDownPoint> points_of(const Ledger& ledger, const std::string& scope) {
  for (const BurnDownBy by : {BurnDownBy::entry, BurnDownBy::hour}) {
    std::vector<BurnDownPoint> points = ledger.burn_down(scope, by);
    if (points.size() <= most_points) return points;
  }
  return ledger.burn_down(scope, BurnDownBy::day);
}

struct TimeUnit {
  const char* name;
  double per_day;
};

TimeUnit unit_for(double days) {
  if (days > 3) return {"days", 1};
  if (days > 0.125) return {"hours", 24};
  if (days > 1.0 / 480) return {"minutes", 1440};
  return {"seconds", 86'400};
}

// Each value holds until the next one.
Series steps_of(const std::vector<BurnDownPoint>& points, std::size_t which, double Balance::*value, double begin,
                double per_day, Series series) {
  double before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = (days_of(points[i].time) - begin) * per_day;
    const double y = points[i].balances.at(which).*value;
    if (i > 0) series.points.push_back(at(x, before));
    series.points.push_back(at(x, y));
    before = y;
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

Figure ledger_figure(const Ledger& ledger, const std::string& scope) {
  using namespace ledger_file;
  const std::vector<BurnDownPoint> points = points_of(ledger, scope);
  if (points.empty()) throw Unsupported("", "the scope has no entries", "a scope that was charged");
  const std::size_t which = tightest(points.back().balances);
  const std::string name = points.back().balances.at(which).name;
  // Clocks may have jumped: times are drawn in order.
  std::vector<BurnDownPoint> in_order = points;
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const BurnDownPoint& a, const BurnDownPoint& b) { return a.time < b.time; });
  const double begin = days_of(in_order.front().time);
  const TimeUnit unit = unit_for(days_of(in_order.back().time) - begin);
  const ScopeState state = ledger.scope(scope);
  Figure figure{.title = fmt::format("What {} has spent: {}", scope, name),
                .subtitle = fmt::format("{} charges from {} to {}", state.charges, in_order.front().time.substr(0, 10),
                                        in_order.back().time.substr(0, 10)),
                .x = {.label = fmt::format("{} since {} {} UTC", unit.name, in_order.front().time.substr(0, 10),
                                           in_order.front().time.substr(11, 5))},
                .y = {.label = name, .from = 0.0},
                .note = state.note};
  if (in_order.front().time == in_order.back().time) figure.x.to = 1;
  figure.series.push_back(
      steps_of(in_order, which, &Balance::spent, begin, unit.per_day, {.name = "spent, reservations included"}));
  figure.series.push_back(
      steps_of(in_order, which, &Balance::limit, begin, unit.per_day, {.name = "limit", .tone = Tone::highlight}));
  return figure;
}

}  // namespace renyi::cli::plot
