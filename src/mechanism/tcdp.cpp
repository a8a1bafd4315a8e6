// (rho, omega)-tCDP: D_a <= rho a for a < omega, and at omega by continuity (definition of Bun,
// Dwork, Rothblum, Steinke 2018; docs/math/privacy-notions.md, "tCDP").
#include <array>

#include "mechanism/model.h"
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

// (rho, omega)-truncated concentrated DP: D_a <= rho a at orders up to omega.
struct Tcdp {
  double rho = 0.1;
  double omega = 10;

  static constexpr std::string_view kind = "tcdp";
  static constexpr std::string_view summary = "any step of (rho, omega)-truncated concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Tcdp::rho, &Tcdp::omega};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Tcdp&) const = default;
};

std::span<const Parameter> Tcdp::parameters() {
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

std::shared_ptr<const Curve> Tcdp::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(rho, rho, omega);
}

Notes Tcdp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences up to the order omega as the guarantee states them; no exact figures",
          .references = {tcdp_file::truncated_paper}};
}

}  // namespace
}  // namespace tcdp_file

Mechanism table::tcdp() { return mechanism::made(tcdp_file::Tcdp{}); }

}  // namespace renyi
