// Events that run one mechanism, or aggregate over trees.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "convert/event.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace event_leaves_file {
namespace {

constexpr std::string_view noise_key = "noise_multiplier";

// p is the noise parameter: with probability p the answer is uniform, and may then be the true one. The answer is true
// with probability 1 - p (k - 1) / k, rounded up, since the cost increases with it.
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
  const auto most = static_cast<std::int64_t>(parameter_of(RandomizedResponse::kind, "categories").highest);
  return field.integer(1, most);
}

RecordedSteps one(Mechanism mechanism, const Event& event) { return {{std::move(mechanism), 1, event.path()}}; }

// The noise is stated relative to the contribution of one record; replacing a record moves the result twice as far.
template <class MakeMechanism>
RecordedSteps noise_on(const Event& event, Neighbors neighbors, const MakeMechanism& make) {
  return {{make(distance_between(neighbors)), 1, event.path(), make(1)}};
}

}  // namespace
}  // namespace event_leaves_file

RecordedSteps read_gaussian(const Event& event, Neighbors neighbors) {
  return event_leaves_file::one(
      gaussian_of(read_noise(event.at(event_leaves_file::noise_key), event_leaves_file::noise_key,
                             parameter_of(Gaussian::kind, "stddev")),
                  neighbors),
      event);
}

RecordedSteps read_laplace(const Event& event, Neighbors neighbors) {
  const double noise = read_noise(event.at(event_leaves_file::noise_key), event_leaves_file::noise_key,
                                  parameter_of(Laplace::kind, "scale"));
  if (noise == 0) return event_leaves_file::one(non_private(), event);
  return event_leaves_file::noise_on(event, neighbors, [&](double moved) { return Laplace{noise, moved}; });
}

// The masses are proportional to exp(-a|x|): the scale is 1/a, rounded down. No distribution has a = 0; dp_accounting
// treats it as a step without privacy.
RecordedSteps read_discrete_laplace(const Event& event, Neighbors neighbors) {
  constexpr std::string_view kind = "discrete-laplace";
  constexpr Parameter parameter{.name = "noise_parameter", .meaning = "", .lowest = 1e-9, .highest = 999};
  const double a = read_noise(event.at(parameter.name), parameter.name, parameter);
  const double most = parameter_of(kind, "sensitivity").highest / distance_between(neighbors);
  const auto sensitivity = static_cast<double>(event.at("sensitivity").integer(1, static_cast<std::int64_t>(most)));
  if (a == 0) return event_leaves_file::one(non_private(), event);
  const double scale = numerics::quotient_down(1, a);
  return event_leaves_file::noise_on(event, neighbors, [&](double moved) {
    return make_mechanism(kind, {{"scale", scale}, {"sensitivity", moved * sensitivity}});
  });
}

namespace event_leaves_file {
namespace {

// A coordinate moved by d_j has D_a <= a d_j^2/(2 sigma^2) (Canonne, Kamath, Steinke 2020, Proposition 5), and the
// coordinates are independent: rho = (sum of d_j^2)/(2 sigma^2), rounded up.
Mechanism discrete_gaussian_vector(double sigma, double distance) {
  const double ratio = numerics::quotient_up(distance, sigma);
  return Zcdp{.rho = 0.5 * numerics::product_up(ratio, ratio), .xi = 0};
}

}  // namespace
}  // namespace event_leaves_file

// A single number is moved by an integer. Vectors, and results whose dimension is not specified, are known by a bound
// only.
RecordedSteps read_discrete_gaussian(const Event& event, Neighbors neighbors) {
  constexpr std::string_view kind = "discrete-gaussian";
  const Parameter& most = parameter_of(kind, "sensitivity");
  const double moved = distance_between(neighbors);
  const Parameter range{.name = "sensitivity", .meaning = "", .lowest = 0, .highest = most.highest / moved};
  const double sigma = read_noise(event.at("sigma"), "sigma", parameter_of(kind, "stddev"));
  const auto given = event.find("sensitivity"), dimension = event.find("dimension");
  const double sensitivity = given ? read_parameter(*given, range.name, range) : 1;
  const bool one_number =
      dimension && !dimension->is_null() && dimension->integer(1, std::numeric_limits<std::int64_t>::max()) == 1;
  const double whole = one_number ? std::floor(sensitivity) : sensitivity;
  if (whole == 0) return {};
  if (sigma == 0) return event_leaves_file::one(non_private(), event);
  if (!one_number) {
    return event_leaves_file::one(event_leaves_file::discrete_gaussian_vector(sigma, moved * sensitivity), event);
  }
  return event_leaves_file::noise_on(event, neighbors, [&](double times) {
    return make_mechanism(kind, {{"stddev", sigma}, {"sensitivity", times * whole}});
  });
}

