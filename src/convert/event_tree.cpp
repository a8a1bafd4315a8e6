// Events that aggregate over trees.
#include <fmt/format.h>

#include <algorithm>

#include "convert/event.h"
#include "convert/noise.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

constexpr std::string_view kind = "tree-aggregation";
constexpr std::string_view noise_key = "noise_multiplier";

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

// A record is in one of the trees, once: the costliest of them is what it costs, that with the most steps. Replaced, it
// moves a leaf twice as far.
Parts read_tree_aggregation(const Event& event, Neighbors neighbors) {
  const double moved = neighbors == Neighbors::replace_one ? 2 : 1;
  Parameter range = parameter_of_trees(noise_key);
  range.lowest *= moved;
  const double noise = read_noise(event.at(noise_key), noise_key, range);
  const std::int64_t rounds = largest_count(event.at("step_counts"));
  require_fixed_rounds(event, neighbors);
  if (rounds == 0) return {};
  if (noise == 0) return {{std::nullopt, 1, event.path()}};
  return {
      {make_mechanism(kind, {{noise_key, noise / moved}, {"rounds", static_cast<double>(rounds)}}), 1, event.path()}};
}

}  // namespace renyi::convert
