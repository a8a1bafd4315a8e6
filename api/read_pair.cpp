#include "api/read_pair.h"

#include <array>
#include <string>
#include <vector>

#include "renyi/error.h"

namespace renyi::api {
namespace {

using json::Field;

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

}  // namespace

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

}  // namespace renyi::api
