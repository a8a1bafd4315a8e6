// mu-GDP: every such step is a post-processing of N(0, 1) against N(mu, 1) (Dong, Roth, Su
// 2022, by Blackwell's theorem; docs/math/privacy-notions.md, "GDP"), so its curve lies below theirs.
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace mechanism_gdp_file {
namespace {

// mu-Gaussian DP: the two distributions are at least as hard to distinguish by a test as N(0, 1) and N(mu, 1).
struct Gdp {
  double mu = 0.5;

  static constexpr std::string_view kind = "gdp";
  static constexpr std::string_view summary = "any step of mu-Gaussian differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Gdp::mu};
  static Notes notes();
  std::optional<Gdp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Gdp&) const = default;
};

std::span<const Parameter> Gdp::parameters() {
  static constexpr std::array<Parameter, 1> table{{
      {.name = "mu",
       .meaning = "mu of Gaussian differential privacy",
       .lowest = 1e-100,
       .highest = 1e25,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Gdp::curve() const {
  if (mu == 0) return std::make_shared<mechanism::ZeroCurve>();
  return std::make_shared<mechanism::GaussianCurve>(mechanism::NormalShift{mu, 1}, Knowledge::profile);
}

// mu adds along a chain of neighbours (Dong, Roth, Su 2022, Theorem 2).
std::optional<Gdp> Gdp::for_group(double size) const { return Gdp{mechanism::grown(mu, size)}; }

Notes Gdp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "for Gaussian noise of that mu",
          .bound = "for every other step of that mu, and the best that mu alone allows",
          .references = {reference::dong_roth_su2022}};
}

}  // namespace
}  // namespace mechanism_gdp_file

std::optional<Mechanism> mechanism::gaussian_dp_step(double mu) {
  if (!mechanism_gdp_file::Gdp::parameters()[0].allows(mu)) return std::nullopt;
  return made(mechanism_gdp_file::Gdp{mu});
}

Mechanism table::gdp() { return mechanism::made(mechanism_gdp_file::Gdp{}); }

}  // namespace renyi
