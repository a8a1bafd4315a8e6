// (mu, tau)-CDP implies D_a <= mu + (a-1) tau^2/2 (definition of Dwork, Rothblum 2016;
// docs/math/relatives.md, "CDP").
#include <array>

#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace mechanism_cdp_file {
namespace {

constexpr Reference concentrated_paper{
    "dworkrothblum2016", "Dwork, Rothblum 2016, Concentrated differential privacy (arXiv:1603.01887v2), Definition 1.1",
    R"(@misc{dworkrothblum2016,
  author = {Dwork, Cynthia and Rothblum, Guy N.},
  title = {Concentrated Differential Privacy},
  year = {2016},
  eprint = {1603.01887}
})"};

}  // namespace
}  // namespace mechanism_cdp_file

std::span<const Parameter> Concentrated::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "mu",
       .meaning = "bound on the mean of the loss",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "tau",
       .meaning = "subgaussian standard of the loss",
       .lowest = 1e-100,
       .highest = 1e25,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Concentrated::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(mu, 0.5 * tau * tau, mechanism::SubgaussianLoss{mu, tau});
}

Notes Concentrated::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences that a subgaussian loss allows; no exact figures",
          .references = {mechanism_cdp_file::concentrated_paper}};
}

Mechanism table::cdp() { return Concentrated{}; }

}  // namespace renyi
