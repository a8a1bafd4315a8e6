// (mu, tau)-CDP implies D_a <= mu + (a-1) tau^2/2 (definition of Dwork, Rothblum 2016;
// docs/math/privacy-notions.md, "CDP").
#include <array>

#include "mechanism/model.h"
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

// (mu, tau)-concentrated DP: the loss has mean at most mu and is subgaussian with standard tau about its mean.
struct Cdp {
  double mu = 0.1;
  double tau = 0.5;

  static constexpr std::string_view kind = "cdp";
  static constexpr std::string_view summary = "any step of (mu, tau)-concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Cdp::mu, &Cdp::tau};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Cdp&) const = default;
};

std::span<const Parameter> Cdp::parameters() {
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

std::shared_ptr<const Curve> Cdp::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(mu, 0.5 * tau * tau, mechanism::SubgaussianLoss{mu, tau});
}

Notes Cdp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences that a subgaussian loss allows; no exact figures",
          .references = {mechanism_cdp_file::concentrated_paper}};
}

}  // namespace
}  // namespace mechanism_cdp_file

Mechanism table::cdp() { return mechanism::made(mechanism_cdp_file::Cdp{}); }

}  // namespace renyi
