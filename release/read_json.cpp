// Reads the JSON form of a release, and writes its terms (docs/format/release.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "json/field.h"
#include "json/parse.h"
#include "json/show.h"  // paths of members
#include "json/write.h"
#include "release/read.h"
#include "release/values.h"
#include "renyi/error.h"

namespace renyi::release {
namespace read_json_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 21> statistic_keys{
    "name",     "value",       "bins",        "values",         "integer",     "l1_sensitivity",  "l2_sensitivity",
    "max_bins", "max_per_bin", "max_records", "max_per_record", "nonnegative", "weight",          "mechanism",
    "stddev",   "scale",       "lowest",      "highest",        "round_to",    "expected_lowest", "expected_highest"};
constexpr std::array<std::string_view, 7> request_keys{"renyi-release", "neighbors", "unit",      "budget",
                                                       "divide",        "noise",     "statistics"};
constexpr std::array<std::string_view, 3> budget_keys{"epsilon", "delta", "rho"};
constexpr std::array<std::string_view, 4> mechanisms{"gaussian", "laplace", "discrete-gaussian", "discrete-laplace"};
constexpr std::array all_neighbors{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};
constexpr double largest_weight = 1e6;

// What is read beside values is public, but what stands in its place may be a value: errors repeat nothing.
constexpr std::array<std::string_view, 6> exact_keys{"value",          "values",      "l1_sensitivity",
                                                     "l2_sensitivity", "max_per_bin", "max_per_record"};
constexpr auto known_keys = [] {
  std::array<std::string_view, request_keys.size() + budget_keys.size() + statistic_keys.size()> all{};
  auto end = std::copy(request_keys.begin(), request_keys.end(), all.begin());
  end = std::copy(budget_keys.begin(), budget_keys.end(), end);
  std::copy(statistic_keys.begin(), statistic_keys.end(), end);
  return all;
}();

// A bound on what one person does: a number whose text was kept, or one that was read from it before.
std::optional<double> amount(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  if (!found) return std::nullopt;
  if (!found->value().is_binary()) return found->number();
  const auto& text = found->value().get_binary();
  const double read = amount_of(std::string(text.begin(), text.end()));
  if (std::isnan(read)) found->refuse("a number");
  return read;
}

std::optional<double> number(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? std::optional(found->number()) : std::nullopt;
}

std::optional<std::int64_t> count(const Field& field, std::string_view key) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto found = field.find(key);
  return found ? std::optional(found->integer(1, most)) : std::nullopt;
}

bool truth(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  if (!found) return false;
  if (!found->value().is_boolean()) found->refuse("true or false");
  return found->value().get<bool>();
}

std::string name_in(const Field& field) {
  constexpr std::size_t longest = 200;
  const std::string& name = field.text();
  if (name.empty() || name.size() > longest) field.refuse("a name of 1 to 200 bytes");
  return name;
}

// "mechanism" with the one size that it has.
std::optional<StatedNoise> noise_of(const Field& field) {
  const auto mechanism = field.find("mechanism");
  const auto stddev = field.find("stddev"), scale = field.find("scale");
  if (!mechanism) {
    for (const auto& size : {stddev, scale}) {
      if (size)
        throw InvalidArgument(json::member_path(field.path(), "mechanism"), "nothing", Field::one_of(mechanisms));
    }
    return std::nullopt;
  }
  if (std::find(mechanisms.begin(), mechanisms.end(), mechanism->text()) == mechanisms.end()) {
    mechanism->refuse_name(mechanisms);
  }
  const bool is_gaussian = mechanism->text().ends_with("gaussian");
  const auto& wrong = is_gaussian ? scale : stddev;
  if (wrong) {
    wrong->refuse(fmt::format("{} for {}", is_gaussian ? "stddev" : "scale", mechanism->text()));
  }
  const Field size = field.require(is_gaussian ? "stddev" : "scale", "a positive number");
  if (!(size.number() > 0)) size.refuse("a positive number");
  return StatedNoise{mechanism->text(), size.number()};
}

