// {"op":"divergence","pair":{...},"orders":[0.5,1,2,"inf"],"epsilons":[1]} ->
// {"renyi":[{"order","p_q","q_p"}...],"kl":{"p_q","q_p"},"total_variation":{"lower","upper"},"hockey_stick":[...]}
#include "renyi/divergence.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "renyi/curve.h"
#include "renyi/error.h"

namespace renyi::api {

namespace divergence_file {
namespace {

using json::Field;
using json::Json;

template <std::size_t N>
void allow_only(const Field& field, const std::array<std::string_view, N>& keys) {
  field.allow_only(keys);
}

double number_at(const Field& law, std::string_view key) { return law.require(key, "a number").number(); }

std::vector<double> numbers(const Field& list) {
  std::vector<double> values;
  for (const Field& item : list.items()) values.push_back(item.number());
  return values;
}

std::vector<double> numbers_at(const Field& pair, std::string_view key) {
  return numbers(pair.require(key, "an array of numbers"));
}

NormalLaw read_normal(const Field& law) {
  allow_only<2>(law, {"mean", "stddev"});
  return {number_at(law, "mean"), number_at(law, "stddev")};
}

LaplaceLaw read_laplace(const Field& law) {
  allow_only<2>(law, {"location", "scale"});
  return {number_at(law, "location"), number_at(law, "scale")};
}

Field law_at(const Field& pair, std::string_view key) {
  return pair.require(key, "an object: the parameters of the law");
}

DistributionPair normal(const Field& pair) {
  allow_only<3>(pair, {"family", "p", "q"});
  const NormalLaw p = read_normal(law_at(pair, "p"));
  return DistributionPair::normal(p, read_normal(law_at(pair, "q")));
}

DistributionPair laplace(const Field& pair) {
  allow_only<3>(pair, {"family", "p", "q"});
  const LaplaceLaw p = read_laplace(law_at(pair, "p"));
  return DistributionPair::laplace(p, read_laplace(law_at(pair, "q")));
}

DistributionPair bernoulli(const Field& pair) {
  allow_only<3>(pair, {"family", "p", "q"});
  const double p = number_at(pair, "p");
  return DistributionPair::bernoulli(p, number_at(pair, "q"));
}

DistributionPair multivariate_normal(const Field& pair) {
  allow_only<4>(pair, {"family", "p", "q", "covariance"});
  const std::vector<double> p = numbers_at(pair, "p"), q = numbers_at(pair, "q");
  std::vector<std::vector<double>> covariance;
  for (const Field& row : pair.require("covariance", "an array of rows").items()) covariance.push_back(numbers(row));
  return DistributionPair::multivariate_normal(p, q, covariance);
}

DistributionPair discrete(const Field& pair) {
  allow_only<4>(pair, {"family", "p", "q", "normalize"});
  const auto normalize = pair.find("normalize");
  if (normalize && !normalize->value().is_boolean()) normalize->refuse("true or false");
  const bool asked = normalize && normalize->value().get<bool>();
  const std::vector<double> p = numbers_at(pair, "p"), q = numbers_at(pair, "q");
  return DistributionPair::discrete(p, q, asked ? Normalize::yes : Normalize::no);
}

struct Family {
  std::string_view name;
  DistributionPair (*read)(const Field& pair);
};
constexpr std::array<Family, 5> families{{
    {"normal", normal},
    {"multivariate-normal", multivariate_normal},
    {"laplace", laplace},
    {"bernoulli", bernoulli},
    {"discrete", discrete},
}};

const Family& family_of(const Field& pair) {
  std::vector<std::string_view> names;
  for (const Family& family : families) names.push_back(family.name);
  const std::string allowed = Field::one_of(names);
  const Field name = pair.require("family", allowed);
  for (const Family& family : families) {
    if (name.value() == family.name) return family;
  }
  name.refuse(allowed);
}

// Pairs of laws: {"family":"normal","p":{"mean":0,"stddev":1},"q":{...}} and the like.
// Throws InvalidArgument with the path of what is wrong.
DistributionPair read_pair(const Field& pair) {
  const Family& family = family_of(pair);
  try {
    return family.read(pair);
  } catch (const InvalidArgument& error) {
    // The library names its own fields; the readers above know the whole path.
    const std::string prefix = pair.path() + ".";
    if (error.path().starts_with(prefix)) throw;
    throw error.within(prefix);
  }
}

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
  check_length(*list);
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
}  // namespace divergence_file

constinit const Op divergence_op{"divergence", divergence_file::keys, divergence_file::run, false};

}  // namespace renyi::api
