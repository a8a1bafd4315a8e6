#include "divergence/density/landmarks.h"

#include <algorithm>
#include <cmath>

namespace renyi::divergence_detail {
namespace {

constexpr std::size_t most_peaks = 64;
// The widest and the finest look, as powers of 2: squares of what lies between stay within double.
constexpr int finest = -80, widest = 300;

using Places = std::vector<double>;

void sort_unique(Places& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

void add_if_inside(Places& places, const Line& line, double x) {
  if (line.contains(x) && std::isfinite(x)) places.push_back(x);
}

// Around a point, in steps that grow by `per_doubling` roots of 2.
void add_around(Places& places, const Line& line, double centre, double width, int from, int to, int per_doubling) {
  for (int k = from * per_doubling; k <= to * per_doubling; ++k) {
    const double step = width * std::exp2(static_cast<double>(k) / per_doubling);
    add_if_inside(places, line, centre - step);
    add_if_inside(places, line, centre + step);
  }
}

// A first look: around 0, around the ends of the interval, evenly over a finite one, around what the caller named.
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

  // Takes note of the peaks and edges that these places show. New peaks are looked around in turn.
  void look(const Places& places) {
    std::vector<LogPair> values;
    values.reserve(places.size());
    for (const double x : places) values.push_back(line_.at(x));
    note_edges(places, values);
    for (const Profile& profile : profiles_) note_peaks(profile, places, values);
    while (!fresh_.empty()) {
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

  // Golden-section search; the middle stays the highest of the three.
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

  // Halved from the bracket until one side is within 1 of the peak, or doubled while it stays so.
  double width_at(const Profile& profile, const Peak& peak, double width) const {
    const auto near = [&](double x) { return line_.contains(x) && height(profile, x) > peak.height - 1; };
    if (!(width > 0)) width = std::max(std::abs(peak.at), 1.0);
    for (int i = 0; i < 1200; ++i, width /= 2) {
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

Landmarks find_landmarks(const Line& line, const std::vector<Profile>& profiles) {
  Explorer explorer(line, profiles);
  explorer.look(first_look(line));
  std::sort(explorer.found.peaks.begin(), explorer.found.peaks.end(),
            [](const Peak& a, const Peak& b) { return a.at < b.at; });
  return std::move(explorer.found);
}

}  // namespace renyi::divergence_detail