namespace event_leaves_file {
namespace {

RecordedSteps read_choice(const Event& event, std::string_view kind) {
  constexpr std::string_view key = "epsilon";
  return one(make_mechanism(kind, {{key, read_parameter(event.at(key), key, parameter_of(kind, key))}}), event);
}

}  // namespace
}  // namespace event_leaves_file

RecordedSteps read_exponential(const Event& event, Neighbors /*neighbors*/) {
  return event_leaves_file::read_choice(event, "exponential");
}

RecordedSteps read_permute_and_flip(const Event& event, Neighbors /*neighbors*/) {
  return event_leaves_file::read_choice(event, "permute-and-flip");
}

RecordedSteps read_randomized_response(const Event& event, Neighbors neighbors) {
  constexpr Parameter probability{.name = "noise_parameter", .meaning = "", .lowest = 0, .highest = 1};
  const double noise = read_parameter(event.at(probability.name), probability.name, probability);
  const std::int64_t buckets = event_leaves_file::read_buckets(event.at("num_buckets"));
  event_leaves_file::require_replacement(event, neighbors);
  if (buckets == 1 || noise == 1) return {};
  if (noise == 0) return event_leaves_file::one(non_private(), event);
  const double truth = event_leaves_file::truth_above(noise, static_cast<double>(buckets));
  if (truth == 1) {
    throw Unsupported(event.path(), fmt::format("a noise_parameter of {} leaves no lie that a double can hold", noise),
                      "use a noise_parameter of at least 1e-15");
  }
  return event_leaves_file::one(RandomizedResponse{truth, static_cast<double>(buckets)}, event);
}

RecordedSteps read_zcdp(const Event& event, Neighbors /*neighbors*/) {
  const auto parameters = find_mechanism(Zcdp::kind)->parameters();
  const auto xi = event.find("xi");
  return event_leaves_file::one(
      Zcdp{read_parameter(event.at("rho"), "rho", parameters[0]), xi ? read_parameter(*xi, "xi", parameters[1]) : 0},
      event);
}

RecordedSteps read_epsilon_delta(const Event& event, Neighbors /*neighbors*/) {
  constexpr std::string_view kind = "approx-dp";
  const auto number = [&](std::string_view name) {
    return read_parameter(event.at(name), name, parameter_of(kind, name));
  };
  const double epsilon = number("epsilon"), delta = number("delta");
  if (delta == 0) return event_leaves_file::one(PureDp{epsilon}, event);
  return event_leaves_file::one(ApproxDp{epsilon, delta}, event);
}

namespace event_leaves_file {
namespace {

constexpr std::string_view tree = "tree-aggregation";

// Reads one number, or one for each tree.
std::int64_t largest_count(const json::Field& counts) {
  const auto most = static_cast<std::int64_t>(parameter_of(tree, "rounds").highest);
  if (!counts.value().is_array()) return counts.integer(0, most);
  const auto items = counts.items();
  if (items.empty()) counts.refuse("a number of steps, or a list with one for each tree");
  std::int64_t largest = 0;
  for (const json::Field& item : items) largest = std::max(largest, item.integer(0, most));
  return largest;
}

}  // namespace
}  // namespace event_leaves_file

// A record is in one of the trees, once, so that its cost is that of the most expensive tree, the one with the most
// steps. Replacing a record moves a leaf twice as far. Answers assume that the other records keep their steps
// (docs/guide/trees.md).
RecordedSteps read_tree_aggregation(const Event& event, Neighbors neighbors) {
  const double moved = distance_between(neighbors);
  Parameter range = parameter_of(event_leaves_file::tree, event_leaves_file::noise_key);
  range.lowest *= moved;
  const double noise = read_noise(event.at(event_leaves_file::noise_key), event_leaves_file::noise_key, range);
  const std::int64_t rounds = event_leaves_file::largest_count(event.at("step_counts"));
  if (rounds == 0) return {};
  if (noise == 0) return event_leaves_file::one(non_private(), event);
  return {{make_mechanism(event_leaves_file::tree,
                          {{event_leaves_file::noise_key, noise / moved}, {"rounds", static_cast<double>(rounds)}}),
           1, event.path()}};
}

}  // namespace renyi::convert
