#include "certify/exact/operating_point.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/mechanism/closed_form.h"
#include "certify/random_allocation/estimate.h"
#include "certify/sampled_gaussian/shape.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace operating_point_file {
namespace {

struct Atom {
  double log_mass = 0;  // under P
  double loss = 0;
};
using Atoms = std::vector<Atom>;

// The half width of the integration windows, in units of the noise, around each point where the tilted distribution has
// mass.
constexpr double half_window = 12;

// Computes exp(cl) - 1 + c (exp(-l) - 1), and below its derivative by c: E_P[exp(-L)] = 1, so K = log1p of the mean of
// the first.
double excess(double c, double l) {
  if (std::abs(l) * (1 + c) > 1e-3) return std::expm1(c * l) + c * std::expm1(-l);
  const double c2 = c * c;
  return l * l * ((c2 + c) / 2 + l * ((c2 * c - c) / 6 + l * (c2 * c2 + c) / 24));
}
double excess_slope(double c, double l) {
  if (std::abs(l) * (1 + c) > 1e-3) return l * std::exp(c * l) + std::expm1(-l);
  return l * l * (c + 0.5 + l * (c * c / 2 - 1.0 / 6));
}

Estimate of_atoms(const Atoms& atoms, double c) {
  double top = -HUGE_VAL;
  double centred = 0;
  double centred_slope = 0;
  for (const Atom& atom : atoms) {
    top = std::max(top, atom.log_mass + c * atom.loss);
    centred += std::exp(atom.log_mass) * excess(c, atom.loss);
    centred_slope += std::exp(atom.log_mass) * excess_slope(c, atom.loss);
  }
  double mass = 0;
  double first = 0;
  for (const Atom& atom : atoms) {
    const double tilted = std::exp(atom.log_mass + c * atom.loss - top);
    mass += tilted;
    first += tilted * atom.loss;
  }
  const bool small = centred < 0.5;
  Estimate result;
  result.value = small ? std::log1p(centred) : top + std::log(mass);
  result.slope = small ? centred_slope / (1 + centred) : first / mass;
  for (const Atom& atom : atoms) {
    const double off = atom.loss - result.slope;
    result.curvature += std::exp(atom.log_mass + c * atom.loss - top) / mass * off * off;
  }
  return result;
}

void add_window(Atoms& atoms, const SampledGaussian& m, Direction direction, double from, double to) {
  const double s = m.noise_multiplier;
  const double step = std::min(s / 4, std::numbers::pi * s * s / 6);
  const double log_weight = std::log(step / s) - std::log(2 * std::numbers::pi) / 2;
  for (double x = step * std::ceil(from / step); x < to; x += step) {
    stop_if_asked();
    const double log_mass = log_weight - x * x / (2 * s * s);
    const double loss = loss_about(m, x);
    atoms.push_back(direction == Direction::remove ? Atom{log_mass + loss, loss} : Atom{log_mass, -loss});
  }
}

Atoms atoms_of(const SampledGaussian& m, Direction direction, double c) {
  const double reach = half_window * m.noise_multiplier;
  Atoms atoms;
  if (direction == Direction::add) {
    const double peak = highest_peak(m, -c);
    add_window(atoms, m, direction, std::min(peak, 0.0) - reach, peak + reach);
    return atoms;
  }
  const double low = lowest_peak(m, 1 + c);
  const double high = highest_peak(m, 1 + c);
  const double middle = std::max(low + reach, high - reach);
  add_window(atoms, m, direction, std::max(-reach, low - 3 * reach), low + reach);
  add_window(atoms, m, direction, middle, high + reach);
  return atoms;
}

// The loss is e with probability 1/2, -e with exp(-e)/2, and e - 2t with density exp(-t)/2 for t in (0, e).
Atoms atoms_of(const Laplace& laplace) {
  constexpr int cells = 200;
  const double e = laplace.l1_sensitivity / laplace.scale;
  Atoms atoms{{-std::numbers::ln2, e}, {-std::numbers::ln2 - e, -e}};
  for (int i = 0; i < cells; ++i) {
    stop_if_asked();
    const double t = e * (i + 0.5) / cells;
    atoms.push_back({-t + std::log(e / cells / 2), e - 2 * t});
  }
  return atoms;
}

Atoms atoms_of(const TwoSided& law) {
  const double loss = law.loss.about();
  Atoms atoms{{log(law.high).about(), loss}, {log(law.low).about(), -loss}};
  if (law.rest.about() > 0) atoms.push_back({log(law.rest).about(), 0});
  return atoms;
}

}  // namespace
}  // namespace operating_point_file

