// (rho, omega)-tCDP: D_a <= rho a for a < omega, and at omega by continuity (definition of Bun,
// Dwork, Rothblum, Steinke 2018; docs/math/relatives.md, "tCDP").
#include <array>

#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace tcdp_file {
namespace {

constexpr Reference truncated_paper{
    "bundworkrothblumsteinke2018",
    "Bun, Dwork, Rothblum, Steinke 2018, Composable and versatile privacy via truncated CDP, Definition 1",
    R"(@inproceedings{bundworkrothblumsteinke2018,
  author = {Bun, Mark and Dwork, Cynthia and Rothblum, Guy N. and Steinke, Thomas},
  title = {Composable and Versatile Privacy via Truncated {CDP}},
  booktitle = {ACM Symposium on Theory of Computing (STOC)},
  pages = {74--86},
  year = {2018}
})"};

}  // namespace
}  // namespace tcdp_file

std::span<const Parameter> TruncatedConcentrated::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "rho",
       .meaning = "growth of the divergence with the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "omega",
       .meaning = "last order at which that holds",
       .lowest = 1,
       .highest = 1e100,
       .lowest_allowed = false,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> TruncatedConcentrated::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(rho, rho, omega);
}

Notes TruncatedConcentrated::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences up to the order omega as the guarantee states them; no exact figures",
          .references = {tcdp_file::truncated_paper}};
}

Mechanism table::tcdp() { return TruncatedConcentrated{}; }

}  // namespace renyi
