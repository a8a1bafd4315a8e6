// Converts a plan to other privacy notions (docs/math/privacy-notions.md): the smallest parameters with which the plan
// satisfies pure DP, zCDP, tCDP, CDP, GDP or the moments accountant, or the reason why there are none.
//
//     const auto zcdp = renyi::to_zcdp(plan);
//     if (zcdp.found) std::cout << "rho = " << zcdp.found->rho.upper << "\n";
//     else std::cout << zcdp.none << "\n";
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// The privacy notions that this header supports.
enum class Notion { pure, zcdp, tcdp, cdp, gdp, moments };
// Returns "pure", "zcdp", "tcdp", "cdp", "gdp" or "moments".
[[nodiscard]] std::string_view to_string(Notion notion) noexcept;
[[nodiscard]] std::span<const Notion> all_notions() noexcept;

// Every interval below contains the smallest value of a parameter, and its upper end is a bound. Steps for which
// only bounds on the divergences are known (renyi/extras/custom.h) add nothing to the lower bound.

// The parameters of one privacy notion, or the reason why there are none.
template <class Parameters>
struct NotionAnswer {
  std::optional<Parameters> found{};
  // The reason if `found` is not set: "none exists, because ..." if this is proved, else "none is known, because ...".
  std::string none{};
  std::string note{};         // a remark about the parameters
  std::string_view source{};  // the theorem that the result uses
};

// Pure DP: the privacy loss is at most epsilon.
struct PureParameters {
  Interval epsilon{};
};
// (xi, rho)-zCDP: D_a <= xi + rho a at every order a > 1.
struct ZcdpParameters {
  Interval rho{};
  Interval xi{};
};
// (rho, omega)-tCDP: D_a <= rho a at every order a <= omega.
struct TcdpParameters {
  double omega = 0;
  Interval rho{};
};
// (mu, tau)-CDP: E[L] <= mu for the privacy loss L, and L - E[L] is subgaussian with standard tau.
struct CdpParameters {
  Interval mu{};
  Interval tau{};
};
// mu-GDP: neighbouring datasets are at least as hard to distinguish as N(0, 1) and N(mu, 1).
struct GdpParameters {
  Interval mu{};
  // The mu of the central limit theorem of Bu, Dong, Long, Su 2019, if it applies. It is an estimate, not a bound.
  std::optional<double> mu_estimate{};
};
// The moments accountant: K(lambda) <= alpha, which is (lambda + 1, epsilon)-RDP.
struct MomentsParameters {
  double lambda = 0;
  double alpha = 0;    // upper bound
  double epsilon = 0;  // alpha / lambda, rounded up
};

// Each of the following functions computes the parameters of one privacy notion.
[[nodiscard]] NotionAnswer<PureParameters> to_pure(const Analysis& analysis);
// If `rho` is given, computes the smallest xi for this rho; otherwise the smallest rho for xi = 0.
[[nodiscard]] NotionAnswer<ZcdpParameters> to_zcdp(const Analysis& analysis, std::optional<double> rho = {});
// `omega` is in (1, largest_order].
[[nodiscard]] NotionAnswer<TcdpParameters> to_tcdp(const Analysis& analysis, double omega);
[[nodiscard]] NotionAnswer<CdpParameters> to_cdp(const Analysis& analysis);
[[nodiscard]] NotionAnswer<GdpParameters> to_gdp(const Analysis& analysis);
// `lambda` is in (0, largest_order - 1].
[[nodiscard]] NotionAnswer<MomentsParameters> to_moments(const Analysis& analysis, double lambda);

}  // namespace renyi
