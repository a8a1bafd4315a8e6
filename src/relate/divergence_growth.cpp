#include "relate/divergence_growth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/law.h"
#include "mechanism/replacement_steps.h"
#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "plan/step_standing.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi::relate {

namespace divergence_growth_file {
namespace {

// The rounding of 1/m or half its square, times a count.
constexpr double few_roundings = 8 * numerics::unit_roundoff;

// rho of the part of K that is rho z (z+1), and the step without that part, if anything is left.
struct Quadratic {
  double rho = 0;
  std::optional<Mechanism> rest{};
};

Quadratic quadratic_part(const Mechanism& mechanism) {
  const auto law = mechanism.curve()->law();
  if (const auto* normal = law.get_if<mechanism::NormalShift>()) return {0.5 * normal->mu() * normal->mu()};
  const auto* line = law.get_if<mechanism::DivergenceLine>();
  if (line == nullptr) return {0, mechanism};
  return {line->rho, line->xi == 0 ? std::nullopt : std::optional(mechanism::bounded_divergence_step(line->xi))};
}

}  // namespace
}  // namespace divergence_growth_file

std::vector<CountedMechanism> steps_with_loss(const Analysis& analysis) {
  auto mechanisms = analysis.steps();
  std::erase_if(mechanisms,
                [](const CountedMechanism& m) { return m.mechanism.curve()->worst_max_loss().upper() == 0; });
  return mechanisms;
}

std::optional<double> gaussian_mu(const Mechanism& mechanism) {
  const auto normal = mechanism::law_of<mechanism::NormalShift>(mechanism);
  return normal ? std::optional(normal->mu()) : std::nullopt;
}

GaussianAndRest split_off_gaussian(const std::vector<CountedMechanism>& mechanisms) {
  GaussianAndRest parts;
  OutwardSum rho;
  for (const CountedMechanism& m : mechanisms) {
    const auto [part, rest] = divergence_growth_file::quadratic_part(m.mechanism);
    rho.add(static_cast<double>(m.count), around(part, divergence_growth_file::few_roundings));
    if (rest) parts.rest.push_back({*rest, m.count});
  }
  parts.rho = rho.total();
  return parts;
}

void OutwardSum::add(double count, const Interval& x) {
  sum_.lower += count * x.lower;
  sum_.upper += count * x.upper;
  ++terms_;
}

Interval OutwardSum::total() const {
  const double relative = (2 + terms_) * numerics::unit_roundoff;
  return {std::max(0.0, sum_.lower * (1 - relative)), sum_.upper * (1 + relative)};
}

Interval around(double value, double relative) { return {value * (1 - relative), value * (1 + relative)}; }

Interval sum_outwards(const Interval& a, const Interval& b) {
  if (a.upper == 0) return b;
  if (b.upper == 0) return a;
  return {numerics::next_down(a.lower + b.lower), numerics::next_up(a.upper + b.upper)};
}

namespace divergence_growth_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double up = 1 + 8 * numerics::unit_roundoff;

Interval ends(const LogMoment& k) {
  if (!std::isfinite(k.value) || !std::isfinite(k.error)) return {0, infinity};
  const Bounded bounded{k.value, k.error};
  return {bounded.lower(), bounded.upper()};
}

class OverTheCurve : public Objective {
 public:
  explicit OverTheCurve(const Curve& curve) : curve_(curve), growth_(curve.growth()) {}
  Interval convex(double z) const override { return ends(curve_.worst_log_moment(z)); }

 protected:
  const Growth& growth() const { return growth_; }

 private:
  const Curve& curve_;
  Growth growth_;
};

// K(z) / (z (z+1)) = D_a / a at a = z + 1.
class Rate final : public OverTheCurve {
 public:
  using OverTheCurve::OverTheCurve;
  double value(double z, double k) const override { return k / z / (z + 1); }
  // The derivative of (A + s z)/(z (z+1)) has the sign of -s z^2 - 2 A z - A.
  double peak(double offset, double slope) const override {
    const double b = -offset;
    return b > 0 && slope > 0 ? (b + std::sqrt(b) * std::sqrt(b + slope)) / slope : 0;
  }
  // K(z)/z never falls with z (convexity, K(0) = 0), and z + 1 >= 1.
  double before(double z, double k_upper) const override { return std::min(k_upper / z * up, beyond(0)); }
  // K(z) <= z (xi + rho (z+1))
  double beyond(double z) const override { return (growth().rho + growth().xi / (z + 1)) * up; }
};

// K(z)/z - rho (z+1) = D_a - rho a at a = z + 1.
class Excess final : public OverTheCurve {
 public:
  Excess(const Curve& curve, double rho) : OverTheCurve(curve), rho_(rho) {}
  double value(double z, double k) const override { return k / z - rho_ * (z + 1); }
  // s + A/z - rho (z+1) is largest at z^2 = -A/rho.
  double peak(double offset, double) const override {
    if (offset >= 0) return 0;
    return rho_ > 0 ? std::sqrt(-offset / rho_) : infinity;
  }
  double before(double z, double k_upper) const override { return std::min(k_upper / z * up - rho_, beyond(0)); }
  double beyond(double z) const override { return growth().xi * up + (growth().rho - rho_) * (z + 1); }

 private:
  double rho_;
};

Interval finite(const Interval& range, const char* what) {
  if (std::isfinite(range.upper)) return range;
  throw NotConverged(fmt::format("the search for the smallest {}", what));
}

}  // namespace
}  // namespace divergence_growth_file

