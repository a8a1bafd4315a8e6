// The probability of each score in report noisy max, in closed form and in ball arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/choices.h"

namespace renyi::test {

// A sum of coefficients times exp(k x).
using ExponentialSum = std::map<int, certify::Ball>;

inline ExponentialSum product(const ExponentialSum& a, const ExponentialSum& b) {
  ExponentialSum result;
  for (const auto& [k, c] : a) {
    for (const auto& [l, d] : b) result[k + l] += c * d;
  }
  return result;
}

// Laplace noise of scale 1 about `mean`, on one side of the mean.
inline ExponentialSum laplace_density(const certify::Ball& mean, bool above) {
  using certify::Ball;
  return {{above ? -1 : 1, exp(above ? mean : -mean) / Ball(2)}};
}
inline ExponentialSum laplace_below(const certify::Ball& mean, bool above) {
  ExponentialSum result = laplace_density(mean, above);
  if (above) result = {{0, certify::Ball(1)}, {-1, -result[-1]}};
  return result;
}

// The integral over x of density_i(x) prod_{j != i} below_j(x), piece by piece between the means.
inline std::vector<certify::Ball> noisy_max_law(const noise::Gaps& gaps) {
  using certify::Ball;
  std::vector<std::size_t> order(gaps.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return -gaps.ball(i).about(); });
  std::vector<Ball> law;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    Ball total;
    // In piece p, the means of order[0], ..., order[p - 1] lie below x.
    for (std::size_t p = 0; p <= order.size(); ++p) {
      ExponentialSum integrand = {{0, Ball(1)}};
      for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t j = order[place];
        const Ball mean = -gaps.ball(j);
        integrand = product(integrand, j == i ? laplace_density(mean, place < p) : laplace_below(mean, place < p));
      }
      for (const auto& [k, c] : integrand) {
        // The terms that would diverge do not occur in the first and the last piece.
        const auto primitive = [&gaps, &order, k = k, c = c](std::size_t place) {
          const Ball x = -gaps.ball(order[place]);
          return k == 0 ? c * x : c * exp(Ball(k) * x) / Ball(k);
        };
        if (p < order.size()) total += primitive(p);
        if (p > 0) total -= primitive(p - 1);
      }
    }
    law.push_back(total);
  }
  return law;
}

}  // namespace renyi::test
