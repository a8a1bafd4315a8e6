#include "divergence/density/ends.h"

#include <cmath>
#include <limits>
#include <vector>

#include "renyi/error.h"

namespace renyi::divergence_detail {
namespace {

constexpr int most_steps = 300;
constexpr std::size_t window = 8;  // doublings looked at
constexpr int long_watch = 20;
constexpr double level = -1e-6;       // a change per doubling that counts as no fall
constexpr double clear_fall = -0.02;  // 1,000 doublings gain a factor of 1e-9

// The logarithm of the mass between neighbouring distances, while it can be told from rounding.
class Trend {
 public:
  // False when nothing further can be learned.
  bool note(double height, double rounding, double log_distance) {
    if (height == -INFINITY) {
      // No mass: the support ends here. What rose before says nothing of what lies further out, if anything does.
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
    // A rise that rounding cuts short may be one to a peak further out, unless it was watched for long.
    if (change > level && cut_short_ && exact_ < long_watch) {
      throw NotConverged("rounding hides the tails of the densities at this order");
    }
    if (change > level) return true;
    // Mass that has all but vanished needs no clear fall.
    if (change > clear_fall && masses_.back() > -50) {
      throw NotConverged("the tail of the densities falls too slowly to tell a finite divergence from an infinite one");
    }
    return false;
  }

 private:
  std::vector<double> masses_;
  int exact_ = 0;  // how many were known to a tenth
  bool cut_short_ = false;
};

// Points centre + sign * step, the step multiplied by `factor` each time.
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

bool diverges_at_the_ends(const Line& line, const Landmarks& landmarks, const Profile& profile,
                          const Profile& rounding) {
  if (landmarks.peaks.empty()) return false;
  const Peak &first = landmarks.peaks.front(), &last = landmarks.peaks.back();
  const auto side = [&](double end, const Peak& peak, int outwards) {
    if (std::isinf(end)) return diverges_along(line, profile, rounding, peak.at, outwards, peak.width, 2);
    return diverges_along(line, profile, rounding, end, -outwards, std::abs(peak.at - end) + peak.width, 0.5);
  };
  return side(line.lower(), first, -1) || side(line.upper(), last, 1);
}

}  // namespace renyi::divergence_detail
