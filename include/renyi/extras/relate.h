// From any plan to the relatives of Renyi DP (docs/math/privacy-notions.md): the smallest
// parameters with which the plan satisfies each, or why there are none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

enum class Notion { pure, zcdp, tcdp, cdp, gdp, moments };
// "pure", "zcdp", "tcdp", "cdp", "gdp", "moments".
std::string_view to_string(Notion notion) noexcept;
std::span<const Notion> all_notions() noexcept;

// Every interval here holds the smallest value of a parameter, and its upper end is a guarantee. Steps that are known
// by a bound on their divergences alone (renyi/extras/custom.h) add nothing to the lower end.

template <class Parameters>
struct Relation {
  std::optional<Parameters> found{};
  // Where nothing was found: "none exists, because ..." where that is proved, else "none is known, because ...".
  std::string none{};
  std::string note{};         // what to know about it
  std::string_view source{};  // the theorem it rests on
};

struct PureParameters {
  Interval epsilon{};
};
// D_a <= xi + rho a
struct ZcdpParameters {
  Interval rho{};
  Interval xi{};
};
// D_a <= rho a for a <= omega
struct TcdpParameters {
  double omega = 0;
  Interval rho{};
};
// E[L] <= mu, and L - E[L] is subgaussian with standard tau
struct CdpParameters {
  Interval mu{};
  Interval tau{};
};
struct GdpParameters {
  Interval mu{};
  // The central limit of Bu, Dong, Long, Su 2019, where it applies: no bound.
  std::optional<double> mu_estimate{};
};
// K(lambda) <= alpha: (lambda + 1, epsilon)-RDP.
struct MomentsParameters {
  double lambda = 0;
  double alpha = 0;    // upper bound
  double epsilon = 0;  // alpha / lambda, rounded up
};

Relation<PureParameters> to_pure(const Analysis& analysis);
// With rho: the smallest xi beside it. Without: xi = 0 and the smallest rho.
Relation<ZcdpParameters> to_zcdp(const Analysis& analysis, std::optional<double> rho = {});
// omega in (1, largest_order]
Relation<TcdpParameters> to_tcdp(const Analysis& analysis, double omega);
Relation<CdpParameters> to_cdp(const Analysis& analysis);
Relation<GdpParameters> to_gdp(const Analysis& analysis);
// lambda in (0, largest_order - 1]
Relation<MomentsParameters> to_moments(const Analysis& analysis, double lambda);

}  // namespace renyi
