#include "divergence/density/landmarks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::divergence_detail {
namespace landmarks_file {
namespace {

constexpr std::size_t most_peaks = 64;
// Widest and finest distance of the scan, as powers of 2: squares of everything between them stay within double.
constexpr int finest = -80, widest = 300;

using Places = std::vector<double>;

void sort_unique(Places& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

void add_if_inside(Places& places, const Line& line, double x) {
  if (line.contains(x) && std::isfinite(x)) places.push_back(x);
}

// Adds points around a centre, at distances that grow by a factor of 2^(1/per_doubling).
void add_around(Places& places, const Line& line, double centre, double width, int from, int to, int per_doubling) {
  for (int k = from * per_doubling; k <= to * per_doubling; ++k) {
    const double step = width * std::exp2(static_cast<double>(k) / per_doubling);
    add_if_inside(places, line, centre - step);
    add_if_inside(places, line, centre + step);
  }
}

// The points of a first scan: around 0, around the ends of the interval, evenly over a finite one, and around the
// points that the caller gave.
Places first_look(const Line& line) {
  Places places;
  add_if_inside(places, line, 0);
  add_around(places, line, 0, 1, finest, widest, 1);
  const double length = line.upper() - line.lower();
  const double unit = std::isfinite(length) ? length : 1;
  for (const double end : {line.lower(), line.upper()}) {
    if (std::isfinite(end)) add_around(places, line, end, unit, finest, std::isfinite(length) ? 0 : widest, 1);
  }
  if (std::isfinite(length)) {
    for (int i = 1; i < 128; ++i) add_if_inside(places, line, line.lower() + length * i / 128);
  }
  for (const double point : line.points()) {
    add_if_inside(places, line, point);
    add_around(places, line, point, std::max(std::abs(point), 1e-20), -60, 10, 1);
  }
  sort_unique(places);
  return places;
}

class Explorer {
 public:
  Explorer(const Line& line, const std::vector<Profile>& profiles) : line_(line), profiles_(profiles) {}

  Landmarks found;

  // Records the peaks and edges that these points show, and then scans around each new peak.
  void look(const Places& places) {
    std::vector<LogPair> values;
    values.reserve(places.size());
    for (const double x : places) values.push_back(line_.at(x));
    note_edges(places, values);
    for (const Profile& profile : profiles_) note_peaks(profile, places, values);
    while (!fresh_.empty()) {
      stop_if_asked();
      const Peak peak = fresh_.back();
      fresh_.pop_back();
      Places around{peak.at};
      add_around(around, line_, peak.at, peak.width, -2, 24, 2);
      sort_unique(around);
      look(around);
    }
  }

 private:
  double height(const Profile& profile, double x) const { return profile(line_.at(x)); }

  void note_peaks(const Profile& profile, const Places& places, const std::vector<LogPair>& values) {
    const std::size_t n = places.size();
    std::vector<double> h;
    h.reserve(n);
    for (const LogPair& value : values) h.push_back(profile(value));
    for (std::size_t i = 0; i < n; ++i) {
      const bool rises = i == 0 || h[i] >= h[i - 1], falls = i + 1 == n || h[i] > h[i + 1];
      if (!rises || !falls || !std::isfinite(h[i])) continue;
      const double left = i == 0 ? places[i] : places[i - 1], right = i + 1 == n ? places[i] : places[i + 1];
      note_peak(profile, refined(profile, left, right, places[i], h[i]), right - left);
    }
  }

  // Golden-section search; the middle point stays the highest of the three.
  Peak refined(const Profile& profile, double left, double right, double x, double best) const {
    constexpr double golden = 0.3819660112501051;
    for (int i = 0; i < 120; ++i) {
      const bool on_right = right - x > x - left;
      const double next = on_right ? x + golden * (right - x) : x - golden * (x - left);
      if (next <= left || next >= right || next == x) break;
      const double value = height(profile, next);
      if (value > best) {
        (on_right ? left : right) = x;
        x = next;
        best = value;
      } else {
        (on_right ? right : left) = next;
      }
    }
    return {x, best, 0};
  }

  void note_peak(const Profile& profile, Peak peak, double bracket) {
    peak.width = width_at(profile, peak, bracket);
    if (found.peaks.size() >= most_peaks || !(peak.width > 0)) return;
    for (const Peak& known : found.peaks) {
      const double apart = std::abs(known.at - peak.at);
      if (apart <= 1e-3 * std::min(known.width, peak.width)) return;
    }
    found.peaks.push_back(peak);
    fresh_.push_back(peak);
  }

  // Starts from the bracket and halves the width until one side is within 1 of the peak, or doubles it while it stays
  // so.
  double width_at(const Profile& profile, const Peak& peak, double width) const {
    const auto near = [&](double x) { return line_.contains(x) && height(profile, x) > peak.height - 1; };
    if (!(width > 0)) width = std::max(std::abs(peak.at), 1.0);
    for (int i = 0; i < 1200; ++i, width /= 2) {
      stop_if_asked();
      if (peak.at + width == peak.at && peak.at - width == peak.at) return 0;
      if (!near(peak.at + width) && !near(peak.at - width)) continue;
      while (i == 0 && width < std::exp2(widest) && (near(peak.at + 2 * width) || near(peak.at - 2 * width)))
        width *= 2;
      return width;
    }
    return 0;
  }

  void note_edges(const Places& places, const std::vector<LogPair>& values) {
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      for (const auto member : {&LogPair::p, &LogPair::q}) {
        const bool here = values[i].*member > -INFINITY, next = values[i + 1].*member > -INFINITY;
        if (here != next) found.edges.push_back(edge(member, places[i], places[i + 1], here));
      }
    }
  }

  double edge(double LogPair::*member, double left, double right, bool left_has) const {
    for (int i = 0; i < 120; ++i) {
      const double middle = left / 2 + right / 2;
      if (!(middle > left && middle < right)) break;
      ((line_.at(middle).*member > -INFINITY) == left_has ? left : right) = middle;
    }
    return right;
  }

  const Line& line_;
  const std::vector<Profile>& profiles_;
  std::vector<Peak> fresh_;
};

}  // namespace
}  // namespace landmarks_file

