// Any (epsilon, delta)-DP step: none has a larger (epsilon', delta') profile than randomized response with that epsilon
// which reveals the dataset with probability delta (Kairouz, Oh, Viswanath 2015, arXiv:1311.0776v4, Theorem 3.3;
// docs/math/infinite-loss.md, "Approximate DP").
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "numerics/extended.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace approx_dp_file {
namespace {

struct ApproxDp {
  double epsilon = 1;
  double delta = 1e-6;

  static constexpr std::string_view kind = "approx-dp";
  static constexpr std::string_view summary = "any (epsilon, delta)-differentially private step";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&ApproxDp::epsilon, &ApproxDp::delta};
  static Notes notes();
  std::optional<ApproxDp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const ApproxDp&) const = default;
};

std::span<const Parameter> ApproxDp::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "epsilon", .meaning = "the step's epsilon", .lowest = 0, .highest = 1e50, .effect = Effect::raises_cost},
      {.name = "delta",
       .meaning = "the step's delta",
       .lowest = 1e-300,
       .highest = 1,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> ApproxDp::curve() const {
  if (delta == 0) return mechanism::pure_curve(epsilon);
  return std::make_shared<mechanism::InfiniteLossCurve>(delta, mechanism::pure_step(epsilon));
}

// Returns d (e^(k e) - 1)/(e^e - 1), or d k where e is 0, rounded up; infinite where it is beyond long double. The
// exponents round by their own size.
long double grown_delta(long double delta, long double epsilon, long double k) {
  const long double growth = epsilon == 0 ? k : std::expm1(k * epsilon) / std::expm1(epsilon);
  return delta * growth * (1 + (16 + 4 * k * epsilon) * numerics::extended_epsilon);
}

// P_0(S) <= e^e P_1(S) + d <= ... <= e^(ke) P_k(S) + d (1 + e^e + ... + e^((k-1)e)) along a chain of neighbours.
std::optional<ApproxDp> ApproxDp::for_group(double size) const {
  const double grown_epsilon = mechanism::grown(epsilon, size);
  if (delta == 0 || size == 1) return ApproxDp{size == 1 ? epsilon : grown_epsilon, delta};
  const double grown = numerics::next_up(static_cast<double>(grown_delta(delta, epsilon, size)));
  return ApproxDp{grown_epsilon, grown < 1 ? grown : 1};  // also 1 if `grown` is NaN
}

constexpr Reference optimal_composition{
    "kairouz2015",
    "Kairouz, Oh, Viswanath 2015, The composition theorem for differential privacy (arXiv:1311.0776v4), Theorem 3.3",
    R"(@inproceedings{kairouz2015,
  author = {Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod},
  title = {The Composition Theorem for Differential Privacy},
  booktitle = {International Conference on Machine Learning (ICML)},
  pages = {1376--1385},
  year = {2015},
  eprint = {1311.0776}
})"};

constexpr Reference subsampling{
    "balle2018", "Balle, Barthe, Gaboardi 2018, Privacy amplification by subsampling (arXiv:1807.01647), Theorems 8, 9",
    R"(@inproceedings{balle2018,
  author = {Balle, Borja and Barthe, Gilles and Gaboardi, Marco},
  title = {Privacy Amplification by Subsampling: Tight Analyses via Couplings and Divergences},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2018},
  eprint = {1807.01647}
})"};

Notes ApproxDp::notes() {
  return {.relation = "the one its epsilon and delta are stated for",
          .exact = "for randomized response of that epsilon that fails openly with probability delta",
          .bound =
              "for every other step of that epsilon and delta, and the best these two alone allow. It has no "
              "Renyi curve: every order above 1 is infinite, and Renyi answers pay its delta apart",
          .references = {optimal_composition, subsampling}};
}

}  // namespace
}  // namespace approx_dp_file

Mechanism table::approx_dp() { return mechanism::made(approx_dp_file::ApproxDp{}); }

}  // namespace renyi
