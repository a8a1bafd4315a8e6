#include "worlds/selection_outputs.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numeric>

namespace renyi::worlds {

namespace selection_outputs_file {
namespace {

long double density(long double x, long double scale) { return std::exp(-std::abs(x) / scale) / (2 * scale); }

// P[noise <= x]
long double below(long double x, long double scale) {
  const long double tail = std::exp(-std::abs(x) / scale) / 2;
  return x < 0 ? tail : 1 - tail;
}

// Integrates by Gauss-Legendre on short pieces between the points where a density has a corner; `scale` is the smallest
// scale.
template <class F>
long double integral(std::vector<long double> corners, long double reach, long double scale, const F& f) {
  using Rule = boost::math::quadrature::gauss<long double, 20>;
  corners.push_back(*std::min_element(corners.begin(), corners.end()) - reach);
  corners.push_back(*std::max_element(corners.begin(), corners.end()) + reach);
  std::sort(corners.begin(), corners.end());
  long double sum = 0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const long double length = corners[i + 1] - corners[i], pieces = std::ceil(length / (4 * scale));
    for (long double k = 0; k < pieces; ++k) {
      sum += Rule::integrate(f, corners[i] + length * k / pieces, corners[i] + length * (k + 1) / pieces);
    }
  }
  return sum;
}

}  // namespace
}  // namespace selection_outputs_file

Outcomes exponential_mechanism(const Scores& scores, long double epsilon) {
  Outcomes result;
  for (const long double score : scores) result.push_back(std::exp(epsilon * score / 2));
  const long double sum = std::accumulate(result.begin(), result.end(), 0.0L);
  for (long double& p : result) p /= sum;
  return result;
}

Outcomes report_noisy_max(const Scores& scores, long double scale) {
  Outcomes result;
  for (std::size_t winner = 0; winner < scores.size(); ++winner) {
    result.push_back(selection_outputs_file::integral(scores, 25 * scale, scale, [&](long double x) {
      long double p = selection_outputs_file::density(x - scores[winner], scale);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        if (i != winner) p *= selection_outputs_file::below(x - scores[i], scale);
      }
      return p;
    }));
  }
  return result;
}

Outcomes permute_and_flip(const Scores& scores, long double epsilon) {
  const long double largest = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  Outcomes result(scores.size());
  long double ways = 0;
  do {
    long double left = 1;
    for (const std::size_t i : order) {
      const long double taken = std::exp(epsilon * (scores[i] - largest) / 2);
      result[i] += left * taken;
      left *= 1 - taken;
    }
    ++ways;
  } while (std::next_permutation(order.begin(), order.end()));
  for (long double& p : result) p /= ways;
  return result;
}

Outcomes sparse_vector(const Scores& queries, long double threshold_scale, long double query_scale, int cutoff) {
  Outcomes result;
  std::vector<long double> corners = queries;
  corners.push_back(0);
  // Bit i of `answers`: query i is above. What comes after the last answer is the same sequence written twice.
  for (unsigned answers = 0; answers < 1U << queries.size(); ++answers) {
    std::size_t asked = 0;
    for (int above = 0; asked < queries.size() && above < cutoff; ++asked)
      above += (answers >> asked & 1U) != 0 ? 1 : 0;
    if (answers >> asked != 0) continue;
    result.push_back(selection_outputs_file::integral(
        corners, 25 * threshold_scale, std::min(threshold_scale, query_scale), [&](long double threshold) {
          long double p = selection_outputs_file::density(threshold, threshold_scale);
          for (std::size_t i = 0; i < asked; ++i) {
            const bool above = (answers >> i & 1U) != 0;
            p *= selection_outputs_file::below(above ? queries[i] - threshold : threshold - queries[i], query_scale);
          }
          return p;
        }));
  }
  return result;
}

std::vector<Scores> neighbours_of(const Scores& scores, bool monotonic) {
  std::vector<Scores> result;
  const auto moves = static_cast<std::size_t>(std::pow(3, scores.size()));
  for (std::size_t code = 0; code < moves; ++code) {
    Scores moved = scores;
    bool up = false, down = false;
    std::size_t rest = code;
    for (long double& score : moved) {
      const int move = static_cast<int>(rest % 3) - 1;
      score += move;
      up = up || move > 0;
      down = down || move < 0;
      rest /= 3;
    }
    if (!(monotonic && up && down)) result.push_back(moved);
  }
  return result;
}

long double largest_loss(const Outcomes& p, const Outcomes& q) {
  long double most = 0;
  for (std::size_t i = 0; i < p.size(); ++i) most = std::max(most, std::abs(std::log(p[i] / q[i])));
  return most;
}

}  // namespace renyi::worlds
