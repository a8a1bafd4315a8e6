// Skellam noise, the difference of two Poisson variables, on a query that answers with a whole number (Agarwal,
// Kairouz, Liu 2021; docs/math/discrete-noise.md).
#include <array>

#include "mechanism/references.h"
#include "mechanism/skellam/curve.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace {

constexpr double largest_sensitivity = 16;

struct Skellam {
  double variance = 10;
  double sensitivity = 1;

  static constexpr std::string_view kind = "skellam";
  static constexpr std::string_view summary = "Skellam noise (a difference of two Poisson variables) on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Skellam::variance, &Skellam::sensitivity};
  static Notes notes();
  static constexpr bool is_noise = true;
  std::optional<Skellam> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Skellam&) const = default;
};

std::span<const Parameter> Skellam::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "variance",
       .meaning = "variance of the noise: each Poisson variable has half of it",
       .lowest = 0.1,
       .highest = 1e4,
       .effect = Effect::lowers_cost},
      {.name = "sensitivity",
       .meaning = "how far one record moves the query, a whole number",
       .lowest = 1,
       .highest = largest_sensitivity,
       .whole = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Skellam::curve() const {
  return std::make_shared<mechanism::SkellamCurve>(variance, sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<Skellam> Skellam::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return Skellam{variance, sensitivity * size};
}

Notes Skellam::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number, at orders up to 110000",
          .bound = "beyond that order, by the published bound",
          .references = {reference::agarwal2021}};
}

}  // namespace

Mechanism table::skellam() { return Skellam{}; }

}  // namespace renyi