void check_post_processing(const Field& field, const Statistic& statistic) {
  if (statistic.round_to && !(*statistic.round_to > 0)) field.find("round_to")->refuse("a positive number");
  if (statistic.lowest && statistic.highest && !(*statistic.lowest <= *statistic.highest)) {
    field.find("lowest")->refuse("a number that is not above highest");
  }
  if (!statistic.is_integer) return;
  for (const char* key : {"lowest", "highest", "round_to"}) {
    const auto bound = number(field, key);
    if (bound && (*bound != std::floor(*bound) || std::abs(*bound) > 0x1p53)) {
      field.find(key)->refuse("a whole number up to 2^53 for an integer");
    }
  }
}

Values values_of(const Field& field, const Statistic& statistic) {
  const bool is_number = statistic.bins.empty();
  const Field all = field.require(is_number ? "value" : "values", is_number ? "a number" : "an array of numbers");
  std::vector<Field> each{all};
  if (!is_number) each = all.value().is_array() ? all.items() : std::vector<Field>{};
  if (each.size() != statistic.size() || (!is_number && !all.value().is_array())) {
    throw InvalidArgument(all.path(), "another number of values",
                          fmt::format("an array of {} numbers", statistic.size()));
  }
  std::vector<noise::ExactNumber> values;
  for (const Field& one : each) {
    const auto value = value_in(one.value());
    if (!value) throw InvalidArgument(one.path(), "something that is not a number", "a number");
    values.push_back(*value);
  }
  return values;
}

void read_budget(const Field& field, TotalBudget& budget) {
  field.allow_only(budget_keys);
  budget = {.epsilon = number(field, "epsilon"), .delta = number(field, "delta"), .rho = number(field, "rho")};
}

void put(Json& object, const char* key, const std::optional<double>& number) {
  if (number) object[key] = json::number(*number);
}

Json document_of(const Statistic& statistic) {
  Json object{{"name", statistic.name}};
  if (!statistic.bins.empty()) object["bins"] = statistic.bins;
  object["integer"] = statistic.is_integer;
  const ContributionBounds& bounds = statistic.bounds;
  put(object, "l1_sensitivity", bounds.l1_sensitivity);
  put(object, "l2_sensitivity", bounds.l2_sensitivity);
  if (bounds.max_bins) object["max_bins"] = *bounds.max_bins;
  put(object, "max_per_bin", bounds.max_per_bin);
  if (bounds.max_records) object["max_records"] = *bounds.max_records;
  put(object, "max_per_record", bounds.max_per_record);
  if (bounds.is_nonnegative) object["nonnegative"] = true;
  put(object, "weight", statistic.weight);
  if (statistic.noise) {
    object["mechanism"] = statistic.noise->mechanism;
    object[statistic.noise->mechanism.ends_with("gaussian") ? "stddev" : "scale"] = statistic.noise->size;
  }
  put(object, "lowest", statistic.lowest);
  put(object, "highest", statistic.highest);
  put(object, "round_to", statistic.round_to);
  put(object, "expected_lowest", statistic.expected_lowest);
  put(object, "expected_highest", statistic.expected_highest);
  return object;
}

}  // namespace
}  // namespace read_json_file

