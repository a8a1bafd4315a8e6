#include "apps/cli/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace renyi::cli::plot {
namespace {

constexpr int most_labels = 9;
constexpr double slack = 1e-9;  // ends that are powers of ten but for rounding get their tick

double power(int exponent) { return std::pow(10.0, exponent); }

std::string power_in_words(int exponent, bool raised) {
  constexpr int plain_from = -3, plain_to = 4;
  if (exponent >= plain_from && exponent <= plain_to) return fmt::format("{:g}", power(exponent));
  return raised ? fmt::format("10^{{{}}}", exponent) : fmt::format("1e{}", exponent);
}

struct Layout {
  double from = 1;
  double to = 10;
  int every = 1;           // decades from label to label
  bool multiples = false;  // 2 and 5 carry labels too
  bool raised = true;

  bool shows(double value) const { return value >= from * (1 - slack) && value <= to * (1 + slack); }
  bool labels(int exponent) const { return exponent % every == 0; }
};

std::string multiple_in_words(int digit, int exponent, bool raised) {
  const double value = digit * power(exponent);
  if (value >= 1e-3 && value < 1e5) return fmt::format("{:g}", value);
  return raised ? fmt::format("{}x10^{{{}}}", digit, exponent) : fmt::format("{}e{}", digit, exponent);
}

void add_decade(std::vector<Tick>& ticks, int exponent, const Layout& layout) {
  if (const double value = power(exponent); layout.shows(value)) {
    ticks.push_back({value, layout.labels(exponent) ? power_in_words(exponent, layout.raised) : ""});
  }
  if (layout.every > 1) return;
  for (int digit = 2; digit <= 9; ++digit) {
    const double value = digit * power(exponent);
    if (!layout.shows(value)) continue;
    const bool labelled = layout.multiples && (digit == 2 || digit == 5);
    ticks.push_back({value, labelled ? multiple_in_words(digit, exponent, layout.raised) : ""});
  }
}

}  // namespace

std::vector<Tick> log_ticks(double from, double to, bool raised) {
  const double low = std::log10(from), high = std::log10(to), decades = high - low;
  const Layout layout{from, to, std::max(1, static_cast<int>(std::ceil(decades / most_labels))), decades < 3, raised};
  std::vector<Tick> ticks;
  for (int exponent = static_cast<int>(std::floor(low)); exponent <= static_cast<int>(std::ceil(high)); ++exponent) {
    add_decade(ticks, exponent, layout);
  }
  return ticks;
}

std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log) {
  std::optional<std::pair<double, double>> range;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    if (!range) range = {value, value};
    range = {std::min(range->first, value), std::max(range->second, value)};
  }
  return range;
}

std::pair<double, double> widened(std::pair<double, double> range) {
  constexpr std::array<double, 4> upwards{1, 2, 5, 10}, downwards{10, 5, 2, 1};
  const double low = power(static_cast<int>(std::floor(std::log10(range.first))));
  const double high = power(static_cast<int>(std::floor(std::log10(range.second))));
  double from = low, to = 10 * high;
  for (const double digit : upwards) {
    if (digit * low <= range.first) from = digit * low;
  }
  for (const double digit : downwards) {
    if (digit * high >= range.second) to = digit * high;
  }
  return from < to ? std::pair(from, to) : std::pair(from / 2, to * 2);
}

}  // namespace renyi::cli::plot
