// Discrete Laplace noise (two-sided geometric) on a query that answers with a whole number
// (docs/math/discrete-noise.md).
#include <array>

#include "mechanism/discrete_laplace/curve.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace {

constexpr double largest_sensitivity = 1e6;

constexpr Reference ghosh2012{
    "ghosh2012",
    "Ghosh, Roughgarden, Sundararajan 2012, Universally utility-maximizing privacy mechanisms "
    "(arXiv:0811.2841v3), Definition 2.1",
    R"(@article{ghosh2012,
  author = {Ghosh, Arpita and Roughgarden, Tim and Sundararajan, Mukund},
  title = {Universally Utility-Maximizing Privacy Mechanisms},
  journal = {SIAM Journal on Computing},
  volume = {41},
  number = {6},
  pages = {1673--1693},
  year = {2012},
  eprint = {0811.2841}
})"};

struct DiscreteLaplace {
  double scale = 1;
  double sensitivity = 1;

  static constexpr std::string_view kind = "discrete-laplace";
  static constexpr std::string_view summary = "discrete Laplace (two-sided geometric) noise on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&DiscreteLaplace::scale, &DiscreteLaplace::sensitivity};
  static Notes notes();
  static constexpr bool is_noise = true;
  std::optional<DiscreteLaplace> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const DiscreteLaplace&) const = default;
};

std::span<const Parameter> DiscreteLaplace::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "scale",
       .meaning = "b: whole x have masses proportional to exp(-|x|/b)",
       .lowest = 1e-3,
       .highest = 1e9,
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

std::shared_ptr<const Curve> DiscreteLaplace::curve() const {
  return std::make_shared<mechanism::DiscreteLaplaceCurve>(scale, sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<DiscreteLaplace> DiscreteLaplace::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return DiscreteLaplace{scale, sensitivity * size};
}

Notes DiscreteLaplace::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number; exact accounting for a sensitivity up to 20000",
          .bound =
              "Renyi divergences, for vectors whose coordinates move by no more than the sensitivity in all; beyond "
              "that sensitivity (epsilon, delta) are those of the Renyi curve",
          .references = {ghosh2012}};
}

}  // namespace

Mechanism table::discrete_laplace() { return DiscreteLaplace{}; }

}  // namespace renyi
