// Pairs of densities, by quadrature (docs/math/divergences.md, "Densities").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "divergence/density/landmarks.h"
#include "divergence/density/line.h"
#include "divergence/density/quadrature.h"
#include "divergence/extended.h"
#include "divergence/pair.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {
namespace divergence_detail {

namespace model_file {
namespace {

using numerics::exp_remainder;

// The integrands, computed from two log-densities together with their rounding errors.

constexpr double nothing = -INFINITY;

// Returns [exp(zl) - 1]/z times p.
double grown(double p, double log_p, double z, double l, double scale) {
  if (z == 0) return p * l;
  return std::abs(z * l) < 1 ? p * std::expm1(z * l) / z : (std::exp(log_p + z * l - scale) - p) / z;
}

double centred(const LogPair& at, double z, double l, double scale) {
  const double p = std::exp(at.p - scale);
  if (std::abs(l) > 0.5) return grown(p, at.p, z, l, scale) + (std::exp(at.q - scale) - p);
  if (std::abs(z * l) > 300) return grown(p, at.p, z, l, scale) + p * std::expm1(-l);
  return p * ((z == 0 ? 0 : exp_remainder(z * l) / z) + exp_remainder(-l));
}

// Returns the integrand where only one distribution has mass: q, or -(1+z)/z p, which is finite only for z < 0.
Sample lone_sample(const LogPair& at, double z, double scale) {
  if (at.p == nothing) return {std::exp(at.q - scale), std::exp(at.q - scale) * rounding_of(at.q)};
  // Whether P has mass here must be decided from p itself: next to a high peak exp(at.p - scale) underflows.
  if (std::exp(at.p) == 0) return {};
  if (z >= 0) return {INFINITY, 0};
  const double p = std::exp(at.p - scale);
  return {-(1 + z) / z * p, -(1 + z) / z * p * rounding_of(at.p)};
}

// a ln p + (1 - a) ln q with a = 1 + z: the logarithm of the integrand of the moment.
double tilted(const LogPair& at, double z) {
  if (at.p == nothing || at.q == nothing) return nothing;
  return at.p + z * at.loss();
}

// Returns p itself.
Sample mass_sample(double log_density) {
  if (log_density == nothing) return {};
  const double p = std::exp(log_density);
  return {p, p * rounding_of(log_density)};
}

// exp(-scale) p [R(zl) + z R(-l)] / z: the centred integrand, >= 0; infinite where P has mass that Q lacks and z >= 0.
Sample centred_sample(const LogPair& at, double z, double scale) {
  if (at.p == nothing && at.q == nothing) return {};
  if (at.p == nothing || at.q == nothing) return lone_sample(at, z, scale);
  const double l = at.loss(), value = std::max(0.0, centred(at, z, l, scale));
  if (!std::isfinite(value)) throw NotConverged("an integrand overflows: the order is too large for these densities");
  const double p = std::exp(at.p - scale), q = std::exp(at.q - scale), of_p = rounding_of(at.p),
               of_q = rounding_of(at.q);
  // The derivatives with respect to ln p and ln q are (1+z) (p exp(zl) - p)/z and q - p exp(zl).
  const double by_p = (1 + z) * std::abs(grown(p, at.p, z, l, scale)),
               by_q = std::abs(q - std::exp(tilted(at, z) - scale));
  // Where both derivatives vanish, the error is the square of a small error.
  const double off = std::min(0.01, at.knows_loss() ? at.loss_rounding : of_p + of_q);
  const double square = off * off * (1 + std::abs(z)) * std::max(p, q);
  // The error in terms of ln q and the loss: the value is q times a function of the loss.
  if (at.knows_loss()) return {value, of_q * value + (by_p == 0 ? 0 : at.loss_rounding * by_p) + square};
  const double noise = (by_p == 0 ? 0 : of_p * by_p) + (by_q == 0 ? 0 : of_q * by_q) + square;
  return {value, noise};
}

// exp(-scale) p exp(zl)
Sample moment_sample(const LogPair& at, double z, double scale) {
  const double exponent = tilted(at, z);
  if (exponent == nothing) return {};
  const double value = std::exp(exponent - scale);
  if (value == 0) return {};
  return {value, value * ((1 + std::abs(z)) * rounding_of(at.p) + std::abs(z) * rounding_of(at.q))};
}

// max(0, p - exp(epsilon) q)
Sample excess_sample(const LogPair& at, double epsilon) {
  if (at.p == nothing) return {};
  const double p = std::exp(at.p), of_p = rounding_of(at.p);
  if (at.q == nothing) return {p, p * of_p};
  const double excess = at.loss() - epsilon;
  if (!(excess > 0)) return {};
  const double value = -p * std::expm1(-excess);
  return {value, value * of_p + (p - value) * (of_p + rounding_of(at.q))};
}

// Integrals over the whole line, including what lies beyond the break points and an error estimate.

constexpr double defect_allowed = 1e-8;
// The rounding of points far from 0, in units of the width, makes the check itself uncertain; that is included in the
// error.
constexpr double uncertainty_allowed = 1e-6;

// Beyond the last break point the integrand may fall only like a power of the distance.
long double beyond(const Integrand& f, const std::vector<double>& breaks, const Line& line) {
  const std::size_t n = breaks.size();
  long double rest = 0;
  if (std::isinf(line.lower())) rest += std::abs(f(breaks[0]).value) * (breaks[1] - breaks[0]);
  if (std::isinf(line.upper())) rest += std::abs(f(breaks[n - 1]).value) * (breaks[n - 1] - breaks[n - 2]);
  return 128 * rest;
}

// Throws NotConverged if the error is small neither relative to the value nor absolutely.
Integral integral_over_line(const Integrand& f, const std::vector<double>& breaks, const Line& line) {
  if (breaks.size() < 2) return {};
  Integral result = integrate(f, breaks);
  if (!result.infinite) result.error += beyond(f, breaks, line);
  constexpr long double relative = 1e-3L, absolute = 1e-9L;
  const bool good = result.error <= relative * std::abs(result.value) || result.error <= absolute;
  if (!result.infinite && !good) {
    throw NotConverged(
        fmt::format("the quadrature reached only {:.3g} with an error of {:.1g}", result.value, result.error));
  }
  return result;
}

// Returns how far from 1 a density integrates to, including the error of the integration. Throws InvalidArgument naming
// `field` when that is more than 1e-8, NotConverged when it cannot be decided.
double checked_defect(const char* field, const Line& line, const std::vector<double>& breaks, double LogPair::*member) {
  const Integral mass = integral_over_line([&](double x) { return mass_sample(line.at(x).*member); }, breaks, line);
  const long double defect = std::abs(mass.value - 1);
  if (defect > defect_allowed + mass.error) {
    throw InvalidArgument(field, fmt::format("a density that integrates to {:.10g}", mass.value),
                          "1 within 1e-8 (name `points` where mass lies if peaks were missed)");
  }
  if (!(mass.error <= uncertainty_allowed)) {
    throw NotConverged(
        fmt::format("{} integrates to {:.10g}, known only within {:.1g}", field, mass.value, mass.error));
  }
  return static_cast<double>(defect + mass.error);
}

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

// Returns the logarithm of the integrand far out: of p exp(zl), or of p |l| for Kullback-Leibler.
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
    // A short interval where both distributions have density may be missed by the scan for peaks, but not by the
    // quadrature.
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
    // The densities integrate to 1 + defect: P(S) and exp(epsilon) Q(S) <= P(S) have that relative error.
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

