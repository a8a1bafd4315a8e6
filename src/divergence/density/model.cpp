// Pairs of densities, by quadrature (docs/math/divergences.md, "Densities").
#include <algorithm>
#include <cmath>

#include "divergence/density/breaks.h"
#include "divergence/density/ends.h"
#include "divergence/density/integrands.h"
#include "divergence/density/landmarks.h"
#include "divergence/density/whole_line.h"
#include "divergence/extended.h"
#include "divergence/pair_model.h"
#include "renyi/error.h"

namespace renyi {
namespace divergence_detail {
namespace {

// Integrands with a larger logarithm are scaled down.
constexpr double large_height = 500;

double log_p_of(const LogPair& at) { return at.p; }
double log_q_of(const LogPair& at) { return at.q; }
const std::vector<Profile>& both_laws() {
  static const std::vector<Profile> profiles{log_p_of, log_q_of};
  return profiles;
}

Landmarks merged(Landmarks a, const Landmarks& b) {
  a.peaks.insert(a.peaks.end(), b.peaks.begin(), b.peaks.end());
  std::sort(a.peaks.begin(), a.peaks.end(), [](const Peak& x, const Peak& y) { return x.at < y.at; });
  a.edges.insert(a.edges.end(), b.edges.begin(), b.edges.end());
  return a;
}

double highest(const Landmarks& landmarks) {
  double most = -infinity;
  for (const Peak& peak : landmarks.peaks) most = std::max(most, peak.height);
  return most;
}

// The logarithm of the integrand far out: of p exp(zl), or of p |l| for Kullback-Leibler.
Profile size_in_tails(double z) {
  if (z > 0) return [z](const LogPair& at) { return tilted(at, z); };
  return [](const LogPair& at) {
    const bool both = at.p > -infinity && at.q > -infinity;
    return both ? at.p + std::log1p(std::abs(at.loss())) : -infinity;
  };
}

Profile rounding_in_tails(double z) {
  return [z](const LogPair& at) { return (1 + z) * rounding_of(at.p) + z * rounding_of(at.q); };
}

class DensityModel final : public PairModel {
 public:
  explicit DensityModel(Line line)
      : line_(std::move(line)),
        landmarks_(find_landmarks(line_, both_laws())),
        breaks_(break_points(line_, landmarks_, both_laws())),
        p_defect_(checked_defect("log_p", line_, breaks_, &LogPair::p)),
        q_defect_(checked_defect("log_q", line_, breaks_, &LogPair::q)) {}

  Bounded renyi(double z) const override {
    if (std::isinf(z)) {
      throw Unsupported("order", "order infinity of two densities is a supremum, and a search proves no upper bound",
                        "ask for a large finite order (each is a lower bound on it), or use a closed-form family");
    }
    const Profile tilt = [z](const LogPair& at) { return tilted(at, z); };
    const Landmarks tilt_marks = z == 0 ? Landmarks{} : find_landmarks(line_, {tilt});
    const Landmarks marks = merged(landmarks_, tilt_marks);
    if (z >= 0 && diverges_at_the_ends(line_, landmarks_, size_in_tails(z), rounding_in_tails(z)))
      return exactly(infinity);
    const auto breaks = break_points(line_, marks, {log_p_of, log_q_of, tilt});
    // A short stretch where both laws have density is met by the quadrature, if not by the scan for peaks.
    const double peak = highest(tilt_marks), height = std::isinf(peak) ? 0 : peak;
    const double scale = height > large_height ? height : 0;
    const Integral s =
        integral_over_line([&](double x) { return centred_sample(line_.at(x), z, scale); }, breaks, line_);
    if (s.infinite) return exactly(infinity);
    if (scale == 0 && 1 + z * s.value < 0.25L) return by_moment(z, height, breaks);
    return from_centred(z, scale, s);
  }

  Bounded hockey_stick(double epsilon) const override {
    const auto breaks = with_crossings(line_, breaks_, epsilon);
    const Integral mass =
        integral_over_line([&](double x) { return excess_sample(line_.at(x), epsilon); }, breaks, line_);
    // Laws that integrate to 1 + defect: P(S) and exp(epsilon) Q(S) <= P(S) are off by that share.
    return to_bounded(mass.value, mass.error + p_defect_ + q_defect_);
  }

  std::shared_ptr<const PairModel> swapped() const override {
    return std::shared_ptr<const PairModel>(new DensityModel(*this, Swapped{}));
  }

  std::shared_ptr<const PairModel> mixed(double rate) const override {
    return std::shared_ptr<const PairModel>(new DensityModel(*this, rate));
  }

 private:
  struct Swapped {};
  DensityModel(const DensityModel& other, Swapped /*tag*/)
      : line_(other.line_.swapped()),
        landmarks_(other.landmarks_),
        breaks_(other.breaks_),
        p_defect_(other.q_defect_),
        q_defect_(other.p_defect_) {}

  // Where P and Q have their peaks, so has their mixture.
  DensityModel(const DensityModel& other, double rate)
      : line_(other.line_.mixed(rate)),
        landmarks_(other.landmarks_),
        breaks_(other.breaks_),
        p_defect_((1 - rate) * other.q_defect_ + rate * other.p_defect_),
        q_defect_(other.q_defect_) {}

  // With P = 1 + h, Q = 1 + k instead of 1, the centred moment is off by (a h + |z| k) of itself to first order,
  // and by squares of h and k: docs/math/divergences.md.
  Bounded from_centred(double z, double scale, const Integral& s) const {
    const long double a = 1 + static_cast<long double>(z), small = std::exp(-static_cast<long double>(scale));
    const long double squares =
        static_cast<long double>(p_defect_) * p_defect_ + static_cast<long double>(q_defect_) * q_defect_;
    const long double moment = z * s.value + small;  // exp(-scale) E[exp(zL)]
    const long double of_defects = share_of_defects(z) * std::abs(s.value) + a * squares * moment;
    const long double error = 1.01L * (s.error + of_defects) / moment;
    if (z == 0) return to_bounded(s.value, s.error + of_defects);
    const long double log_moment = scale == 0 ? std::log1p(z * s.value) : scale + std::log(moment);
    return to_bounded(log_moment / z, error + 8 * long_epsilon * std::abs(log_moment / z));
  }

  // For laws that hardly overlap (orders below 1) the moment is near 0 and needs no centring.
  Bounded by_moment(double z, double height, const std::vector<double>& breaks) const {
    const Integral m =
        integral_over_line([&](double x) { return moment_sample(line_.at(x), z, height); }, breaks, line_);
    if (m.value == 0 && m.error == 0) return exactly(infinity);
    if (m.error >= m.value) return unknown_finiteness(0);
    // ln m is off by at most -ln(1 - error/m).
    const long double off = -std::log1p(-m.error / m.value) + share_of_defects(z) + 8 * long_epsilon;
    return to_bounded((height + std::log(m.value)) / z, 1.01L * off / std::abs(static_cast<long double>(z)));
  }

  long double share_of_defects(double z) const {
    return (1 + static_cast<long double>(z)) * p_defect_ + std::abs(static_cast<long double>(z)) * q_defect_;
  }

  Line line_;
  Landmarks landmarks_;
  std::vector<double> breaks_;
  double p_defect_;
  double q_defect_;
};

}  // namespace
}  // namespace divergence_detail

DistributionPair DistributionPair::densities(LogDensities densities) {
  using namespace divergence_detail;
  return DistributionPair(std::make_shared<DensityModel>(Line(std::move(densities))));
}

}  // namespace renyi
