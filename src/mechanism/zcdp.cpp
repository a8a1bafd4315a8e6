// (xi, rho)-zCDP: D_a <= xi + rho a (Bun, Steinke 2016, Definition 1.1;
// docs/math/privacy-notions.md).
#include <array>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace zcdp_file {
namespace {

// (xi, rho)-zero-concentrated DP: D_a <= xi + rho a at every order.
struct Zcdp {
  double rho = 0.1;
  double xi = 0;

  static constexpr std::string_view kind = "zcdp";
  static constexpr std::string_view summary = "any step of (xi, rho)-zero-concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Zcdp::rho, &Zcdp::xi};
  static Notes notes();
  std::optional<Zcdp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Zcdp&) const = default;
};

std::span<const Parameter> Zcdp::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "rho",
       .meaning = "growth of the divergence with the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "xi",
       .meaning = "divergence beyond rho times the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .fallback = 0.0,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Zcdp::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(xi + rho, rho, mechanism::DivergenceLine{xi, rho});
}

// rho grows with the square of the group size (Bun, Steinke 2016, Proposition 1.9), which is stated for xi = 0.
std::optional<Zcdp> Zcdp::for_group(double size) const {
  if (xi > 0) return std::nullopt;
  return Zcdp{mechanism::grown(rho, size * size), 0};
}

Notes Zcdp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences as the guarantee states them; no exact figures, since it is no law of the loss",
          .references = {reference::bun_steinke2016}};
}

}  // namespace
}  // namespace zcdp_file

Mechanism mechanism::bounded_divergence_step(double xi) { return made(zcdp_file::Zcdp{.rho = 0, .xi = xi}); }

Mechanism table::zcdp() { return mechanism::made(zcdp_file::Zcdp{}); }

}  // namespace renyi
