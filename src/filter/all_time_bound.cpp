#include "filter/all_time_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/rounding.h"

namespace renyi::filter {

namespace all_time_bound_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Parts of the mixture below exp(-50) are left out.
constexpr double negligible = -50;

std::vector<double> equal_log_weights(std::size_t count) {
  return std::vector<double>(count, -std::log(static_cast<double>(count)));
}

}  // namespace
}  // namespace all_time_bound_file

// An exponent has at most four roundings, each relative to a number of at most ln(1/delta) + ln(1/w) + 50 where the
// part matters.
AllTimeBound::AllTimeBound(double delta, std::vector<double> orders, std::vector<double> log_weights)
    : log_inverse_delta_(numerics::log_inverse_up(delta)),
      orders_(std::move(orders)),
      log_weights_(std::move(log_weights)),
      margin_(0) {
  const double smallest = *std::min_element(log_weights_.begin(), log_weights_.end());
  const double largest_number = log_inverse_delta_ - smallest - all_time_bound_file::negligible;
  margin_ = numerics::unit_roundoff * (16 * largest_number + 4 * static_cast<double>(orders_.size()));
}

AllTimeBound::AllTimeBound(double delta, const std::vector<double>& orders)
    : AllTimeBound(delta, orders, all_time_bound_file::equal_log_weights(orders.size())) {}

// The best order for rho alone is 1 + sqrt(ln(1/delta)/rho).
AllTimeBound AllTimeBound::of_rho(double delta) {
  constexpr int first = -30, last = 16;
  std::vector<double> orders, log_weights;
  double sum = 0;
  for (int level = last; level >= first; --level) {
    const double octaves = (level + 3) / 5.0;
    const double weight = 1 / (1 + octaves * octaves);
    sum += weight;
    orders.push_back(1 + std::sqrt(std::ldexp(-std::log(delta), -level)));
    log_weights.push_back(std::log(weight));
  }
  for (double& log_weight : log_weights) log_weight -= std::log(sum);
  return {delta, std::move(orders), std::move(log_weights)};
}

// A double less 1 is exact for orders above 1.
double AllTimeBound::exponent(std::size_t index, double epsilon, double spent) const {
  return ((orders_[index] - 1) * (epsilon - spent) + log_weights_[index]) - log_inverse_delta_;
}

// Every operation is monotone, so that a larger spent divergence never gives a smaller bound.
bool AllTimeBound::reaches(double epsilon, std::span<const double> spent) const {
  double mixture = 0;
  for (std::size_t i = 0; i < spent.size(); ++i) {
    const double power = exponent(i, epsilon, spent[i]);
    if (power > all_time_bound_file::negligible) mixture += std::exp(power);
    if (mixture >= 1 + margin_) return true;
  }
  return false;
}

AllTimeBound::Value AllTimeBound::at(std::span<const double> spent) const {
  // The bound by one order alone, spent + ln(1/(w delta))/(a-1), is an upper end.
  double high = all_time_bound_file::infinity;
  for (std::size_t i = 0; i < spent.size(); ++i) {
    // A divergence of 0 at one order means that the results have the same law, and the loss is 0.
    if (spent[i] == 0) return {0, orders_[i]};
    high = std::min(high, spent[i] + (log_inverse_delta_ - log_weights_[i]) / (orders_[i] - 1));
  }
  for (double more = 1e-15; std::isfinite(high) && !reaches(high, spent); more *= 2) high += more * high;
  if (!std::isfinite(high)) return {high, orders_.front()};
  double low = 0;
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) break;
    (reaches(middle, spent) ? high : low) = middle;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < spent.size(); ++i) {
    if (exponent(i, high, spent[i]) > exponent(best, high, spent[best])) best = i;
  }
  return {high, orders_[best]};
}

}  // namespace renyi::filter
