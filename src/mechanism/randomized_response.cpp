// Randomized response over k categories (docs/math/closed-form-curves.md, "Randomized response"). The true answer has
// probability p and each other answer r = (1-p)/(k-1): the loss is ln(p/r) with probability p, its negative with
// probability r, and 0 otherwise. For p < r the two exchange their roles.
#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace randomized_response_file {
namespace {

// Gives the true answer with probability `truth_probability`, otherwise one of the other `categories` - 1 answers, each
// equally likely.
struct RandomizedResponse {
  double truth_probability = 0.75;
  double categories = 2;

  static constexpr std::string_view kind = "randomized-response";
  static constexpr std::string_view summary = "randomized response with two or more categories";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&RandomizedResponse::truth_probability, &RandomizedResponse::categories};
  static Notes notes();
  std::optional<RandomizedResponse> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const RandomizedResponse&) const = default;
};

std::span<const Parameter> RandomizedResponse::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "truth_probability",
       .meaning = "probability of the true answer",
       .lowest = 0,
       .highest = 1,
       .lowest_allowed = false,
       .highest_allowed = false},
      {.name = "categories",
       .meaning = "number of possible answers",
       .lowest = 2,
       .highest = 1e15,
       .whole = true,
       .fallback = 2.0},
  }};
  return table;
}

std::shared_ptr<const Curve> RandomizedResponse::curve() const {
  const double others = categories - 1;
  const double p = truth_probability, r = (1 - p) / others;
  // |ln(p/r)| = ln(1 + |p-r|/min(p,r)), with p - r = (p k - 1)/(k-1) rounded once
  // where it counts, for p near 1/k.
  const double difference = std::fma(p, categories, -1.0) / others;
  const double smaller = std::min(p, r), gap = std::abs(difference);
  const double ratio = std::max(p, r) / smaller;  // infinite only for p below 1e-308
  const double e = gap < smaller          ? std::log1p(gap / smaller)
                   : std::isfinite(ratio) ? std::log(ratio)
                                          : std::log(std::max(p, r)) - std::log(smaller);
  const double rest = (categories - 2) * r;
  constexpr double ulps = 8;  // p k - 1 rounded once, quotients, log1p
  return std::make_shared<mechanism::TwoSidedCurve>(e, std::max(p, r), smaller, rest, ulps, Knowledge::loss,
                                                    mechanism::CategoricalResponse{truth_probability, categories});
}

// The parameters hold for any two datasets, so that a group of any size has the same ones.
std::optional<RandomizedResponse> RandomizedResponse::for_group(double) const { return *this; }

Notes RandomizedResponse::notes() {
  return {.relation = "any: the response is of a predicate of the dataset, or of a record by itself under replace-one",
          .exact = "everything",
          .bound = "",
          .references = {reference::mironov2017}};
}

}  // namespace
}  // namespace randomized_response_file

Mechanism table::randomized_response() { return mechanism::made(randomized_response_file::RandomizedResponse{}); }

}  // namespace renyi
