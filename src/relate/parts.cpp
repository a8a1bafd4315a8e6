#include "relate/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::relate {

namespace {

// 1/m or its square, halved, times a count: a few roundings.
constexpr double few_roundings = 8 * numerics::unit_roundoff;

// rho of the part of K that is rho z (z+1).
double quadratic_part(const Mechanism& mechanism) {
  if (const auto mu = gaussian_mu(mechanism)) return 0.5 * *mu * *mu;
  if (const auto* zcdp = mechanism.get_if<ZeroConcentrated>()) return zcdp->rho;
  return 0;
}

// What is left of a step without that part, or nothing.
std::optional<Mechanism> remainder_of(const Mechanism& mechanism) {
  if (gaussian_mu(mechanism)) return {};
  const auto* zcdp = mechanism.get_if<ZeroConcentrated>();
  if (zcdp == nullptr) return mechanism;
  if (zcdp->xi == 0) return {};
  return ZeroConcentrated{.rho = 0, .xi = zcdp->xi};
}

}  // namespace

std::vector<CountedMechanism> revealing(const Plan& plan) {
  auto mechanisms = plan.analysed();
  std::erase_if(mechanisms,
                [](const CountedMechanism& m) { return m.mechanism.curve()->worst_max_loss().upper() == 0; });
  return mechanisms;
}

namespace {

// Its loss is infinite with some probability.
std::optional<std::string> why_no_order(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  const double remove = curve->infinite_mass(Direction::remove).upper();
  const double most = std::max(remove, curve->infinite_mass(Direction::add).upper());
  if (most == 0) return {};
  return fmt::format("none exists, because the loss of {} is infinite with probability {:.6g}", name_of(mechanism),
                     std::min(1.0, most));
}

}  // namespace

std::optional<std::string> why_no_orders(const std::vector<CountedMechanism>& mechanisms) {
  for (const CountedMechanism& m : mechanisms) {
    if (auto why = why_no_order(m.mechanism)) return why;
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
  return fmt::format("none exists, because nothing is known of {} at orders above {}", name_of(first->mechanism), last);
}

std::optional<double> gaussian_mu(const Mechanism& mechanism) {
  if (const auto* gaussian = mechanism.get_if<Gaussian>()) return gaussian->l2_sensitivity / gaussian->stddev;
  if (const auto* gdp = mechanism.get_if<GaussianDp>()) return gdp->mu;
  const auto* sampled = mechanism.get_if<SampledGaussian>();
  if (sampled != nullptr && sampled->sampling_rate == 1) return 1 / sampled->noise_multiplier;
  return {};
}

Parts without_quadratic_part(const std::vector<CountedMechanism>& mechanisms) {
  Parts parts;
  OutwardSum rho;
  for (const CountedMechanism& m : mechanisms) {
    rho.add(static_cast<double>(m.count), around(quadratic_part(m.mechanism), few_roundings));
    if (const auto rest = remainder_of(m.mechanism)) parts.rest.push_back({*rest, m.count});
  }
  parts.rho = rho.total();
  return parts;
}

void OutwardSum::add(double count, const Range& x) {
  sum_.lower += count * x.lower;
  sum_.upper += count * x.upper;
  ++terms_;
}

Range OutwardSum::total() const {
  const double relative = (2 + terms_) * numerics::unit_roundoff;
  return {std::max(0.0, sum_.lower * (1 - relative)), sum_.upper * (1 + relative)};
}

Range around(double value, double relative) { return {value * (1 - relative), value * (1 + relative)}; }

Range operator+(const Range& a, const Range& b) {
  if (a.upper == 0) return b;
  if (b.upper == 0) return a;
  return {numerics::next_down(a.lower + b.lower), numerics::next_up(a.upper + b.upper)};
}

std::string name_of(const Mechanism& mechanism) {
  if (mechanism.identity() != nullptr) return fmt::format("'{}'", mechanism.summary());
  std::vector<std::string> words;
  const auto table = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < table.size(); ++i) words.push_back(fmt::format("{} {}", table[i].name, values[i]));
  if (words.empty()) return std::string(mechanism.kind());
  return fmt::format("{} ({})", mechanism.kind(), fmt::join(words, ", "));
}

}  // namespace renyi::relate
