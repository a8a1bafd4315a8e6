// Mechanisms that lose a lot in one step: where exp of a loss, or of minus a loss, is beyond the range of doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "renyi/extras/custom.h"
#include "renyi/mechanism.h"
#include "renyi/rdp.h"
#include "support/settings.h"

namespace renyi::test {

// Returns the loss of one step: its largest loss or, if that is infinite, the mean loss, under the condition that the
// loss is finite.
inline double size_of_loss(const Mechanism& m) {
  const auto whole = m.curve();
  const auto finite = whole->finite_part();
  const Curve& curve = finite ? *finite : *whole;
  const double most = curve.worst_max_loss().upper();
  return std::isfinite(most) ? most : rdp(curve, 1).upper();
}

// The mechanism with the parameter between its usual value and the end of its range where it costs more, at the place
// where one step loses about `target`; nothing if it does not reach so far.
inline std::optional<Mechanism> losing_about(const Mechanism& m, const Parameter& p, double target) {
  if (p.effect == Effect::not_monotone) return std::nullopt;
  const double usual = m.values()[static_cast<std::size_t>(&p - m.parameters().data())];
  const double least = p.lowest > 0 ? p.lowest : 1e-12, most = p.highest;
  double near = std::log(std::max(usual, least)), far = std::log(p.effect == Effect::raises_cost ? most : least);
  const auto at = [&](double x) {
    const double value = std::clamp(std::exp(x), least, most);
    return with_value(m, p, p.whole ? std::round(value) : value);
  };
  const auto loses = [&](double x) {
    const auto moved = at(x);
    return !moved || size_of_loss(*moved) >= target;
  };
  if (loses(near) || !at(far) || !loses(far)) return std::nullopt;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (near + far);
    (loses(middle) ? far : near) = middle;
  }
  return at(far);
}

// By the first of its parameters that reaches farthest, the same one for every target: costs can then be compared.
inline std::optional<Mechanism> losing_about(const Mechanism& m, double target) {
  for (const double farthest : {1e5, 1e3, target}) {
    for (const Parameter& p : m.parameters()) {
      if (losing_about(m, p, farthest)) return losing_about(m, p, target);
    }
  }
  return std::nullopt;
}

// Laws given by tables have no parameter to turn. Half of P's mass has the loss, the other half next to none.
inline std::optional<Mechanism> table_losing(std::string_view kind, double loss) {
  const double rest = 0.5;
  if (kind == "losses" && loss <= 1e4) return make_mechanism(kind, {}, {{"losses", {{loss, rest}, {-0.6, rest}}}});
  if (kind == "pairs" && loss <= 700) {
    const double q = rest * std::exp(-loss);
    return make_mechanism(kind, {}, {{"probabilities", {{rest, q}, {rest, 1 - q}}}});
  }
  return std::nullopt;
}

inline std::optional<Mechanism> with_large_loss(const Mechanism& m, double loss) {
  if (auto found = table_losing(m.kind(), loss)) return found;
  return losing_about(m, loss);
}

}  // namespace renyi::test
