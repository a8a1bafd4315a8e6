// Events that run one mechanism, or aggregate over trees.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "convert/event.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace event_leaves_file {
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
}  // namespace event_leaves_file

Parts read_gaussian(const Event& event, Neighbors neighbors) {
  return event_leaves_file::one(gaussian_of(read_noise(event.at(event_leaves_file::noise_key),
                                                       event_leaves_file::noise_key, Gaussian::parameters()[0]),
                                            neighbors),
                                event);
}

Parts read_laplace(const Event& event, Neighbors neighbors) {
  return event_leaves_file::one(laplace_of(read_noise(event.at(event_leaves_file::noise_key),
                                                      event_leaves_file::noise_key, Laplace::parameters()[0]),
                                           neighbors),
                                event);
}

Parts read_randomized_response(const Event& event, Neighbors neighbors) {
  constexpr Parameter probability{.name = "noise_parameter", .meaning = "", .lowest = 0, .highest = 1};
  const double noise = read_parameter(event.at(probability.name), probability.name, probability);
  const std::int64_t buckets = event_leaves_file::read_buckets(event.at("num_buckets"));
  event_leaves_file::require_replacement(event, neighbors);
  if (buckets == 1 || noise == 1) return {};
  if (noise == 0) return event_leaves_file::one(std::nullopt, event);
  const double truth = event_leaves_file::truth_above(noise, static_cast<double>(buckets));
  if (truth == 1) {
    throw Unsupported(event.path(), fmt::format("a noise_parameter of {} leaves no lie that a double can hold", noise),
                      "use a noise_parameter of at least 1e-15");
  }
  return event_leaves_file::one(RandomizedResponse{truth, static_cast<double>(buckets)}, event);
}

Parts read_zcdp(const Event& event, Neighbors /*neighbors*/) {
  const auto parameters = ZeroConcentrated::parameters();
  const auto xi = event.find("xi");
  return event_leaves_file::one(ZeroConcentrated{read_parameter(event.at("rho"), "rho", parameters[0]),
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
  return event_leaves_file::one(PureDp{epsilon}, event);
}

namespace event_leaves_file {
namespace {

constexpr std::string_view kind = "tree-aggregation";

const Parameter& parameter_of_trees(std::string_view name) {
  const auto all = find_mechanism(kind)->parameters();
  return *std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
}

void require_fixed_rounds(const Event& event, Neighbors neighbors) {
  if (neighbors != Neighbors::add_or_remove_one) return;
  throw Unsupported(event.path(),
                    "SingleEpochTreeAggregationDpEvent is not analysed under add-or-remove-one: a record more or less "
                    "moves the others to other steps",
                    "use zero-out (dp_accounting's REPLACE_SPECIAL) or replace-one");
}

// One number, or one for each tree.
std::int64_t largest_count(const json::Field& counts) {
  const auto most = static_cast<std::int64_t>(parameter_of_trees("rounds").highest);
  if (!counts.value().is_array()) return counts.integer(0, most);
  const auto items = counts.items();
  if (items.empty()) counts.refuse("a number of steps, or a list with one for each tree");
  std::int64_t largest = 0;
  for (const json::Field& item : items) largest = std::max(largest, item.integer(0, most));
  return largest;
}

}  // namespace
}  // namespace event_leaves_file

// A record is in one of the trees, once: the costliest of them is what it costs, that with the most steps. Replaced, it
// moves a leaf twice as far.
Parts read_tree_aggregation(const Event& event, Neighbors neighbors) {
  const double moved = neighbors == Neighbors::replace_one ? 2 : 1;
  Parameter range = event_leaves_file::parameter_of_trees(event_leaves_file::noise_key);
  range.lowest *= moved;
  const double noise = read_noise(event.at(event_leaves_file::noise_key), event_leaves_file::noise_key, range);
  const std::int64_t rounds = event_leaves_file::largest_count(event.at("step_counts"));
  event_leaves_file::require_fixed_rounds(event, neighbors);
  if (rounds == 0) return {};
  if (noise == 0) return {{std::nullopt, 1, event.path()}};
  return {{make_mechanism(event_leaves_file::kind,
                          {{event_leaves_file::noise_key, noise / moved}, {"rounds", static_cast<double>(rounds)}}),
           1, event.path()}};
}

}  // namespace renyi::convert
