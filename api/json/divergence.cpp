// {"op":"divergence","pair":{...},"orders":[0.5,1,2,"inf"],"epsilons":[1]} ->
// {"renyi":[{"order","p_q","q_p"}...],"kl":{"p_q","q_p"},"total_variation":{"lower","upper"},"hockey_stick":[...]}
#include "api/divergence.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/extras/curve.h"

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

// A pair and the description it was read from.
struct Pair {
  PairDescription description;
  DistributionPair laws;
};

// Reads a distribution that is given by two named numbers.
LawDescription read_law(const Field& pair, std::string_view key, const std::array<std::string_view, 2>& names) {
  const Field law = pair.require(key, "an object: the parameters of the law");
  allow_only(law, names);
  return {{number_at(law, names[0]), number_at(law, names[1])}, {names.begin(), names.end()}};
}

Pair normal(const Field& pair) {
  static constexpr std::array<std::string_view, 2> names{"mean", "stddev"};
  allow_only<3>(pair, {"family", "p", "q"});
  PairDescription description{.family = "normal", .p = read_law(pair, "p", names)};
  description.q = read_law(pair, "q", names);
  const auto law = [](const LawDescription& of) { return NormalLaw{of.numbers[0], of.numbers[1]}; };
  auto laws = DistributionPair::normal(law(description.p), law(description.q));
  return {std::move(description), std::move(laws)};
}

Pair laplace(const Field& pair) {
  static constexpr std::array<std::string_view, 2> names{"location", "scale"};
  allow_only<3>(pair, {"family", "p", "q"});
  PairDescription description{.family = "laplace", .p = read_law(pair, "p", names)};
  description.q = read_law(pair, "q", names);
  const auto law = [](const LawDescription& of) { return LaplaceLaw{of.numbers[0], of.numbers[1]}; };
  auto laws = DistributionPair::laplace(law(description.p), law(description.q));
  return {std::move(description), std::move(laws)};
}

Pair bernoulli(const Field& pair) {
  allow_only<3>(pair, {"family", "p", "q"});
  const double p = number_at(pair, "p"), q = number_at(pair, "q");
  auto laws = DistributionPair::bernoulli(p, q);
  return {{.family = "bernoulli", .p = {{p}}, .q = {{q}}}, std::move(laws)};
}

Pair multivariate_normal(const Field& pair) {
  allow_only<4>(pair, {"family", "p", "q", "covariance"});
  std::vector<double> p = numbers_at(pair, "p"), q = numbers_at(pair, "q");
  std::vector<std::vector<double>> covariance;
  for (const Field& row : pair.require("covariance", "an array of rows").items()) covariance.push_back(numbers(row));
  auto laws = DistributionPair::multivariate_normal(p, q, covariance);
  return {{.family = "multivariate-normal", .p = {std::move(p)}, .q = {std::move(q)}}, std::move(laws)};
}

Pair discrete(const Field& pair) {
  allow_only<4>(pair, {"family", "p", "q", "normalize"});
  const auto normalize = pair.find("normalize");
  if (normalize && !normalize->value().is_boolean()) normalize->refuse("true or false");
  const bool weights = normalize && normalize->value().get<bool>();
  std::vector<double> p = numbers_at(pair, "p"), q = numbers_at(pair, "q");
  auto laws = DistributionPair::discrete(p, q, weights ? Normalize::yes : Normalize::no);
  return {{.family = "discrete", .p = {std::move(p)}, .q = {std::move(q)}, .weights = weights}, std::move(laws)};
}

struct Family {
  std::string_view name;
  Pair (*read)(const Field& pair);
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
  const Field name = pair.require("family", Field::one_of(names));
  for (const Family& family : families) {
    if (name.value() == family.name) return family;
  }
  name.refuse_name(names);
}

// Reads pairs of distributions: {"family":"normal","p":{"mean":0,"stddev":1},"q":{...}} and the like. Throws
// InvalidArgument with the path of the invalid member.
Pair read_pair(const Field& pair) {
  const Family& family = family_of(pair);
  try {
    return family.read(pair);
  } catch (const InvalidArgument& error) {
    // The library reports the names of its own fields; the readers above know the whole path.
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

DivergenceRequest read(const Request& request) {
  Pair pair = read_pair(request.require("pair", "an object: the family and its two laws"));
  DivergenceRequest asked{.description = std::move(pair.description), .pair = std::move(pair.laws)};
  asked.orders = read_list(request, "orders", {0.5, 1, 2, std::numeric_limits<double>::infinity()}, read_order);
  asked.epsilons = read_list(request, "epsilons", {}, read_one_epsilon);
  return asked;
}

Json write_ends(const Interval& ends) { return write_interval(ends.lower, ends.upper); }

void add_both(Json& answer, const BothDivergences& both) {
  answer["p_q"] = write_ends(both.p_q);
  answer["q_p"] = write_ends(both.q_p);
}

Json write_rows(const std::string& at, const std::vector<DivergenceRow>& rows) {
  Json all = Json::array();
  for (const DivergenceRow& row : rows) {
    Json& written = all.emplace_back(Json::object());
    written[at] = json::number(row.at);
    add_both(written, row.both);
  }
  return all;
}

Json write(const DivergenceAnswer& found) {
  Json answer = Json::object();
  answer["renyi"] = write_rows("order", found.renyi);
  add_both(answer["kl"], found.kl);
  answer["total_variation"] = write_ends(found.total_variation);
  answer["hockey_stick"] = write_rows("epsilon", found.hockey_stick);
  return answer;
}

}  // namespace
}  // namespace divergence_file

constinit const Op divergence_op{"divergence", divergence_file::keys,
                                 run<divergence_file::read, divergence_file::write>, false};

DivergenceRequest read_divergence(const Document& request) {
  return divergence_file::read(checked(divergence_op, request));
}

std::string write(const Document& request, const DivergenceAnswer& answer) {
  return written(divergence_op, request, divergence_file::write(answer));
}

}  // namespace renyi::api
