// Any epsilon-DP step: no curve lies above that of randomized response with the
// same epsilon (docs/math/closed-form-curves.md, "Pure DP", with proof).
#include <array>
#include <cmath>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace pure_dp_file {
namespace {

// Any step known only to be epsilon-differentially private.
struct PureDp {
  double epsilon = 1;

  static constexpr std::string_view kind = "pure-dp";
  static constexpr std::string_view summary = "any epsilon-differentially private step";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&PureDp::epsilon};
  static Notes notes();
  std::optional<PureDp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const PureDp&) const = default;
};

std::span<const Parameter> PureDp::parameters() {
  static constexpr std::array<Parameter, 1> table{{
      {.name = "epsilon",
       .meaning = "the step's pure epsilon",
       .lowest = 0,
       .highest = 1e50,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> PureDp::curve() const {
  const double low = std::exp(-epsilon) / (1 + std::exp(-epsilon));
  return std::make_shared<mechanism::TwoSidedCurve>(epsilon, 1 / (1 + std::exp(-epsilon)), low, 0, 0,
                                                    Knowledge::profile, mechanism::TwoLosses{epsilon});
}

// Pure epsilons add along a chain of neighbours.
std::optional<PureDp> PureDp::for_group(double size) const { return PureDp{mechanism::grown(epsilon, size)}; }

Notes PureDp::notes() {
  return {.relation = "the one its epsilon is stated for",
          .exact = "for randomized response of that epsilon",
          .bound = "for every other step of that epsilon, and the best that epsilon alone allows",
          .references = {reference::mironov2017, reference::bun_steinke2016}};
}

}  // namespace
}  // namespace pure_dp_file

Mechanism mechanism::pure_step(double epsilon) { return made(pure_dp_file::PureDp{epsilon}); }

std::shared_ptr<const Curve> mechanism::pure_curve(double epsilon) {
  const pure_dp_file::PureDp pure{epsilon};
  return pure.parameters()[0].allows(epsilon) ? pure.curve() : nullptr;
}

Mechanism table::pure_dp() { return mechanism::made(pure_dp_file::PureDp{}); }

}  // namespace renyi