Interval smallest_rho(const Curve& curve, double last_order) {
  const LogMoment at_one = curve.worst_log_moment(0);
  const bool ends_somewhere = std::isfinite(last_order);
  Search search{.last = last_order - 1};
  search.at_least = Bounded{at_one.slope, at_one.slope_error}.lower();
  if (!ends_somewhere) search.at_least = std::max(search.at_least, curve.growth().rho * (1 - growth_rounding));
  return divergence_growth_file::finite(supremum(divergence_growth_file::Rate(curve), search), "rho");
}

Interval smallest_xi(const Curve& curve, double rho) {
  const LogMoment at_one = curve.worst_log_moment(0);
  Search search{.last = divergence_growth_file::infinity};
  search.at_least = std::max(0.0, Bounded{at_one.slope, at_one.slope_error}.lower() - rho);
  search.absolute = 1e-10 * std::max(rho, at_one.slope);
  return divergence_growth_file::finite(supremum(divergence_growth_file::Excess(curve, rho), search), "xi");
}

namespace divergence_growth_file {
namespace {

// The upper bound is over all steps, the lower bound over those for which a lower bound is known.
template <class Search>
Interval enclosed(const std::vector<CountedMechanism>& mechanisms, const Search& search) {
  Interval range = search(*compose(mechanisms));
  const auto known = with_known_lower_end(mechanisms);
  if (known.size() < mechanisms.size()) range.lower = search(*compose(known)).lower;
  return range;
}

}  // namespace
}  // namespace divergence_growth_file

bool is_only_bounded(const Mechanism& mechanism) {
  return mechanism.get_if<CustomMechanism>() != nullptr && mechanism.curve()->knowledge() == Knowledge::orders;
}

std::vector<CountedMechanism> with_known_lower_end(std::vector<CountedMechanism> mechanisms) {
  std::erase_if(mechanisms, [](const CountedMechanism& m) { return is_only_bounded(m.mechanism); });
  return mechanisms;
}

Interval smallest_rho(const std::vector<CountedMechanism>& mechanisms, double last_order) {
  return divergence_growth_file::enclosed(mechanisms,
                                          [last_order](const Curve& curve) { return smallest_rho(curve, last_order); });
}

Interval smallest_xi(const std::vector<CountedMechanism>& mechanisms, double rho) {
  return divergence_growth_file::enclosed(mechanisms, [rho](const Curve& curve) { return smallest_xi(curve, rho); });
}

namespace divergence_growth_file {
namespace {

double infinite_mass(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  const double remove = curve->infinite_mass(Direction::remove).upper();
  return std::min(1.0, std::max(remove, curve->infinite_mass(Direction::add).upper()));
}

}  // namespace
}  // namespace divergence_growth_file

// About `non-private` nothing more is known than about a step with a stated guarantee, except that it satisfies none.
// Where a step is analysed by a loss larger than its own, as if the batch of an epoch that contains a record were
// revealed, the losses of many such steps say nothing about theirs.
std::vector<CountedMechanism> with_known_loss(const Analysis& analysis) {
  const auto specified = analysis.plan().merged();
  const bool overstated = std::any_of(specified.begin(), specified.end(), [&](const CountedMechanism& m) {
    return plan::overstates_loss(m.mechanism, analysis.plan().adjacency());
  });
  if (overstated) return {};
  auto known = steps_with_loss(analysis);
  std::erase_if(known, [](const CountedMechanism& m) {
    return m.mechanism.curve()->knowledge() != Knowledge::loss && m.mechanism.kind() != "non-private";
  });
  return known;
}

std::optional<std::string> proof_of_no_orders(const Analysis& analysis) {
  for (const CountedMechanism& m : with_known_loss(analysis)) {
    if (const double most = divergence_growth_file::infinite_mass(m.mechanism); most > 0) {
      return fmt::format("none exists, because the loss of {} is infinite with probability {:.6g}",
                         name_of(m.mechanism), most);
    }
  }
  return {};
}

// A step with a known infinite loss decides the answer, wherever it is in the plan.
std::optional<std::string> why_no_orders(const Analysis& analysis) {
  if (auto proof = proof_of_no_orders(analysis)) return proof;
  for (const CountedMechanism& m : steps_with_loss(analysis)) {
    if (const double most = divergence_growth_file::infinite_mass(m.mechanism); most > 0) {
      return fmt::format("none is known, because the loss of {} may be infinite with probability up to {:.6g}",
                         name_of(m.mechanism), most);
    }
  }
  return {};
}

std::optional<std::string> why_orders_end(const std::vector<CountedMechanism>& mechanisms) {
  const CountedMechanism* first = nullptr;
  double last = std::numeric_limits<double>::infinity();
  for (const CountedMechanism& m : mechanisms) {
    const double here = m.mechanism.curve()->last_order();
    if (!(here < last)) continue;
    last = here;
    first = &m;
  }
  if (first == nullptr) return {};
  return fmt::format("none is known, because nothing is known of {} at orders above {}", name_of(first->mechanism),
                     last);
}

std::string name_of(const Mechanism& mechanism) {
  if (mechanism.identity() != nullptr) return fmt::format("'{}'", mechanism.summary());
  std::vector<std::string> words;
  const auto table = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!table[i].is_left_out(values[i])) words.push_back(fmt::format("{} {}", table[i].name, values[i]));
  }
  if (words.empty()) return std::string(mechanism.kind());
  return fmt::format("{} ({})", mechanism.kind(), fmt::join(words, ", "));
}

}  // namespace renyi::relate