Estimate estimate_log_moment(const Mechanism& mechanism, Direction direction, double c) {
  const Precision enough(64);
  if (is_trivial(mechanism)) return {};
  if (const auto rate = gaussian_rate(mechanism)) {
    const double half = rate->about();
    return {half * c * (c + 1), half * (2 * c + 1), 2 * half};
  }
  if (const auto epoch = allocated_gaussian(mechanism)) return estimate_log_moment(*epoch, direction, c);
  if (const auto sampled = mechanism.get_if<SampledGaussian>())
    return operating_point_file::of_atoms(operating_point_file::atoms_of(*sampled, direction, c), c);
  if (const auto laplace = mechanism.get_if<Laplace>())
    return operating_point_file::of_atoms(operating_point_file::atoms_of(*laplace), c);
  if (const auto law = two_sided(mechanism))
    return operating_point_file::of_atoms(operating_point_file::atoms_of(*law), c);
  return {};
}

Estimate estimate_log_moment(const Steps& steps, Direction direction, double c) {
  Estimate total;
  for (const CountedMechanism& step : steps) {
    const Estimate one = estimate_log_moment(step.mechanism, direction, c);
    const auto count = static_cast<double>(step.count);
    total.value += count * one.value;
    total.slope += count * one.slope;
    total.curvature += count * one.curvature;
  }
  return total;
}

namespace operating_point_file {
namespace {

// The operating point is the saddle point of the contour, found by bisection on logarithms.

constexpr double smallest_saddle = 1e-9, largest_saddle = 1e9;

// Finds the point at which the predicate changes from true to false, on a logarithmic scale.
template <class Before>
double last_before(const Before& before) {
  double low = std::log(smallest_saddle);
  double high = std::log(largest_saddle);
  for (int i = 0; i < 48; ++i) {
    stop_if_asked();
    const double middle = (low + high) / 2;
    (before(std::exp(middle)) ? low : high) = middle;
  }
  return std::exp(low);
}

// K'(c) = epsilon + 1/c + 1/(c+1) at the saddle.
double epsilon_at(const Estimate& k, double c) { return k.slope - 1 / c - 1 / (c + 1); }

// Returns ln of the saddle-point approximation of delta.
double log_delta_at(const Estimate& k, double c, double epsilon) {
  const double width = k.curvature + 1 / (c * c) + 1 / ((c + 1) * (c + 1));
  return std::min(0.0,
                  k.value - c * epsilon - std::log(c) - std::log1p(c) - std::log(2 * std::numbers::pi * width) / 2);
}

}  // namespace
}  // namespace operating_point_file

OperatingPoint place_of_epsilon(const Steps& steps, Direction direction, double epsilon) {
  const double c = operating_point_file::last_before([&](double z) {
    return operating_point_file::epsilon_at(estimate_log_moment(steps, direction, z), z) < epsilon;
  });
  return {epsilon, c, operating_point_file::log_delta_at(estimate_log_moment(steps, direction, c), c, epsilon)};
}

OperatingPoint place_of_delta(const Steps& steps, Direction direction, double delta) {
  const double wanted = std::log(delta);
  const auto found = [&](double c) {
    const Estimate k = estimate_log_moment(steps, direction, c);
    const double epsilon = operating_point_file::epsilon_at(k, c);
    return OperatingPoint{epsilon, c, operating_point_file::log_delta_at(k, c, epsilon)};
  };
  const OperatingPoint operating_point =
      found(operating_point_file::last_before([&](double c) { return found(c).log_delta > wanted; }));
  return operating_point.epsilon > 0 ? operating_point : place_of_epsilon(steps, direction, 0);
}

}  // namespace renyi::certify
