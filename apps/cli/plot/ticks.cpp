#include "apps/cli/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "api/figure/words.h"
#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace ticks_file {
namespace {

constexpr double most_ticks = 1000;  // more are never drawn
constexpr double slack = 1e-9;       // ends that are powers of ten except for rounding errors get a tick

double power(int exponent) { return std::pow(10.0, exponent); }

// Numbers from a thousandth to a hundred thousand are written out; an axis with any other has powers of ten only.
constexpr double least_plain = 1e-3 * (1 - slack), most_plain = 1e5 * (1 + slack);

struct LogLayout {
  double from = 1;
  double to = 10;
  int every = 1;
  bool multiples = false;

  bool shows(double value) const { return value >= from * (1 - slack) && value <= to * (1 + slack); }
  bool is_plain() const { return from >= least_plain && to <= most_plain; }
  std::string label(int digit, int exponent) const {
    if (is_plain()) return fmt::format("{:.10g}", digit * power(exponent));
    return digit == 1 ? api::figure::power_of_ten(exponent)
                      : fmt::format("{}×{}", digit, api::figure::power_of_ten(exponent));
  }
};

void add_decade(Ticks& ticks, int exponent, const LogLayout& layout) {
  if (const double value = power(exponent); layout.shows(value)) {
    ticks.push_back({value, exponent % layout.every == 0 ? layout.label(1, exponent) : ""});
  }
  if (layout.every > 1) return;
  for (int digit = 2; digit <= 9; ++digit) {
    const double value = digit * power(exponent);
    if (!layout.shows(value)) continue;
    const bool labelled = layout.multiples && (digit == 2 || digit == 5);
    ticks.push_back({value, labelled ? layout.label(digit, exponent) : ""});
  }
}

std::ptrdiff_t labels_in(const Ticks& ticks) {
  return std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); });
}

// Returns the round numbers at most as far apart as the whole axis, ascending: 1, 2 and 5 times powers of ten.
std::vector<double> round_steps(double length) {
  const int last = static_cast<int>(std::floor(std::log10(length)));
  std::vector<double> steps;
  for (int exponent = last - 1; exponent <= last; ++exponent) {
    for (const int digit : {1, 2, 5}) steps.push_back(digit * power(exponent));
  }
  std::erase_if(steps, [&](double step) { return step > length || step < length / 12; });
  return steps;
}

// Writes multiples of the step with as many decimals as the step has, or all with the same power of ten.
std::string even_label(double value, double step, double most) {
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + slack));
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (step_exponent >= -4 && most < 1e6) return sign + fmt::format("{:.{}f}", size, std::max(0, -step_exponent));
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(most) + slack));
  const int decimals = std::max(0, exponent - step_exponent);
  return sign + fmt::format("{:.{}f}×{}", size / power(exponent), decimals, api::figure::power_of_ten(exponent));
}

Ticks named_ticks(const Axis& axis, std::size_t every) {
  Ticks ticks;
  for (std::size_t i = 0; i < axis.names.size(); ++i) {
    ticks.push_back({static_cast<double>(i + 1), i % every == 0 ? axis.names[i] : ""});
  }
  return ticks;
}

// Returns all choices, the one with the most labels first.
std::vector<Ticks> choices(const Axis& axis) {
  const double from = *axis.from, to = *axis.to;
  std::vector<Ticks> all;
  if (!axis.names.empty()) {
    for (std::size_t every = 1; every <= axis.names.size(); ++every) all.push_back(named_ticks(axis, every));
  } else if (axis.log) {
    const double decades = std::log10(to) - std::log10(from);
    if (decades < 1) {
      for (const double step : round_steps(to - from)) all.push_back(even_ticks(from, to, step));
    }
    if (decades < 3) all.push_back(log_ticks(from, to, 1, true));
    for (const int every : {1, 2, 3, 4, 5, 10, 20, 30, 50, 100}) {
      if (every == 1 || every <= decades) all.push_back(log_ticks(from, to, every, false));
    }
  } else {
    for (const double step : round_steps(to - from)) all.push_back(even_ticks(from, to, step));
  }
  return all;
}

}  // namespace
}  // namespace ticks_file

Ticks log_ticks(double from, double to, int every, bool multiples) {
  const ticks_file::LogLayout layout{from, to, every, multiples};
  Ticks ticks;
  const int last = static_cast<int>(std::ceil(std::log10(to)));
  const double lowest = std::max(from, std::numeric_limits<double>::min());
  for (int exponent = static_cast<int>(std::floor(std::log10(lowest))); exponent <= last; ++exponent) {
    ticks_file::add_decade(ticks, exponent, layout);
  }
  return ticks;
}

Ticks even_ticks(double from, double to, double step) {
  Ticks ticks;
  const double slack = ticks_file::slack * (to - from);
  const double most = std::max(std::abs(from), std::abs(to));
  const double first = std::ceil((from - slack) / step);
  const double count = std::floor((to + slack) / step) - first;
  if (!(count < ticks_file::most_ticks)) return ticks;
  for (int i = 0; i <= static_cast<int>(count); ++i) {
    const double n = first + i;
    const double value = n == 0 ? 0 : n * step;
    ticks.push_back({value, ticks_file::even_label(value, step, most)});
  }
  return ticks;
}

Ticks ticks_of(const Axis& axis, const std::function<bool(const Ticks&)>& fit) {
  Ticks fewest;
  for (Ticks& ticks : ticks_file::choices(axis)) {
    const auto labels = ticks_file::labels_in(ticks);
    if ((labels >= 2 || axis.names.size() == 1) && fit(ticks)) return std::move(ticks);
    if (fewest.empty() || (labels >= 1 && labels < ticks_file::labels_in(fewest))) fewest = std::move(ticks);
  }
  return fewest;
}

}  // namespace renyi::cli::plot
