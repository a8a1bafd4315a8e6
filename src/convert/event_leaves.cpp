// Events that run one mechanism.
#include <fmt/format.h>

#include <cmath>

#include "convert/event.h"
#include "convert/noise.h"
#include "numerics/directed.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

constexpr std::string_view noise_key = "noise_multiplier";

// The noise parameter p: with probability p a uniform answer, which may be the true one.
// The truth is told with probability 1 - p (k - 1) / k, rounded up: more truth, more cost.
double truth_above(double p, double buckets) {
  const double lie = numerics::quotient_down(numerics::product_down(p, buckets - 1), buckets);
  const double truth = 1 - lie;
  return (1 - truth) - lie > 0 ? numerics::next_up(truth) : truth;
}

void require_replacement(const Event& event, Neighbors neighbors) {
  if (neighbors == Neighbors::replace_one) return;
  throw Unsupported(
      event.path(),
      fmt::format("RandomizedResponseDpEvent answers for a record, which {}",
                  neighbors == Neighbors::zero_out ? "under zero-out would answer uniformly: no plan says so"
                                                   : "under add-or-remove-one may not be there"),
      "use replace-one");
}

std::int64_t read_buckets(const json::Field& field) {
  const auto most = static_cast<std::int64_t>(RandomizedResponse::parameters()[1].highest);
  return field.integer(1, most);
}

Parts one(std::optional<Mechanism> mechanism, const Event& event) { return {{std::move(mechanism), 1, event.path()}}; }

}  // namespace

Parts read_gaussian(const Event& event, Neighbors neighbors) {
  return one(gaussian_of(read_noise(event.at(noise_key), noise_key, Gaussian::parameters()[0]), neighbors), event);
}

Parts read_laplace(const Event& event, Neighbors neighbors) {
  return one(laplace_of(read_noise(event.at(noise_key), noise_key, Laplace::parameters()[0]), neighbors), event);
}

Parts read_randomized_response(const Event& event, Neighbors neighbors) {
  constexpr Parameter probability{.name = "noise_parameter", .meaning = "", .lowest = 0, .highest = 1};
  const double noise = read_parameter(event.at(probability.name), probability.name, probability);
  const std::int64_t buckets = read_buckets(event.at("num_buckets"));
  require_replacement(event, neighbors);
  if (buckets == 1 || noise == 1) return {};
  if (noise == 0) return one(std::nullopt, event);
  const double truth = truth_above(noise, static_cast<double>(buckets));
  if (truth == 1) {
    throw Unsupported(event.path(), fmt::format("a noise_parameter of {} leaves no lie that a double can hold", noise),
                      "use a noise_parameter of at least 1e-15");
  }
  return one(RandomizedResponse{truth, static_cast<double>(buckets)}, event);
}

Parts read_zcdp(const Event& event, Neighbors /*neighbors*/) {
  const auto parameters = ZeroConcentrated::parameters();
  const auto xi = event.find("xi");
  return one(ZeroConcentrated{read_parameter(event.at("rho"), "rho", parameters[0]),
                              xi ? read_parameter(*xi, "xi", parameters[1]) : 0},
             event);
}

Parts read_epsilon_delta(const Event& event, Neighbors /*neighbors*/) {
  constexpr Parameter probability{.name = "delta", .meaning = "", .lowest = 0, .highest = 1};
  const double epsilon = read_parameter(event.at("epsilon"), "epsilon", PureDp::parameters()[0]);
  if (read_parameter(event.at("delta"), "delta", probability) > 0) {
    throw Unsupported(event.path(),
                      "EpsilonDeltaDpEvent with a delta above 0 bounds no Renyi divergence of an order above 1",
                      "leave it out, and add its epsilon and delta to those of the rest");
  }
  return one(PureDp{epsilon}, event);
}

}  // namespace renyi::convert
