#include "divergence/density/breaks.h"

#include <algorithm>
#include <cmath>

namespace renyi::divergence_detail {
namespace {

using Places = std::vector<double>;

// How far the doubling goes, as a power of 2 of a peak's width.
constexpr int widest = 300;

// The profiles' mass so far out: below what exp can hold.
bool has_vanished(const Line& line, const std::vector<Profile>& profiles, double x, double step) {
  const LogPair at = line.at(x);
  return std::all_of(profiles.begin(), profiles.end(),
                     [&](const Profile& profile) { return profile(at) + std::log(step) < -760; });
}

void add_outwards(Places& breaks, const Line& line, const Peak& peak, double reach, int sign,
                  const std::vector<Profile>& profiles) {
  for (double step = peak.width / 4; step < std::exp2(widest) * peak.width; step *= 2) {
    const double x = peak.at + sign * step;
    if (!line.contains(x) || !std::isfinite(x)) return;
    breaks.push_back(x);
    if (step > reach) return;
    if (std::isinf(reach) && step > peak.width && has_vanished(line, profiles, x, step)) return;
  }
}

void sort_unique(Places& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

std::vector<double> break_points(const Line& line, const Landmarks& landmarks, const std::vector<Profile>& profiles) {
  Places breaks;
  const auto& peaks = landmarks.peaks;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    breaks.push_back(peaks[i].at);
    // The outermost peaks go all the way; others as far as the next one.
    const double left = i == 0 ? INFINITY : peaks[i].at - peaks[i - 1].at;
    const double right = i + 1 == peaks.size() ? INFINITY : peaks[i + 1].at - peaks[i].at;
    add_outwards(breaks, line, peaks[i], left, -1, profiles);
    add_outwards(breaks, line, peaks[i], right, 1, profiles);
  }
  if (breaks.empty()) return breaks;
  sort_unique(breaks);
  const double first = breaks.front(), last = breaks.back();
  for (const double edge : landmarks.edges) {
    if (edge > first && edge < last) breaks.push_back(edge);
  }
  breaks.insert(breaks.end(), line.points().begin(), line.points().end());
  for (const double end : {line.lower(), line.upper()}) {
    if (std::isfinite(end)) breaks.push_back(end);
  }
  sort_unique(breaks);
  return breaks;
}

namespace {

bool is_above(const Line& line, double epsilon, double x) {
  const LogPair at = line.at(x);
  return at.p > -INFINITY && at.loss() > epsilon;
}

double crossing_between(const Line& line, double epsilon, double low, double high) {
  const bool low_above = is_above(line, epsilon, low);
  for (double middle = low / 2 + high / 2; middle > low && middle < high; middle = low / 2 + high / 2) {
    (is_above(line, epsilon, middle) == low_above ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<double> with_crossings(const Line& line, std::vector<double> breaks, double epsilon) {
  std::vector<double> seen;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    for (const double part : {0.125, 0.375, 0.625, 0.875}) {
      seen.push_back(breaks[i] + part * (breaks[i + 1] - breaks[i]));
    }
  }
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    if (is_above(line, epsilon, seen[i]) != is_above(line, epsilon, seen[i + 1])) {
      breaks.push_back(crossing_between(line, epsilon, seen[i], seen[i + 1]));
    }
  }
  sort_unique(breaks);
  return breaks;
}

}  // namespace renyi::divergence_detail
