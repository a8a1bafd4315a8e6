#include "mechanism/monotone/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "divergence/density/kronrod.h"
#include "mechanism/monotone/cover.h"
#include "mechanism/monotone/monotone_pair.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::monotone {

using numerics::exp_remainder;
using numerics::unit_roundoff;

namespace moments_file {
namespace {

// Integrals over the panels of a cover: the (10, 21) Gauss-Kronrod rule, panels halved until both rules agree
// (docs/math/sampled-pairs.md, "Error estimate").

// Several integrands at one point. `size` is at least the modulus of each, up to its own scale: errors are relative to
// it. `noise` is the rounding error of size.
template <std::size_t n>
struct Terms {
  std::array<double, n> value{};
  std::array<double, n> size{};
  double noise = 0;  // relative error of every size
};

template <std::size_t n>
struct Integrals {
  std::array<double, n> value{};
  std::array<double, n> size{};
  std::array<double, n> error{};  // absolute
};

constexpr int most_rounds = 12;
constexpr std::size_t most_quadratures = 1 << 16;

template <std::size_t n>
struct PanelIntegrals {
  Panel panel{};
  Integrals<n> sum{};
  std::array<double, n> from_rule{};  // part of the error that comes from the quadrature rule
};

template <std::size_t n, class Integrand>
PanelIntegrals<n> integrate_panel(const MonotonePair& pair, const Panel& panel, const Integrand& integrand) {
  const double middle = 0.5 * (panel.left + panel.right), half = 0.5 * (panel.right - panel.left);
  PanelIntegrals<n> result{panel};
  std::array<double, n> embedded{};
  for (const auto& node : divergence_detail::kronrod_nodes()) {
    const Terms<n> terms = integrand(pair.at(middle + half * node.at));
    const double weight = half * node.weight, embedded_weight = half * node.embedded_weight;
    for (std::size_t i = 0; i < n; ++i) {
      result.sum.value[i] += weight * terms.value[i];
      result.sum.size[i] += weight * terms.size[i];
      result.sum.error[i] += weight * terms.size[i] * (terms.noise + 32 * unit_roundoff);
      embedded[i] += embedded_weight * terms.value[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    // The error of the rule of 21 points is less than the power 3/2 of that of the rule of 10 points (Piessens et al.
    // 1983, QUADPACK).
    const double apart = std::abs(result.sum.value[i] - embedded[i]), size = result.sum.size[i];
    const double share = size > 0 ? 200 * apart / size : 0;
    result.from_rule[i] = std::min(apart, size * share * std::sqrt(share));
    result.sum.error[i] += result.from_rule[i];
  }
  return result;
}

// At most this share of an integral lies outside its cover.
constexpr double left_out = 1e-15;

// `tolerance` is that of each integral relative to its size.
template <std::size_t n, class Integrand>
Integrals<n> integrate(const MonotonePair& pair, const std::vector<Panel>& panels, const Integrand& integrand,
                       double tolerance) {
  std::vector<PanelIntegrals<n>> parts;
  parts.reserve(panels.size());
  for (const Panel& panel : panels) {
    stop_if_asked();
    parts.push_back(integrate_panel<n>(pair, panel, integrand));
  }
  Integrals<n> total;
  for (int round = 0;; ++round) {
    total = {};
    for (const auto& part : parts) {
      for (std::size_t i = 0; i < n; ++i) {
        total.value[i] += part.sum.value[i];
        total.size[i] += part.sum.size[i];
        total.error[i] += part.sum.error[i];
      }
    }
    const std::size_t count = parts.size();
    const double share = tolerance / static_cast<double>(count);
    if (round == most_rounds || count > most_quadratures) break;
    for (std::size_t k = 0; k < count; ++k) {
      const auto part = parts[k];
      const auto too_far = [&](std::size_t i) {
        const double rounding = part.sum.error[i] - part.from_rule[i];
        return part.from_rule[i] > share * total.size[i] && part.from_rule[i] > rounding;
      };
      bool split = false;
      for (std::size_t i = 0; i < n; ++i) split = split || too_far(i);
      const double middle = 0.5 * (part.panel.left + part.panel.right);
      if (!split || !(middle > part.panel.left && middle < part.panel.right)) continue;
      stop_if_asked();
      parts[k] = integrate_panel<n>(pair, {part.panel.left, middle}, integrand);
      parts.push_back(integrate_panel<n>(pair, {middle, part.panel.right}, integrand));
    }
    if (parts.size() == count) break;
  }
  // This is the error of the additions, and of what the cover omits.
  const double rest = static_cast<double>(parts.size()) * unit_roundoff + left_out;
  for (std::size_t i = 0; i < n; ++i) total.error[i] += rest * total.size[i];
  return total;
}

// The points of a pair as atoms of the loss. The direction decides under which of P and Q the loss is taken.

// The mass exp(log_mass) at loss L, under the distribution that the loss is taken under.
struct Atom {
  double log_mass = 0;
  double loss = 0;
  double log_other = 0;  // log_mass - loss: ln of the mass under the other distribution
};

Atom removed(const PairPoint& point) { return {point.log_p, point.loss, point.log_q}; }
Atom added(const PairPoint& point) { return {point.log_q, -point.loss, point.log_p}; }

// Calls `term` with the atoms of one point.
template <class Term>
void for_atoms(const PairPoint& point, Reading reading, Direction direction, Side side, const Term& term) {
  const bool both = reading == Reading::symmetric;
  if (side != Side::falling && (both || direction == Direction::remove)) term(removed(point));
  if (side != Side::rising && (both || direction == Direction::add)) term(added(point));
}

// For losses beyond this, exp of the loss is not multiplied by masses.
constexpr double large_loss = 40;

// Returns the relative error of terms |r^p - 1 - p (r - 1)|: from the loss, with which their logarithm changes by 2/|l|
// and at most as their exponential does, from the densities that count, and from their own exponents.
double term_noise(const PairPoint& point, std::complex<double> power) {
  const double size = std::abs(point.loss), near = size < large_loss ? 1 : 0;
  const double p = point.loss > -large_loss ? point.log_p_error : 0;
  const double q = point.loss < large_loss ? point.log_q_error : 0;
  const double tilt =
      near + std::abs(power.imag()) + (point.loss > 0 ? std::max(0.0, power.real() - 1) : std::max(0.0, -power.real()));
  const double own = std::abs(point.loss > 0 ? point.log_p : point.log_q) + tilt * size + 12;
  const double from_loss = size > 0 ? (tilt + 2 / size) * point.loss_error : 0;
  return std::min(1.0, from_loss + std::max(p, q) + 2 * unit_roundoff * own);
}

// Returns mass R(-L) exp(-shift), where exp(-L) may overflow but the product does not.
double centred(const Atom& atom, double mass, double shift) {
  if (atom.loss > -large_loss) return mass * exp_remainder(-atom.loss);
  return std::exp(atom.log_other - shift) - mass * (1 - atom.loss);
}

// The integrals over a cover, and the two atoms at its ends, which count as points of width 1.
template <std::size_t n, class Integrand>
Integrals<n> with_ends(const MonotonePair& pair, const Cover& cover, const Integrand& integrand, double tolerance) {
  Integrals<n> sum = integrate<n>(pair, cover.panels, integrand, tolerance);
  const auto add = [&](double x, double log_mass) {
    PairPoint point = pair.at(x);
    point.log_q = log_mass;
    point.log_q_error = (4 + 2 * std::abs(log_mass)) * unit_roundoff;
    point.log_p = log_mass + point.loss;
    point.log_p_error = point.log_q_error + 2 * point.loss_error;
    const Terms<n> terms = integrand(point);
    for (std::size_t i = 0; i < n; ++i) {
      sum.value[i] += terms.value[i];
      sum.size[i] += terms.size[i];
      sum.error[i] += terms.size[i] * (terms.noise + 16 * unit_roundoff);
    }
  };
  // Where only positive losses count, the lower atom is not one of them.
  if (pair.has_atom_below() && !pair.is_symmetric()) add(pair.first(), pair.log_mass_below());
  if (pair.has_atom_above()) add(pair.last(), pair.log_mass_above());
  return sum;
}

std::complex<double> power_of(std::complex<double> z, const MonotonePair& pair, Direction direction,
                              Side side = Side::all) {
  if (side == Side::falling) return -z;
  return pair.is_symmetric() || direction == Direction::remove ? z + 1.0 : -z;
}

// Moments are scaled when the largest exponent exceeds this.
constexpr double scale_above = 500;
constexpr double tolerance = 3e-13;
constexpr double coarsest = 1e-10;
// On a vertical line the terms cancel: every digit counts.
constexpr double complex_tolerance = 1e-14;

double shift_of(const Cover& cover) { return cover.peak > scale_above ? cover.peak : 0; }

// Where there is a shift, K is approximately the shift, and errors relative to it count less.
double tolerance_at(double shift) { return std::min(coarsest, tolerance * std::max(1.0, shift)); }

enum RealPart { moment, slope, curvature };

void add_real(const Atom& atom, double z, double shift, Terms<3>& terms) {
  const double mass = std::exp(atom.log_mass - shift), y = z * atom.loss, rest = centred(atom, mass, shift);
  if (y < 1) {
    const double remainder = exp_remainder(y), grown = y > -1 ? remainder + y : std::expm1(y);  // exp(y) - 1
    terms.value[moment] += mass * remainder + z * rest;
    terms.value[slope] += mass * atom.loss * grown + rest;
    terms.value[curvature] += mass * atom.loss * atom.loss * (1 + grown);
  } else {
    const double large = std::exp(atom.log_mass + y - shift);
    terms.value[moment] += large - (mass * (1 + y) - z * rest);
    terms.value[slope] += atom.loss * large - (mass * atom.loss - rest);
    terms.value[curvature] += atom.loss * atom.loss * large;
  }
}

void add_complex(const Atom& atom, std::complex<double> z, double shift, std::complex<double>& sum, double& size) {
  const double mass = std::exp(atom.log_mass - shift), rest = centred(atom, mass, shift);
  const std::complex<double> y = z * atom.loss;
  if (y.real() < 1) {
    const std::complex<double> remainder = exp_remainder(y);
    sum += mass * remainder + z * rest;
    size += mass * std::abs(remainder) + std::abs(z) * rest;
  } else {
    const double large = std::exp(atom.log_mass + y.real() - shift);
    sum += std::polar(large, y.imag()) - (mass * (1.0 + y) - z * rest);
    size += large + mass * (1 + std::abs(y)) + std::abs(z) * rest;
  }
}

}  // namespace
}  // namespace moments_file

RealMoment real_moment(const MonotonePair& pair, double z, Direction direction, Side side) {
  const std::complex<double> power = moments_file::power_of(z, pair, direction, side);
  const Cover where = cover(pair, power);
  const double shift = moments_file::shift_of(where);
  const auto integrand = [&](const PairPoint& point) {
    moments_file::Terms<3> terms;
    moments_file::for_atoms(point, pair.reading(), direction, side,
                            [&](const moments_file::Atom& atom) { moments_file::add_real(atom, z, shift, terms); });
    terms.size = terms.value;
    terms.noise = moments_file::term_noise(point, power);
    return terms;
  };
  const moments_file::Integrals<3> sum =
      moments_file::with_ends<3>(pair, where, integrand, moments_file::tolerance_at(shift));
  return {shift,
          sum.value[moments_file::moment],
          sum.error[moments_file::moment],
          sum.value[moments_file::slope],
          sum.error[moments_file::slope],
          sum.value[moments_file::curvature]};
}

ComplexMoment complex_moment(const MonotonePair& pair, std::complex<double> z, Direction direction, Side side) {
  const std::complex<double> power = moments_file::power_of(z, pair, direction, side);
  const Cover where = cover(pair, power);
  const double shift = moments_file::shift_of(where);
  const auto integrand = [&](const PairPoint& point) {
    std::complex<double> sum;
    double size = 0;
    moments_file::for_atoms(point, pair.reading(), direction, side, [&](const moments_file::Atom& atom) {
      moments_file::add_complex(atom, z, shift, sum, size);
    });
    return moments_file::Terms<2>{{sum.real(), sum.imag()}, {size, size}, moments_file::term_noise(point, power)};
  };
  const moments_file::Integrals<2> sum =
      moments_file::with_ends<2>(pair, where, integrand, moments_file::complex_tolerance);
  return {shift, {sum.value[0], sum.value[1]}, sum.error[0] + sum.error[1]};
}

// Returns E_P[b R(-L) - R(-bL)] with b = 1-a <= 1/2: every term is >= 0, and at least half of the first.
Bounded lost_at(const MonotonePair& pair, double a, Direction direction) {
  const std::complex<double> power = moments_file::power_of(0, pair, direction);
  const Cover where = cover(pair, power);
  const double b = 1 - a;
  const auto integrand = [&](const PairPoint& point) {
    moments_file::Terms<1> terms;
    moments_file::for_atoms(point, pair.reading(), direction, Side::all, [&](const moments_file::Atom& atom) {
      const double mass = std::exp(atom.log_mass), grown = b * moments_file::centred(atom, mass, 0);
      const double rest = mass > 0 ? mass * exp_remainder(-b * atom.loss) : 0;
      terms.value[0] += std::max(0.0, grown - rest);
      terms.size[0] += grown + rest;
    });
    terms.noise = moments_file::term_noise(point, power);
    return terms;
  };
  const moments_file::Integrals<1> sum = moments_file::with_ends<1>(pair, where, integrand, moments_file::tolerance);
  return {sum.value[0], sum.error[0]};
}

// The mass that the cover omits, and the mass whose loss is neither above nor below 0, counts as loss 0: it is 1 minus
// the rest.
CentralMoments central_moments(const MonotonePair& pair, double mean, Direction direction) {
  const std::complex<double> power = moments_file::power_of(0, pair, direction);
  const Cover where = cover(pair, power);
  const auto integrand = [&](const PairPoint& point) {
    moments_file::Terms<3> terms;
    double moved = 0;  // effect of the error of the loss on the square
    moments_file::for_atoms(point, pair.reading(), direction, Side::all, [&](const moments_file::Atom& atom) {
      const double mass = std::exp(atom.log_mass), off = atom.loss - mean, size = std::abs(off);
      terms.value[0] += mass;
      terms.value[1] += mass * off * off;
      terms.value[2] += mass * off * off * off;
      terms.size[2] += mass * size * size * size;
      if (size > 0) moved = std::max(moved, 3 * (point.loss_error + unit_roundoff * size) / size);
    });
    terms.size[0] = terms.value[0];
    terms.size[1] = terms.value[1];
    terms.noise = moments_file::term_noise(point, power) + std::min(1.0, moved);
    return terms;
  };
  const moments_file::Integrals<3> sum = moments_file::with_ends<3>(pair, where, integrand, moments_file::tolerance);
  const double rest = 1 - sum.value[0], error = sum.error[0] + unit_roundoff;
  return {sum.value[1] + rest * mean * mean, sum.error[1] + error * mean * mean,
          sum.value[2] - rest * mean * mean * mean, sum.error[2] + error * std::abs(mean * mean * mean)};
}

}  // namespace renyi::monotone