Landmarks find_landmarks(const Line& line, const std::vector<Profile>& profiles) {
  landmarks_file::Explorer explorer(line, profiles);
  explorer.look(landmarks_file::first_look(line));
  std::sort(explorer.found.peaks.begin(), explorer.found.peaks.end(),
            [](const Peak& a, const Peak& b) { return a.at < b.at; });
  return std::move(explorer.found);
}

namespace landmarks_file {
namespace {

// Largest distance of the doubling, as a power of 2 of a peak's width.
constexpr int farthest = 300;

// True if the mass of the profiles at this distance is below what exp can represent.
bool has_vanished(const Line& line, const std::vector<Profile>& profiles, double x, double step) {
  const LogPair at = line.at(x);
  return std::all_of(profiles.begin(), profiles.end(),
                     [&](const Profile& profile) { return profile(at) + std::log(step) < -760; });
}

void add_outwards(Places& breaks, const Line& line, const Peak& peak, double reach, int sign,
                  const std::vector<Profile>& profiles) {
  for (double step = peak.width / 4; step < std::exp2(farthest) * peak.width; step *= 2) {
    const double x = peak.at + sign * step;
    if (!line.contains(x) || !std::isfinite(x)) return;
    breaks.push_back(x);
    if (step > reach) return;
    if (std::isinf(reach) && step > peak.width && has_vanished(line, profiles, x, step)) return;
  }
}

}  // namespace
}  // namespace landmarks_file

std::vector<double> break_points(const Line& line, const Landmarks& landmarks, const std::vector<Profile>& profiles) {
  landmarks_file::Places breaks;
  const auto& peaks = landmarks.peaks;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    breaks.push_back(peaks[i].at);
    // The outermost peaks extend to the end of the line; others extend to the next peak.
    const double left = i == 0 ? INFINITY : peaks[i].at - peaks[i - 1].at;
    const double right = i + 1 == peaks.size() ? INFINITY : peaks[i + 1].at - peaks[i].at;
    landmarks_file::add_outwards(breaks, line, peaks[i], left, -1, profiles);
    landmarks_file::add_outwards(breaks, line, peaks[i], right, 1, profiles);
  }
  if (breaks.empty()) return breaks;
  landmarks_file::sort_unique(breaks);
  const double first = breaks.front(), last = breaks.back();
  for (const double edge : landmarks.edges) {
    if (edge > first && edge < last) breaks.push_back(edge);
  }
  breaks.insert(breaks.end(), line.points().begin(), line.points().end());
  for (const double end : {line.lower(), line.upper()}) {
    if (std::isfinite(end)) breaks.push_back(end);
  }
  landmarks_file::sort_unique(breaks);
  return breaks;
}

