// What the accountants of training libraries report for a run of Gaussian steps, so that a reader can find the number
// that is familiar (docs/math/composition-theorems.md, "Accountants of training runs").
#include <algorithm>
#include <cmath>
#include <vector>

#include "compare/theorem.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "numerics/rounding.h"
#include "renyi/mechanisms.h"
#include "renyi/rdp.h"

namespace renyi::compare_detail {
namespace accountants_file {
namespace {

// The orders 1.1, 1.2, ..., 10.9, as both libraries write them, and the whole orders from `first` to 63.
std::vector<double> orders_to_63(int first) {
  std::vector<double> orders;
  for (int x = 1; x < 100; ++x) orders.push_back(1 + x / 10.0);
  for (int order = first; order < 64; ++order) orders.push_back(order);
  return orders;
}

// RDPAccountant.DEFAULT_ALPHAS of Opacus 1.6.
const std::vector<double>& opacus_defaults() {
  static const std::vector<double> orders = orders_to_63(12);
  return orders;
}

// DEFAULT_RDP_ORDERS of dp-accounting 0.6.
const std::vector<double>& dp_accounting_defaults() {
  static const std::vector<double> orders = [] {
    std::vector<double> all = orders_to_63(11);
    for (const double order : {128, 256, 512, 1024}) all.push_back(order);
    return all;
  }();
  return orders;
}

// Both libraries convert the divergence of each order as `Conversion::tight` does and keep the smallest epsilon.
Outcome at_orders(const TheoremInput& input, const std::vector<double>& orders) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  const mechanism::ComposedCurve curve(input.workload.curves(input.repetitions));
  return Outcome::of(renyi_epsilon(curve, input.delta, {.orders = orders}).upper);
}

// The mu^2 of one run: 1/s^2 for Gaussian noise, and q^2 (exp(1/s^2) - 1) in the limit of many sampled steps. Sampling
// at rate 1 takes all records, so that the first holds.
double mu_squared(const Mechanism& mechanism) {
  if (const auto sampled = mechanism.get_if<SampledGaussian>()) {
    const double noise = sampled->noise_multiplier, rate = sampled->sampling_rate;
    return rate == 1 ? 1 / (noise * noise) : rate * rate * std::expm1(1 / (noise * noise));
  }
  const auto gaussian = mechanism.get_if<Gaussian>();
  const double ratio = gaussian->l2_sensitivity / gaussian->stddev;
  return ratio * ratio;
}

double total_mu(const TheoremInput& input) {
  double sum = 0;
  for (const CountedMechanism& m : input.workload.plan().analysed()) {
    sum += mu_squared(m.mechanism) * static_cast<double>(m.count);
  }
  return std::sqrt(sum * static_cast<double>(input.repetitions));
}

// The errors that PRVAccountant.get_epsilon of Opacus 1.6 allows by default.
constexpr double epsilon_error = 0.01;
double without_delta_error(double delta) { return numerics::next_down(delta - delta / 1000); }

TheoremInput with_delta(const TheoremInput& input, double delta) {
  TheoremInput changed = input;
  changed.delta = delta;
  return changed;
}

}  // namespace
}  // namespace accountants_file

Outcome opacus_orders(const TheoremInput& input) {
  return accountants_file::at_orders(input, accountants_file::opacus_defaults());
}

Outcome dp_accounting_orders(const TheoremInput& input) {
  return accountants_file::at_orders(input, accountants_file::dp_accounting_defaults());
}

// Many sampled steps together are nearly mu-GDP with mu^2 = sum q^2 (exp(1/s^2) - 1) (Bu, Dong, Long, Su 2020). A limit
// is no bound: the number may be below the exact cost.
Outcome central_limit(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  constexpr double least_mu = 1e-100, largest_mu = 1e25;  // the range of the mechanism gdp
  const double mu = accountants_file::total_mu(input);
  if (!(mu <= largest_mu)) return Outcome::failing("its mu is above 1e25");
  if (mu < least_mu) return {.estimate = 0};
  const ExactInterval epsilon = PrivacyProfile(Plan().add(Gdp{.mu = mu})).epsilon(input.delta).worst;
  return {.estimate = epsilon.lower + (epsilon.upper - epsilon.lower) / 2};
}

// An accountant that discretizes the loss states its epsilon at delta - delta_error, plus epsilon_error (Gopi, Lee,
// Wutschitz 2021, arXiv:2106.02848). Here the loss is not discretized, so the row is that sum to rounding.
Outcome prv(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  Outcome outcome = exact(accountants_file::with_delta(input, accountants_file::without_delta_error(input.delta)));
  if (!outcome.epsilon || input.workload.is_free()) return outcome;  // a run without steps that cost has no error
  outcome.epsilon = numerics::sum_up(*outcome.epsilon, accountants_file::epsilon_error);
  if (outcome.note.empty()) outcome.note = "exact at 0.999 delta, plus 0.01";
  return outcome;
}

LargestCount prv_count(const TheoremInput& input, double budget) {
  const double left = budget - accountants_file::epsilon_error;
  if (!(left >= 0)) return {};
  return exact_count(accountants_file::with_delta(input, accountants_file::without_delta_error(input.delta)),
                     std::isinf(left) ? left : std::max(0.0, numerics::next_down(left)));
}

}  // namespace renyi::compare_detail