Statistic read_statistic(const json::Field& field) {
  namespace file = read_json_file;
  field.allow_only(file::statistic_keys);
  Statistic statistic{.name = file::name_in(field.require("name", "a string"))};
  if (const auto bins = field.find("bins")) {
    for (const json::Field& bin : bins->items()) statistic.bins.push_back(file::name_in(bin));
    const std::set<std::string> distinct(statistic.bins.begin(), statistic.bins.end());
    if (statistic.bins.empty() || distinct.size() != statistic.bins.size()) {
      throw InvalidArgument(bins->path(), statistic.bins.empty() ? "none" : "a repeated name", "names that differ");
    }
  }
  statistic.is_integer = file::truth(field, "integer");
  statistic.bounds = {.l1_sensitivity = file::amount(field, "l1_sensitivity"),
                      .l2_sensitivity = file::amount(field, "l2_sensitivity"),
                      .max_bins = file::count(field, "max_bins"),
                      .max_per_bin = file::amount(field, "max_per_bin"),
                      .max_records = file::count(field, "max_records"),
                      .max_per_record = file::amount(field, "max_per_record"),
                      .is_nonnegative = file::truth(field, "nonnegative")};
  statistic.weight = file::number(field, "weight");
  if (statistic.weight &&
      !(*statistic.weight >= 1 / file::largest_weight && *statistic.weight <= file::largest_weight)) {
    field.find("weight")->refuse("a number from 1e-6 to 1e6");
  }
  statistic.noise = file::noise_of(field);
  if (statistic.noise && statistic.weight) {
    field.find("weight")->refuse("no weight beside a mechanism: what is stated is not divided");
  }
  if (statistic.noise && statistic.noise->mechanism.starts_with("discrete-") && !statistic.is_integer) {
    field.find("mechanism")->refuse("gaussian or laplace, unless \"integer\" is true");
  }
  statistic.lowest = file::number(field, "lowest");
  statistic.highest = file::number(field, "highest");
  statistic.round_to = file::number(field, "round_to");
  statistic.expected_lowest = file::number(field, "expected_lowest");
  statistic.expected_highest = file::number(field, "expected_highest");
  file::check_post_processing(field, statistic);
  return statistic;
}

void add(Request& request, Statistic statistic, Values values) {
  request.terms.statistics.push_back(std::move(statistic));
  request.values.push_back(std::move(values));
}

void check_names(const Terms& terms) {
  if (terms.statistics.empty()) throw InvalidArgument("statistics", "none", "one statistic or more");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < terms.statistics.size(); ++i) {
    if (names.insert(terms.statistics[i].name).second) continue;
    throw InvalidArgument(json::member_path(json::element_path("statistics", i), "name"), "a repeated name",
                          "a name that no other statistic has");
  }
}

Request read_json(std::string_view text) {
  namespace file = read_json_file;
  const json::Json document =
      json::parse_confidential(with_readable_numbers(text), {.keys = file::known_keys, .exact_keys = file::exact_keys});
  const json::Field field(document, {}, json::Content::hidden);
  field.allow_only(file::request_keys);
  field.require("renyi-release", "the format version, 1").integer(1, 1);
  Request request;
  Terms& terms = request.terms;
  if (const auto neighbors = field.find("neighbors")) {
    terms.neighbors = neighbors->choose(std::span<const Neighbors>(file::all_neighbors));
  }
  if (const auto unit = field.find("unit")) terms.unit = unit->integer(1, largest_unit);
  if (const auto budget = field.find("budget")) file::read_budget(*budget, terms.budget);
  if (const auto division = field.find("divide")) {
    terms.division = division->choose(std::span<const Division>(all_divisions));
  }
  if (const auto family = field.find("noise")) {
    terms.family = family->choose(std::span<const NoiseFamily>(all_families));
  }
  for (const json::Field& each : field.require("statistics", "an array").items()) {
    Statistic statistic = read_statistic(each);
    Values values = file::values_of(each, statistic);
    add(request, std::move(statistic), std::move(values));
  }
  check_names(terms);
  return request;
}

std::string write_terms(const Terms& terms, const Adjacency& relation) {
  namespace file = read_json_file;
  json::Json statistics = json::Json::array();
  for (const Statistic& statistic : terms.statistics) statistics.push_back(file::document_of(statistic));
  json::Json budget = json::Json::object();
  file::put(budget, "epsilon", terms.budget.epsilon);
  file::put(budget, "delta", terms.budget.delta);
  file::put(budget, "rho", terms.budget.rho);
  json::Json document{{"renyi-release", 1}, {"neighbors", to_string(relation.neighbors)}, {"unit", relation.unit}};
  document["budget"] = std::move(budget);
  if (terms.division) document["divide"] = to_string(*terms.division);
  if (terms.family) document["noise"] = to_string(*terms.family);
  document["statistics"] = std::move(statistics);
  return json::write(document);
}

}  // namespace renyi::release
