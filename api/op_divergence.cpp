// {"op":"divergence","pair":{...},"orders":[0.5,1,2,"inf"],"epsilons":[1]} ->
// {"renyi":[{"order","p_q","q_p"}...],"kl":{"p_q","q_p"},"total_variation":{"lower","upper"},"hockey_stick":[...]}
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "api/ops.h"
#include "api/read_pair.h"
#include "json/write.h"
#include "renyi/curve.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"pair", "orders", "epsilons"};

double read_order(const Field& order) {
  static_assert(smallest_divergence_order == 1e-100 && largest_order == 1e100);
  constexpr std::string_view allowed = "a number in [1e-100, 1e100], or \"inf\"";
  if (order.value() == "inf") return order.number_or_infinity();
  if (!order.value().is_number()) order.refuse(allowed);
  const double value = order.number();
  if (!(value >= smallest_divergence_order && value <= largest_order)) order.refuse(allowed);
  return value;
}

double read_one_epsilon(const Field& epsilon) {
  constexpr std::string_view allowed = "a number of at least 0, or \"inf\"";
  if (epsilon.value() != "inf" && !epsilon.value().is_number()) epsilon.refuse(allowed);
  const double value = epsilon.number_or_infinity();
  if (!(value >= 0)) epsilon.refuse(allowed);
  return value;
}

std::vector<double> read_list(const Field& request, std::string_view key, std::vector<double> otherwise,
                              double (*read)(const Field&)) {
  const auto list = request.find(key);
  if (!list) return otherwise;
  std::vector<double> values;
  for (const Field& item : list->items()) values.push_back(read(item));
  return values;
}

Json interval(const Bounded& bounded, double most) {
  Json ends = Json::object();
  ends["lower"] = json::number(std::min(most, bounded.lower()));
  ends["upper"] = json::number(std::min(most, bounded.upper()));
  return ends;
}

// The same question in both directions. No probability exceeds `most`.
template <class Ask>
void add_both(Json& answer, const DistributionPair& pair, const DistributionPair& swapped, double most,
              const Ask& ask) {
  answer["p_q"] = interval(ask(pair), most);
  answer["q_p"] = interval(ask(swapped), most);
}

Json run(const Request& request) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const DistributionPair pair = read_pair(request.require("pair", "an object: the family and its two laws"));
  const DistributionPair swapped = pair.swapped();
  const auto orders = read_list(request, "orders", {0.5, 1, 2, unbounded}, read_order);
  const auto epsilons = read_list(request, "epsilons", {}, read_one_epsilon);
  Json answer = Json::object();
  Json& renyi = answer["renyi"] = Json::array();
  for (const double order : orders) {
    Json& row = renyi.emplace_back(Json::object());
    row["order"] = json::number(order);
    add_both(row, pair, swapped, unbounded, [&](const auto& which) { return renyi_divergence(which, order); });
  }
  add_both(answer["kl"], pair, swapped, unbounded, [](const auto& which) { return kl_divergence(which); });
  answer["total_variation"] = interval(total_variation(pair), 1);
  Json& sticks = answer["hockey_stick"] = Json::array();
  for (const double epsilon : epsilons) {
    Json& row = sticks.emplace_back(Json::object());
    row["epsilon"] = json::number(epsilon);
    add_both(row, pair, swapped, 1, [&](const auto& which) { return hockey_stick(which, epsilon); });
  }
  return answer;
}

}  // namespace

constinit const Op divergence_op{"divergence", keys, run, false};

}  // namespace renyi::api
