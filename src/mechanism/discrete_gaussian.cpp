// Discrete Gaussian noise on a query that answers with a whole number (Canonne, Kamath, Steinke 2020;
// docs/math/discrete-noise.md).
#include <array>

#include "mechanism/discrete_gaussian/curve.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace {

constexpr double largest_sensitivity = 1e6;

constexpr Reference canonne2020{
    "canonne2020",
    "Canonne, Kamath, Steinke 2020, The discrete Gaussian for differential privacy (arXiv:2004.00010v5), Definition 1, "
    "Theorem 4 and Proposition 5",
    R"(@inproceedings{canonne2020,
  author = {Canonne, Cl{\'e}ment L. and Kamath, Gautam and Steinke, Thomas},
  title = {The Discrete {G}aussian for Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems},
  volume = {33},
  pages = {15676--15688},
  year = {2020},
  eprint = {2004.00010}
})"};

struct DiscreteGaussian {
  double stddev = 1;
  double sensitivity = 1;

  static constexpr std::string_view kind = "discrete-gaussian";
  static constexpr std::string_view summary = "discrete Gaussian noise on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&DiscreteGaussian::stddev, &DiscreteGaussian::sensitivity};
  static Notes notes();
  static constexpr bool is_noise = true;
  std::optional<DiscreteGaussian> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const DiscreteGaussian&) const = default;
};

std::span<const Parameter> DiscreteGaussian::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "stddev",
       .meaning = "sigma: whole x have masses proportional to exp(-x^2/(2 sigma^2))",
       .lowest = 0.01,
       .highest = 1e6,
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

std::shared_ptr<const Curve> DiscreteGaussian::curve() const {
  return std::make_shared<mechanism::DiscreteGaussianCurve>(stddev, sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<DiscreteGaussian> DiscreteGaussian::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return DiscreteGaussian{stddev, sensitivity * size};
}

Notes DiscreteGaussian::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number; exact accounting for stddev up to 5000",
          .bound = "beyond that stddev (epsilon, delta) are those of the Renyi curve, which is exact",
          .references = {canonne2020}};
}

}  // namespace

Mechanism table::discrete_gaussian() { return DiscreteGaussian{}; }

}  // namespace renyi
