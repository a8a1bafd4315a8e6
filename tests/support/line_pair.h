// Two laws on the line straight from their densities, in extended precision: the judge of sampled pairs. Integrals are
// sums of Gauss's rule over many equal pieces.
#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

namespace renyi::test {

using Real = long double;
using Density = std::function<Real(Real)>;  // its logarithm

inline Real log_normal(Real x, Real mean, Real s) {
  const Real t = (x - mean) / s;
  return -t * t / 2 - std::log(s * std::sqrt(2 * std::numbers::pi_v<Real>));
}
inline Real log_laplace(Real x, Real mean, Real b) { return -std::abs(x - mean) / b - std::log(2 * b); }

// ln sum_i exp(log_weight_i + log_density(i)).
template <class LogDensity>
Real log_mix(const std::vector<Real>& log_weights, const LogDensity& log_density) {
  std::vector<Real> terms;
  for (std::size_t i = 0; i < log_weights.size(); ++i) terms.push_back(log_weights[i] + log_density(i));
  const Real most = *std::max_element(terms.begin(), terms.end());
  Real sum = 0;
  for (const Real term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}
inline std::vector<Real> logs(std::vector<Real> values) {
  for (Real& value : values) value = std::log(value);
  return values;
}

inline std::vector<Real> binomial_weights(std::size_t k, Real q) {
  std::vector<Real> weights;
  Real choices = 1;
  for (std::size_t i = 0; i <= k; ++i) {
    const auto n = static_cast<Real>(i), rest = static_cast<Real>(k - i);
    weights.push_back(choices * std::pow(q, n) * std::pow(1 - q, rest));
    choices *= rest / (n + 1);
  }
  return weights;
}

struct LinePair {
  Density log_p;
  Density log_q;
  std::vector<Real> cuts;  // everything lies between the first and the last; densities are smooth between two

  Real loss(Real x) const { return log_p(x) - log_q(x); }

  template <class Value>
  Value integral(const std::function<Value(Real)>& f, int pieces = 200) const {
    using Rule = boost::math::quadrature::gauss<Real, 20>;
    Value sum = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const Real width = (cuts[i + 1] - cuts[i]) / static_cast<Real>(pieces);
      for (int j = 0; j < pieces; ++j) {
        const Real middle = cuts[i] + width * (static_cast<Real>(j) + 0.5L);
        for (std::size_t k = 0; k < Rule::abscissa().size(); ++k) {
          const Real off = Rule::abscissa()[k] * width / 2, weight = Rule::weights()[k] * width / 2;
          sum += weight * (f(middle - off) + f(middle + off));
        }
      }
    }
    return sum;
  }

  // E_P[(P/Q)^z].
  template <class Scalar>
  Scalar moment(Scalar z) const {
    return integral<Scalar>([&](Real x) { return std::exp(log_p(x) + z * loss(x)); });
  }
  // E_P[(P/Q)^z] - 1 from terms that are >= 0, for z > 0.
  Real centred(Real z) const {
    return integral<Real>([&](Real x) {
      const Real l = loss(x);
      return std::exp(log_q(x)) * (std::expm1((z + 1) * l) - (z + 1) * std::expm1(l));
    });
  }
  // E_P[L^n].
  Real loss_moment(int n) const {
    return integral<Real>([&](Real x) { return std::exp(log_p(x)) * std::pow(loss(x), static_cast<Real>(n)); });
  }
  LinePair swapped() const { return {log_q, log_p, cuts}; }

  // Read as symmetric, `cuts` beginning where the loss is 0: loss l under P, -l under Q, the rest 0.
  template <class Scalar>
  Scalar symmetric_centred(Scalar z) const {
    return integral<Scalar>([&](Real x) {
      const Real l = loss(x);
      return std::exp(log_q(x)) * (std::exp(z * l) - Scalar(1)) * (Scalar(std::exp(l)) - std::exp(-z * l));
    });
  }
  Real symmetric_loss_moment(int n) const {
    return integral<Real>([&](Real x) {
      const Real l = loss(x), power = std::pow(l, static_cast<Real>(n));
      return std::exp(log_p(x)) * power + std::exp(log_q(x)) * (n % 2 == 0 ? power : -power);
    });
  }
};

// sum_i w_i N(i, s^2) against N(0, s^2), binomial weights; all that counts up to order a.
inline LinePair normal_group(Real q, Real s, std::size_t k, Real a) {
  const auto weights = logs(binomial_weights(k, q));
  const Real top = std::max(a, 2.0L) * static_cast<Real>(k) + 14 * s;
  return {
      [=](Real x) { return log_mix(weights, [&](std::size_t i) { return log_normal(x, static_cast<Real>(i), s); }); },
      [=](Real x) { return log_normal(x, 0, s); },
      {-14 * s - a, top}};
}
// Against sum_i w_i N(-i, s^2), from the middle on.
inline LinePair opposite_group(Real q, Real s, std::size_t k, Real a) {
  LinePair pair = normal_group(q, s, k, a);
  const auto weights = logs(binomial_weights(k, q));
  pair.log_q = [=](Real x) {
    return log_mix(weights, [&](std::size_t i) { return log_normal(x, -static_cast<Real>(i), s); });
  };
  pair.cuts.front() = 0;
  return pair;
}
// (1-q) Lap(0, b) + q Lap(1, b) against Lap(0, b).
inline LinePair laplace_line(Real q, Real b) {
  return {[=](Real x) {
            return log_mix(logs({1 - q, q}), [&](std::size_t i) { return log_laplace(x, static_cast<Real>(i), b); });
          },
          [=](Real x) { return log_laplace(x, 0, b); },
          {-50 * b, 0, 0.5L, 1, 1 + 50 * b}};
}

}  // namespace renyi::test