namespace landmarks_file {
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
}  // namespace landmarks_file

std::vector<double> with_crossings(const Line& line, std::vector<double> breaks, double epsilon) {
  std::vector<double> seen;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    for (const double part : {0.125, 0.375, 0.625, 0.875}) {
      seen.push_back(breaks[i] + part * (breaks[i + 1] - breaks[i]));
    }
  }
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    if (landmarks_file::is_above(line, epsilon, seen[i]) != landmarks_file::is_above(line, epsilon, seen[i + 1])) {
      breaks.push_back(landmarks_file::crossing_between(line, epsilon, seen[i], seen[i + 1]));
    }
  }
  landmarks_file::sort_unique(breaks);
  return breaks;
}

namespace landmarks_file {
namespace {

constexpr int most_steps = 300;
constexpr std::size_t window = 8;  // number of doublings over which the trend is measured
constexpr int long_watch = 20;
constexpr double level = -1e-6;       // a change per doubling that counts as no fall
constexpr double clear_fall = -0.02;  // 1,000 doublings gain a factor of 1e-9

// Collects the logarithm of the mass between neighbouring distances, while it can be distinguished from rounding.
class Trend {
 public:
  // Returns false when nothing further can be learned.
  bool note(double height, double rounding, double log_distance) {
    if (height == -INFINITY) {
      // There is no mass: the support ends here, and an earlier rise gives no information about what lies further out.
      *this = Trend();
      return true;
    }
    if (!std::isfinite(height)) return false;
    if (rounding < 0.1) ++exact_;
    cut_short_ = rounding >= 0.1 && std::abs(height) <= 100 * rounding;
    if (!cut_short_) masses_.push_back(height + log_distance);
    return !cut_short_;
  }

  bool diverges() const {
    if (masses_.size() <= window) return false;
    const double change = (masses_.back() - masses_[masses_.size() - 1 - window]) / static_cast<double>(window);
    // A rise that is lost in rounding may lead to a peak further out, unless it was observed for long.
    if (change > level && cut_short_ && exact_ < long_watch) {
      throw NotConverged("rounding hides the tails of the densities at this order");
    }
    if (change > level) return true;
    // Mass that is negligible needs no clear fall.
    if (change > clear_fall && masses_.back() > -50) {
      throw NotConverged("the tail of the densities falls too slowly to tell a finite divergence from an infinite one");
    }
    return false;
  }

 private:
  std::vector<double> masses_;
  int exact_ = 0;  // number of masses known to a tenth
  bool cut_short_ = false;
};

// Follows the points centre + sign * step, with the step multiplied by `factor` each time.
bool diverges_along(const Line& line, const Profile& profile, const Profile& rounding, double centre, int sign,
                    double step, double factor) {
  Trend trend;
  for (int i = 0; i < most_steps; ++i, step *= factor) {
    const double x = centre + sign * step;
    if (!line.contains(x) || !std::isfinite(x) || x == centre) break;
    const LogPair at = line.at(x);
    if (!trend.note(profile(at), rounding(at), std::log(step))) break;
  }
  return trend.diverges();
}

}  // namespace
}  // namespace landmarks_file

bool diverges_at_the_ends(const Line& line, const Landmarks& landmarks, const Profile& profile,
                          const Profile& rounding) {
  if (landmarks.peaks.empty()) return false;
  const Peak &first = landmarks.peaks.front(), &last = landmarks.peaks.back();
  const auto side = [&](double end, const Peak& peak, int outwards) {
    if (std::isinf(end))
      return landmarks_file::diverges_along(line, profile, rounding, peak.at, outwards, peak.width, 2);
    return landmarks_file::diverges_along(line, profile, rounding, end, -outwards, std::abs(peak.at - end) + peak.width,
                                          0.5);
  };
  return side(line.lower(), first, -1) || side(line.upper(), last, 1);
}

}  // namespace renyi::divergence_detail