  // The mixture has its peaks where P and Q have theirs.
  DensityModel(const DensityModel& other, double rate)
      : line_(other.line_.mixed(rate)),
        landmarks_(other.landmarks_),
        breaks_(other.breaks_),
        p_defect_((1 - rate) * other.q_defect_ + rate * other.p_defect_),
        q_defect_(other.q_defect_) {}

  // If P = 1 + h and Q = 1 + k instead of 1, the relative error of the centred moment is a h + |z| k to first order,
  // and it has an error of squares of h and k: docs/math/divergences.md.
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

  // For distributions that hardly overlap (orders below 1) the moment is near 0 and needs no centring.
  Bounded by_moment(double z, double height, const std::vector<double>& breaks) const {
    const Integral m =
        integral_over_line([&](double x) { return moment_sample(line_.at(x), z, height); }, breaks, line_);
    if (m.value == 0 && m.error == 0) return exactly(infinity);
    if (m.error >= m.value) return unknown_finiteness(0);
    // ln m has an error of at most -ln(1 - error/m).
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
}  // namespace model_file
}  // namespace divergence_detail

DistributionPair DistributionPair::densities(LogDensities densities) {
  using namespace divergence_detail;
  return DistributionPair(std::make_shared<model_file::DensityModel>(Line(std::move(densities))));
}

}  // namespace renyi
